/* The back ends of this program, and the engine built on them. */
#ifndef LOSSLESSCTL_CLI_BACKENDS_H
#define LOSSLESSCTL_CLI_BACKENDS_H

#include "cli.h"

extern const struct backends all_backends;

/* Returns an engine for this command line. It borrows `c` and uses c->h as its host. */
struct engine cli_engine(struct cli *c);

#endif
