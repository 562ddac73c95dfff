/* The end of a probe that waits: `losslessctl probe serve`. */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_SERVER_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_SERVER_H

#include "probe_worker.h"
#include "../cli.h"
#include "peer_line.h"

#define HELLO_MS 60000 /* until a client says hello that ssh has let in */

struct probe_server {
	struct probe_worker *worker;
	struct peer_line *line;
};

/*
 * Receives within `wait_ms` the first message, and tells the client why it is refused: it must be a
 * hello of the same protocol, with `token` unless that is NULL. The caller owns *ret_hello. Errors:
 * ERR_REFUSED, and those of peer_line_receive().
 */
bool probe_let_in(struct peer_line *l, const char *token, unsigned wait_ms, json_t **ret_hello,
		  struct err *err) must_check;

/*
 * Serves one client to its end, which is no error, from its hello on. Kills perftest if the client
 * ends or is silent. Other errors are sent to the client, and end its session.
 */
bool probe_serve(const struct probe_server *s, json_t *hello, struct err *err) must_check;

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
