/*
 * What was done to each port last, for an agent that would undo it: which policy was applied, or
 * that an apply was taken back. In /run/losslessctl, so that a boot forgets it.
 */
#ifndef LOSSLESSCTL_CLI_LATEST_H
#define LOSSLESSCTL_CLI_LATEST_H

#include "target.h"

/*
 * Under the lock of the run, of the ports that ended as wished: `p` was applied; NULL: what was
 * applied is taken back. What cannot be noted is warned of.
 */
void latest_note(struct cli *c, const struct policy *p, const struct targets *all);

/* Has nothing been applied to the port or taken back since that `p` does not say? Else *err. */
bool latest_is(struct host *h, const struct policy *p, const struct port *port,
	       struct err *err) must_check;

/* The policy was given to the agent after that. */
void latest_forget(struct host *h);

#endif
