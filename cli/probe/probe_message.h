/* Messages between the two ends of a probe. Each has the key "command", or is an answer. */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_MESSAGE_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_MESSAGE_H

#include <jansson.h>

#include "../../agent/engine/probe/probe_verdict.h"
#include "../../policy/util/err.h"
#include "../../policy/util/json_location.h"

/*
 * The line between the two ends of a probe: one JSON object a line, each answered by one. It runs
 * over ssh's standard input and output, or over a TCP connection.
 */

#define PEER_LINE_MAX (128u << 10) /* bytes of one message, without the newline */

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

#endif
