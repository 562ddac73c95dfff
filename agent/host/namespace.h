/* Checks whether this process can change the host's ports from its namespaces. */
#ifndef LOSSLESSCTL_AGENT_HOST_NAMESPACE_H
#define LOSSLESSCTL_AGENT_HOST_NAMESPACE_H

#include "host.h"

/*
 * ERR_DENIED if the process cannot change ports: the kernel requires CAP_NET_ADMIN in the initial
 * user namespace, and fails elsewhere in ways that some callers do not notice. Succeeds if that
 * cannot be checked: the kernel decides then.
 */
bool namespace_may_change(struct host *h, struct err *err) must_check;

/* True if both processes are in one network namespace, or if that cannot be checked. */
bool namespace_is_shared(const struct host *h, const char *pid_a, const char *pid_b);

/*
 * True if the process, which is in our user namespace, finds at this path the file that we find.
 * False if that cannot be checked: the path is one that the process chose.
 */
bool namespace_has_file(struct host *h, unsigned pid, const char *path);

/*
 * ERR_REFUSED if the network namespace is not that of the host: of process 1, and the kernel's
 * first. Succeeds if that cannot be checked.
 */
bool namespace_is_hosts(struct host *h, struct err *err) must_check;

#endif
