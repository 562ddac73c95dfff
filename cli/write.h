/* What apply and rollback share: planning under the lock, carrying out, reporting. */
#ifndef LOSSLESSCTL_CLI_WRITE_H
#define LOSSLESSCTL_CLI_WRITE_H

#include "../agent/engine/target.h"
#include "cli.h"

/* Plans every target after what the port has now, and judges the plans. */
bool write_plan(struct cli *c, const struct run *r, struct targets *all,
		struct err *err) must_check;

/* {schema, policy?, outcome, ports} of the run so far; the caller owns it. */
json_t *write_document(const struct cli *c, const struct policy *p, const struct targets *all);

/*
 * Carries the plans out, unless one is refused, and prints the result. `p` may
 * be NULL. Returns the exit code, or -1 with *err.
 */
int write_carry_out(struct cli *c, struct run *r, const struct policy *p, struct targets *all,
		    struct err *err);

#endif
