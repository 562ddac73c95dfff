/* The end of a probe that waits: `losslessctl probe serve`. */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_SERVER_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_SERVER_H

#include "peer_line.h"
#include "probe_host.h"

struct probe_server {
	const struct probe_host *host;
	struct peer_line *line;
	int helper;	   /* perftest_helper.h */
	const char *token; /* that the client must know; NULL: none */
	bool allow_disruption;
};

/*
 * Serves one client to its end, which is no error. Kills perftest if the client ends or is silent.
 * Other errors end the client as well: it is told why.
 */
bool probe_serve(const struct probe_server *s, struct err *err) must_check;

#endif
