/*
 * A process of our own beside this one, from before rights are given up: it does one thing for
 * whoever is at the other end of its line, and knows nothing else.
 */
#ifndef LOSSLESSCTL_CLI_SANDBOX_HELPER_PROCESS_H
#define LOSSLESSCTL_CLI_SANDBOX_HELPER_PROCESS_H

#include "../../policy/util/err.h"

/* The first descriptor that is free in it: those before are /dev/null, and its line. */
#define ASIDE_FREE 4

/* What it does, until its line is closed. */
typedef void serve_fn(int line);

/*
 * Starts it. *ret is the line to it, of the socket type `type` (SOCK_SEQPACKET, SOCK_STREAM),
 * which the caller closes, and that is its end. `what` says what it does, in messages.
 * Errors: ERR_SYSTEM.
 */
bool aside_start(serve_fn *serve, int type, const char *what, int *ret, struct err *err) must_check;

#endif
