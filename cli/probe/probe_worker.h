/* The ports of this host that a probe may use, and what they count. */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_WORKER_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_WORKER_H

#include "../../agent/engine/probe/probe_port.h"
#include "../../agent/engine/probe/probe_verdict.h"
#include "../cli.h"
#include "../sandbox/perftest_helper.h"
#include "peer_line.h"

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

#endif
