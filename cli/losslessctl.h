/* The program without its platform, so that tests can run it on a fake kernel. */
#ifndef LOSSLESSCTL_CLI_LOSSLESSCTL_H
#define LOSSLESSCTL_CLI_LOSSLESSCTL_H

#include "cli.h"

extern const struct platform platform_linux;

/* Runs the verb that the arguments name and returns the exit code. Borrows the platform. */
int losslessctl(int argc, char **argv, const struct platform *platform);

#endif
