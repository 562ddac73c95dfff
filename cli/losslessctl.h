/* The program, without the platform that it runs on: a test gives it one with a fake kernel. */
#ifndef LOSSLESSCTL_CLI_LOSSLESSCTL_H
#define LOSSLESSCTL_CLI_LOSSLESSCTL_H

#include "cli.h"

struct platform {
	/* Does what needs privileges, and gives them up, before the verb runs (sandbox/enter.h). */
	bool (*enter)(struct cli *c, struct err *err);
	/* As cli_open_host(). */
	bool (*open_host)(struct cli *c, bool may_write, struct err *err);
};

extern const struct platform platform_linux;

/* Runs the verb that the arguments name, and returns the exit code. Borrows the platform. */
int losslessctl(int argc, char **argv, const struct platform *platform);

#endif
