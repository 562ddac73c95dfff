/* Accepts the one client of `losslessctl probe serve --bind`. */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_LISTENER_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_LISTENER_H

#include "../cli.h"
#include "peer_line.h"

/* The client that knows the token. */
struct probe_client {
	struct peer_line line;
	json_t *hello; /* its first message, to be answered */
};

/*
 * Prints the address and a token, and waits at c->probe_in for a client that knows the token. Drops
 * every other connection, with a warning now and then. Closes c->probe_in in the end. Errors:
 * ERR_UNKNOWN if no client comes in time, ERR_INTERRUPTED, ERR_SYSTEM.
 */
bool probe_await_client(struct cli *c, struct probe_client *ret, struct err *err) must_check;
/* Closes the connection and frees the client. */
void probe_client_close(struct probe_client *client);

#endif
