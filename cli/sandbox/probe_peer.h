/* Opens the line to the other end of a probe, before the rights are dropped. */
#ifndef LOSSLESSCTL_CLI_SANDBOX_PROBE_PEER_H
#define LOSSLESSCTL_CLI_SANDBOX_PROBE_PEER_H

#include "../cli.h"

#define PROBE_SERVE "serve" /* in place of a host */

/* True if this is the end that waits. */
bool probe_is_server(const struct cli *c);

/* Checks the words that name the other end. Errors: ERR_USAGE. */
bool probe_peer_check(const struct cli *c, struct err *err) must_check;

/*
 * Sets c->probe_in and c->probe_out: standard input and output, a socket that listens, a connection
 * to the host, or to ssh that runs the other end there. With --hosts it sets c->probe_lines alone.
 * Errors: ERR_USAGE; ERR_NO_FILE without ssh, or without the file of
 * hosts; ERR_UNKNOWN if the host is unknown or does not answer.
 */
bool probe_peer_open(struct cli *c, struct err *err) must_check;

#endif
