/* The end of a probe that waits: `losslessctl probe serve`. */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_SERVER_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_SERVER_H

#include "probe_worker.h"

struct probe_server {
	struct probe_worker *worker;
	struct peer_line *line;
	const char *token; /* that the client must know; NULL: none */
};

/*
 * Serves one client to its end, which is no error. Kills perftest if the client ends or is silent.
 * Other errors are sent to the client, and end its session.
 */
bool probe_serve(const struct probe_server *s, struct err *err) must_check;

#endif
