/*
 * What was done to the ports last, for an agent that would undo it: the policy that was applied, or
 * that an apply was taken back. In /run/losslessctl, so that a boot forgets it.
 */
#ifndef LOSSLESSCTL_CLI_LATEST_H
#define LOSSLESSCTL_CLI_LATEST_H

#include "../policy/policy.h"
#include "cli.h"

/* Under the lock of the run: `p` was applied; NULL: what was applied is taken back. */
void latest_note(struct cli *c, const struct policy *p);

/* Has nothing been applied or taken back since that this policy does not say? Else *err tells. */
bool latest_is(struct host *h, const struct policy *p, struct err *err) must_check;

/* The policy was given to the agent after that. */
void latest_forget(struct host *h);

#endif
