/* A planned target for people: its steps, and what was refused or skipped. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_PLAN_TEXT_H
#define LOSSLESSCTL_CLI_OUTPUT_PLAN_TEXT_H

#include "../../agent/engine/target/target.h"
#include "../cli.h"

/* Prints the port, its steps, the refusals and the skipped settings; `p` may be NULL. */
void print_target(const struct cli *c, const struct policy *p, const struct target *t);

/* Prints the settings that are skipped, with the reasons. */
void print_skipped(const struct cli *c, const struct target *t);

/* Prints "; link.fec differs" after an outcome; nothing if the link is as the policy asks. */
void print_unwritable_differs(const struct cli *c, const struct target *t);

/*
 * Prints what refuses an apply whatever its ports are: on standard output, or with --quiet on
 * standard error.
 */
void print_apply_refusals(const struct cli *c, const struct refusal *r, size_t count);

/* Prints the refusals on standard error, even with --quiet. */
void print_refusals(const struct cli *c, const struct targets *all);

#endif
