/* The program without its platform, so that tests can run it on a fake kernel. */
#ifndef LOSSLESSCTL_CLI_LOSSLESSCTL_H
#define LOSSLESSCTL_CLI_LOSSLESSCTL_H

#include "cli.h"

struct platform {
	/* Prepares what needs privileges, then drops them (sandbox/enter.h). */
	bool (*enter)(struct cli *c, struct err *err);
	/* Implements cli_open_host(). */
	bool (*open_host)(struct cli *c, bool may_write, struct err *err);
};

extern const struct platform platform_linux;

/* Runs the verb that the arguments name and returns the exit code. Borrows the platform. */
int losslessctl(int argc, char **argv, const struct platform *platform);

#endif
