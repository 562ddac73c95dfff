/* Showing a plan. */
#ifndef LOSSLESSCTL_CLI_VERBS_PLAN_H
#define LOSSLESSCTL_CLI_VERBS_PLAN_H

#include "../../agent/engine/target.h"
#include "../cli.h"

/* The port, its steps, what was refused and what was skipped; `p` may be NULL. */
void print_target(const struct cli *c, const struct policy *p, const struct target *t);

/* What was refused, on standard error: an error is told even to those who want it quiet. */
void print_refusals(const struct cli *c, const struct targets *all);

/* One warning for each run that did not end, and what becomes of it; not `own`: of those alone that
 * left entries in the journal of another run.
 */
void warn_of_runs(struct cli *c, const struct journal *pending, bool own, const char *then);

/* A run that only reads says when a run that wrote did not end. */
void warn_of_unfinished(struct cli *c);

/* Is there one that did not end, or has not yet? What only waits for confirmation has ended; a
 * journal that cannot be read is as bad as one.
 */
bool is_unfinished(struct cli *c);

#endif
