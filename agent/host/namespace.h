/* Where we run, and whether the kernel would let us change the host's ports from there. */
#ifndef LOSSLESSCTL_AGENT_HOST_NAMESPACE_H
#define LOSSLESSCTL_AGENT_HOST_NAMESPACE_H

#include "host.h"

/*
 * May we change ports at all? The kernel asks for CAP_NET_ADMIN in the initial user namespace,
 * and elsewhere refuses in ways that some callers do not see. ERR_DENIED. What cannot be told is
 * left for the kernel to decide.
 */
bool namespace_may_change(struct host *h, struct err *err) must_check;

/* Is our network namespace that of process 1? ERR_REFUSED: no. Where it cannot be told, it is. */
bool namespace_is_hosts(struct host *h, struct err *err) must_check;

#endif
