/*
 * The time since which the agent has had its policy. An agent that was killed and restarted uses it
 * to respect later applies by an operator. In /run/losslessctl, so that a boot resets it.
 */
#ifndef LOSSLESSCTL_AGENT_DAEMON_RESTART_H
#define LOSSLESSCTL_AGENT_DAEMON_RESTART_H

#include "../../policy/document/policy.h"
#include "../host/host.h"

/*
 * Returns when this policy was first loaded, by this or a previous agent, without another policy
 * since.
 */
uint64_t loaded_policy_first(struct host *h, const struct policy *p);

/* Records a reload. Returns the current time of the host's clock in milliseconds. */
uint64_t loaded_policy_anew(struct host *h, const struct policy *p);

/*
 * Records a start. Returns when the previous agent loaded the same policy, or else the current
 * time.
 */
uint64_t loaded_policy_since(struct host *h, const struct policy *p);

#endif
