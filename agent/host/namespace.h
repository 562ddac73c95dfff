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

/* True in the initial user namespace, which sees each user as it is, or if that cannot be checked.
 */
bool user_namespace_is_initial(struct host *h);

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

/* ---- processes ---- */

/* Finds daemons of other packages by process name, in this network namespace. */

/* True if the host has processes that this one cannot see, as in a container: pid_namespaces(7). */
bool process_may_be_hidden(const struct host *h);

#define PROCESS_WORDS_MAX 1024

struct process {
	unsigned pid;
	const char *name; /* the one that was looked for */
	/* The command line: NUL after each word, two NULs after the last. */
	char words[PROCESS_WORDS_MAX];
};

/*
 * Calls `each` for every process of root with one of these names; NULL ends them. The kernel keeps
 * 15 bytes of a name, and only these are compared. A command line that does not fit is left empty.
 * False if /proc cannot be listed.
 */
bool process_each_of(struct host *h, const char *const *names,
		     void (*each)(const struct process *p, void *arg), void *arg) must_check;

/* The same for one name. */
bool process_each(struct host *h, const char *name,
		  void (*each)(const struct process *p, void *arg), void *arg) must_check;

/* True if a process with this name runs; *ret_pid is its id, else 0. */
bool process_runs(struct host *h, const char *name, unsigned *ret_pid);

#endif
