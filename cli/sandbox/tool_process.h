/* Runs one program for a helper process: in a process group of its own, for a limited time. */
#ifndef LOSSLESSCTL_CLI_SANDBOX_TOOL_PROCESS_H
#define LOSSLESSCTL_CLI_SANDBOX_TOOL_PROCESS_H

#include <stdbool.h>

enum tool_end {
	TOOL_ENDED,    /* by itself: the status is that of waitpid() */
	TOOL_LATE,     /* killed when its time was over */
	TOOL_CANCELLED /* killed because of `cancel` */
};

struct tool {
	const char *path;
	char *const *argv; /* with the program's name */
	int input;	   /* descriptor for its standard input; -1: ours. Borrowed */
	int output;	   /* descriptor for its standard output and error; borrowed */
	unsigned limit_s;
	int cancel; /* a socket: any byte, or the end, kills the program; -1: nothing does */
};

/*
 * Runs the program to its end, kills it with its children if it has to be, and reaps it. It is
 * killed as well if this process ends before. Its environment is PATH and LC_ALL=C. SIGCHLD is
 * blocked from now on. Returns 0 or an errno: the program could not be started.
 */
int tool_run(const struct tool *t, enum tool_end *end, int *status);

#endif
