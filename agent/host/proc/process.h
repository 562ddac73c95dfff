/* Finds daemons of other packages by process name, in this network namespace. */
#ifndef LOSSLESSCTL_AGENT_HOST_PROC_PROCESS_H
#define LOSSLESSCTL_AGENT_HOST_PROC_PROCESS_H

#include "../host.h"

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
