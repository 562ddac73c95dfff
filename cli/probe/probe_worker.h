/*
 * Carries out at this host the commands of a probe: counts a port, and runs one end of perftest.
 * Both the server and the end that asks have one.
 */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_WORKER_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_WORKER_H

#include "../sandbox/perftest_helper.h"
#include "peer_line.h"
#include "probe_host.h"

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

#endif
