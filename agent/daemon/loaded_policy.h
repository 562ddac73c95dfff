/*
 * Since when the agent has had its policy: what an operator applies after that is respected, also
 * by an agent that was killed and starts again. In /run/losslessctl, so that a boot forgets it.
 */
#ifndef LOSSLESSCTL_AGENT_DAEMON_LOADED_POLICY_H
#define LOSSLESSCTL_AGENT_DAEMON_LOADED_POLICY_H

#include "../../policy/document/policy.h"
#include "../host/host.h"

/* When the agent, or those before it, first loaded this policy, without another since. */
uint64_t loaded_policy_first(struct host *h, const struct policy *p);

/* The policy is reloaded: now, of the host's clock, in milliseconds. */
uint64_t loaded_policy_anew(struct host *h, const struct policy *p);

/* The agent starts: when the one before it loaded the same policy, or now. */
uint64_t loaded_policy_since(struct host *h, const struct policy *p);

#endif
