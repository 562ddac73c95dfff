/* Showing a plan. */
#ifndef LOSSLESSCTL_CLI_VERBS_PLAN_H
#define LOSSLESSCTL_CLI_VERBS_PLAN_H

#include "../../agent/engine/target/target.h"
#include "../cli.h"

/* The port, its steps, what was refused and what was skipped; `p` may be NULL. */
void print_target(const struct cli *c, const struct policy *p, const struct target *t);

/* What was refused, on standard error: an error is told even to those who want it quiet. */
void print_refusals(const struct cli *c, const struct targets *all);

#endif
