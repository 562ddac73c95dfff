/*
 * The agent: holds the ports of a policy to it. It checks them when the kernel announces a change
 * and now and then, samples their counters, reports drift and symptoms, and repairs what the policy
 * lets it repair.
 */
#ifndef LOSSLESSCTL_AGENT_DAEMON_DAEMON_H
#define LOSSLESSCTL_AGENT_DAEMON_DAEMON_H

#include "daemon_options.h"

/*
 * Runs until SIGTERM or SIGINT; SIGHUP loads the policy anew. Takes over `*policy` and frees it.
 * Handles these signals for the whole process. False, with *err: it could not begin, or the host
 * can no longer be listened to.
 */
bool daemon_run(const struct daemon_options *o, struct policy **policy, struct err *err) must_check;

#endif
