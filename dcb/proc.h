/* Other people's daemons, found by name in our network namespace. */
#ifndef LOSSLESSCTL_DCB_PROC_H
#define LOSSLESSCTL_DCB_PROC_H

#include "../agent/host/host.h"

#define PROCESS_WORDS_MAX 1024

struct process {
	unsigned pid;
	char words[PROCESS_WORDS_MAX]; /* NUL after each; after the last one two */
};

/*
 * Calls `each` for every process of root's with this name. A name is at most
 * 15 bytes; of a command line that is longer than fits no word is given. False:
 * there is no list of processes.
 */
bool process_each(struct host *h, const char *name,
		  void (*each)(const struct process *p, void *arg), void *arg) must_check;

/* Does a process with this name run? */
bool process_runs(struct host *h, const char *name, unsigned *ret_pid);

#endif
