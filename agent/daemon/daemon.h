/*
 * The agent keeps ports in sync with a policy. It checks them when the kernel announces a change
 * and periodically, samples their counters, reports drift and symptoms, and repairs if the policy
 * allows it.
 */
#ifndef LOSSLESSCTL_AGENT_DAEMON_DAEMON_H
#define LOSSLESSCTL_AGENT_DAEMON_DAEMON_H

#include "daemon_options.h"

/*
 * Runs until SIGTERM or SIGINT; SIGHUP reloads the policy. Takes ownership of `*policy`. Handles
 * these signals for the whole process. Fails if the agent cannot start, or can no longer listen for
 * events.
 */
bool daemon_run(const struct daemon_options *o, struct policy **policy, struct err *err) must_check;

#endif
