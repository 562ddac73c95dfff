/*
 * The programs that helper processes run (helper.h): each in a process group of its own, for a
 * limited time, and only if root alone can change it.
 */
#ifndef LOSSLESSCTL_CLI_SANDBOX_TOOLS_H
#define LOSSLESSCTL_CLI_SANDBOX_TOOLS_H

#include "../../agent/host/helper_line.h"

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

/* True if root alone can change the program, and each directory on its path. */
bool tool_is_trusted(const char *path, struct err *err) must_check;

/* Runs the tool of a task with the words of its row; one of them may be the question. */
helper_answer_fn tool_answer;

/* True if the tool of this task is installed. */
bool tool_is_installed(enum helper_task task);

/* True if no module that TASK_MODPROBE may load is missing. */
bool modules_are_loaded(void);

#endif
