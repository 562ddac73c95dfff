/* The end of a probe that waits: `losslessctl probe serve`. */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_SERVER_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_SERVER_H

#include "../../agent/engine/probe/probe_verdict.h"
#include "../cli.h"
#include "../sandbox/perftest_helper.h"
#include "probe_message.h"

/* The ports of this host that a probe may use, and what they count. */

/* Owned by the caller; probe_host_free() frees. */
struct probe_host {
	const struct engine *e;		  /* borrowed */
	const struct probe_policy *asked; /* the policy's; borrowed */
	struct inventory inventory;
	struct targets targets;
	struct job job;
	struct probe_port *ports; /* one per target */
	struct scratch *scratch;
};

/* Frees what a host owns. */
void probe_host_free(struct probe_host *h);

/* Reads the selected ports that the policy covers. */
bool probe_host_read(const struct engine *e, const struct policy *p, struct probe_host *ret,
		     struct err *err) must_check;

/* The index of a port by its name; false: there is none. */
bool probe_host_find(const struct probe_host *h, const char *name, size_t *ret);

/* Samples a port. Errors are those of sample_read(). */
bool probe_host_count(const struct probe_host *h, size_t port, struct probe_counts *ret,
		      struct err *err) must_check;

struct probe_worker {
	const struct probe_host *host;
	int helper; /* perftest_helper.h */
	bool allow_disruption;
	const struct peer_line *other; /* a run ends with this line; NULL: with none */
	bool runs;		       /* perftest was started, and its result not read */
	struct perftest run;	       /* the one that was started last */
	struct perftest_started started;
};

/*
 * Carries out the command of a message. Returns the answer, which the caller owns, or NULL:
 * ERR_REFUSED and ERR_USAGE if the command is not permitted, ERR_GONE if the other line has ended,
 * ERR_INTERRUPTED, and errors of sampling.
 */
json_t *probe_work(struct probe_worker *w, json_t *message, struct err *err);

/* Kills perftest if it runs. */
void probe_worker_stop(struct probe_worker *w);

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
