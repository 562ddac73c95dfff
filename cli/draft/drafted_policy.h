/* A policy that describes ports as they are: what `draft` prints. */
#ifndef LOSSLESSCTL_CLI_DRAFT_DRAFTED_POLICY_H
#define LOSSLESSCTL_CLI_DRAFT_DRAFTED_POLICY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "../../agent/engine/target/inventory.h"
#include "../../policy/document/draft.h"

struct drafted_port {
	const struct port *port;
	struct draft draft;
};

/*
 * Returns {profiles, rules}, which the caller owns. Ports with equal drafts share a profile. A
 * driver of which all ports are alike has one rule, unless `by_name` is set; other ports have a
 * rule each.
 */
json_t *drafted_policy(const struct drafted_port *ports, size_t count, bool by_name);

/* ---- JSON on lines ---- */

/* JSON as people write a policy: what fits on a line stands on one. */

/* Prints a value, indented by two blanks a level, and a newline. False: out of memory. */
bool json_text_print(FILE *to, const json_t *value);

#endif
