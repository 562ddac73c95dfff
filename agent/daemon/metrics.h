/*
 * What the agent measures, in the text format of Prometheus, for node_exporter's
 * textfile collector. The table of counters names the families.
 */
#ifndef LOSSLESSCTL_AGENT_DAEMON_METRICS_H
#define LOSSLESSCTL_AGENT_DAEMON_METRICS_H

#include "../../policy/lint/finding.h"
#include "../monitor/symptom.h"
#include "drift.h"

/* One port, as it is reported. Borrows. */
struct metered {
	const char *port, *device; /* netdev; RDMA device or "" */
	bool judged;		   /* its settings were looked at, and there is something to say */
	unsigned as_wished, drifted, unclear; /* settings */
	bool carrier;
	uint32_t speed_mbps;		/* 0: unknown */
	const struct drift *drift;	/* which of them drifted; NULL: none */
	uint64_t drifts, repairs;	/* since the agent began */
	uint64_t rolled_back, stranded; /* repairs that failed, likewise */
	const struct sample *sample;	/* NULL: none yet */
	lint_set findings;		/* broken lints of severity error or warning */
	unsigned errors;		/* how many of them are errors */
	const struct active_symptom *active_symptoms;
	size_t active_symptoms_count;
};

struct metered_host {
	const char *version, *policy, *sha256;
	uint64_t generation;		     /* of the policy; 0: it has none */
	uint64_t verified_at_s;		     /* Unix time of the last look; 0: none yet */
	const struct severities *severities; /* the policy's; NULL: none stated */
	bool reloaded;			     /* the last reload of the policy succeeded */
	size_t unmet;			     /* rules that want ports which are not there */
	bool unfinished;		     /* a run that changed ports did not end */
};

/* What a page for so many ports may need, in bytes. */
size_t metrics_room(size_t ports);

/*
 * Writes the page into `buf`, NUL-terminated. False: it does not fit, and
 * nothing useful is there. What is absent is left out, and never 0.
 */
bool metrics_write(char *buf, size_t size, const struct metered_host *host,
		   const struct metered *ports, size_t count) must_check;

#endif
