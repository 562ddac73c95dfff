/* The resolved settings of port rules, as text and as JSON. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_POLICY_DUMP_H
#define LOSSLESSCTL_CLI_OUTPUT_POLICY_DUMP_H

#include "../../policy/document/policy.h"
#include "../cli.h"

/* Prints the rule's settings without a port, then the changes by each entry of its "when". */
void expand_print(const struct cli *c, const struct policy *p, const struct port_rule *r);

/*
 * Returns {port_rule, match, profile, config, derived?, when?: [{CONDITION…, config}]}. The caller
 * owns it.
 */
json_t *expand_to_json(const struct policy *p, const struct port_rule *r);

/* Returns the settings derived from the rule's classes; empty without classes. */
struct config expand_derived(const struct port_rule *r);

/*
 * Returns the desired settings, as rule_desired_of() does. Cannot fail for a rule that was loaded,
 * because loading validates each entry.
 */
struct config expand_desired(const struct port_rule *r, uint32_t entries);

#endif
