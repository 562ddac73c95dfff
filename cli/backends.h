/* The back ends of this program. */
#ifndef LOSSLESSCTL_CLI_BACKENDS_H
#define LOSSLESSCTL_CLI_BACKENDS_H

#include "cli.h"

extern const struct backends all_backends;

/* The engine that serves a command line, with c->h as its host. Borrows. */
struct engine cli_engine(struct cli *c);

#endif
