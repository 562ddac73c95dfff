/* The end of a probe that waits: `losslessctl probe serve`. */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_SERVER_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_SERVER_H

#include <jansson.h>

#include "../../agent/engine/probe/probe_verdict.h"
#include "../../policy/util/err.h"
#include "../../policy/util/json_location.h"
#include "../cli.h"
#include "../sandbox/tools.h"

/* ---- messages ---- */

/* Messages between the two ends of a probe. Each has the key "command", or is an answer. */

/*
 * The line between the two ends of a probe: one JSON object a line, each answered by one. It runs
 * over ssh's standard input and output, or over a TCP connection.
 */

#define PEER_LINE_MAX (192u << 10) /* bytes of one message, without the newline */

struct peer_line {
	int in, out; /* borrowed; equal for a socket */
	char *text;  /* PEER_LINE_MAX + 1 bytes, owned */
	size_t used;
};

/* Opens a line on two descriptors, which the caller closes. Fails out of memory. */
bool peer_line_open(struct peer_line *l, int in, int out, struct err *err) must_check;
/* Frees the line. */
void peer_line_close(struct peer_line *l);

/*
 * Sends a message, which it takes over, within ten seconds. ERR_GONE: the peer has ended;
 * ERR_SYSTEM: the disk is full.
 */
bool peer_line_send(struct peer_line *l, json_t *message, struct err *err) must_check;

/*
 * Receives a message within `wait_ms`; the caller owns *ret. ERR_GONE: the peer has ended;
 * ERR_UNKNOWN: it did not answer in time; ERR_POLICY: what it sent is no message. A message
 * {"error": TEXT} is ERR_REFUSED with that text.
 */
bool peer_line_receive(struct peer_line *l, unsigned wait_ms, json_t **ret,
		       struct err *err) must_check;

/*
 * Reads the messages of a program that ends, until it has ended or two seconds are over: the last
 * `size` - 1 bytes of them or fewer, and a NUL.
 */
void peer_line_read_last(int fd, char *text, size_t size);

/* Waits until the peer sends or ends, `other` is readable, or `wait_ms` is over. */
enum peer_event { PEER_QUIET, PEER_SENDS, OTHER_READABLE, PEER_INTERRUPTED };
enum peer_event peer_line_wait(const struct peer_line *l, int other, unsigned wait_ms);

#define PROBE_PROTOCOL 1 /* both ends must speak the same */

/* The caller owns the results of the functions that write. Errors of reading are ERR_POLICY. */
json_t *probe_counts_to_json(const struct probe_counts *c);
bool probe_counts_from_json(const json_t *j, struct probe_counts *ret, struct err *err) must_check;

/* A port. Everything that a peer says of one is checked. */
json_t *probe_port_to_json(const struct probe_port *p);
bool probe_port_from_json(json_t *j, const struct json_path *at, struct probe_port *ret,
			  struct err *err) must_check;

/*
 * The members of a run that the client chooses: path, class, TCP port, messages, size, and the
 * peer's address for the end that begins. perftest_check() judges them.
 */
json_t *probe_run_to_json(const struct perftest *p);
bool probe_run_from_json(json_t *j, struct perftest *ret, struct err *err) must_check;

/* ---- the server ---- */

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
	int helper; /* sandbox/tools.h */
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
