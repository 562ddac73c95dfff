/* Accepts the one client of `losslessctl probe serve --bind`. */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_LISTENER_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_LISTENER_H

#include "../cli.h"

#define TOKEN_BYTES 16

/*
 * Prints the address and a token, and waits for a client at c->probe_in, which it closes then. The
 * caller owns *ret. Errors: ERR_UNKNOWN if nobody connects in time, ERR_INTERRUPTED, ERR_SYSTEM.
 */
bool probe_await_client(struct cli *c, char token[2 * TOKEN_BYTES + 1], int *ret,
			struct err *err) must_check;

#endif
