/* The advice and the lint findings of plans, on standard error. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_PLAN_LINTS_H
#define LOSSLESSCTL_CLI_OUTPUT_PLAN_LINTS_H

#include "lint_text.h"

/*
 * Prints the findings of t->lints, each once for all ports that share it; info with --verbose. With
 * --quiet, prints nothing.
 */
void print_lints(const struct cli *c, const struct targets *all);

/* The same after the advice about the host. */
void print_lints_of_plans(const struct cli *c, const struct targets *all);

#endif
