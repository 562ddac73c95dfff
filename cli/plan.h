/* Showing a plan. */
#ifndef LOSSLESSCTL_CLI_PLAN_H
#define LOSSLESSCTL_CLI_PLAN_H

#include "target.h"

/* The port, its steps, what was refused and what was skipped; `p` may be NULL. */
void print_target(const struct cli *c, const struct policy *p, const struct target *t);

/* A run that only reads says when a run that wrote did not end. */
void warn_of_unfinished(struct cli *c);

#endif
