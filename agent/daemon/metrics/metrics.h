/*
 * The agent's metrics in the text format of Prometheus, for node_exporter's textfile collector. The
 * table of counters names its families.
 */
#ifndef LOSSLESSCTL_AGENT_DAEMON_METRICS_METRICS_H
#define LOSSLESSCTL_AGENT_DAEMON_METRICS_METRICS_H

#include "../../../policy/lint/finding.h"
#include "../../engine/ready/ready_reader.h"
#include "../../monitor/symptom.h"
#include "../drift.h"

/* A family, in the order of the page. */
struct metric_family {
	const char *name; /* without the prefix "losslessctl_" */
	const char *type; /* "gauge" or "counter" */
	const char *help;
};

extern const struct metric_family metric_families[];
extern const size_t metric_families_count;

/* Returns the family of this name, or NULL. */
const struct metric_family *metric_family_by_name(const char *name);

/* The metrics of one port. Borrows. */
struct metered {
	const char *port, *pci, *rdma;	    /* netdev; PCI address and RDMA device, or "" */
	bool compared;			    /* its settings were checked */
	unsigned in_sync, drifted, unknown; /* settings */
	bool carrier;
	uint32_t speed_mbps;		       /* 0: unknown */
	const struct drift *drift;	       /* drifted settings; NULL: none */
	uint64_t drifts, repairs;	       /* since the agent started */
	uint64_t rolled_back, rollback_failed; /* failed repairs since the agent started */
	uint64_t recordings;		       /* saved since the agent started */
	uint64_t recorded_at_s;	     /* Unix time of the newest recording's symptom; 0: none */
	const struct sample *sample; /* NULL: none yet */
	lint_set findings;	     /* findings of severity critical or warning */
	unsigned errors;	     /* number of errors among them */
	const struct active_symptom *active_symptoms;
	size_t active_symptoms_count;
	struct readiness readiness;
};

struct metered_host {
	const char *version, *policy, *sha256;
	uint64_t generation;		     /* the policy's generation; 0: none */
	uint64_t verified_at_s;		     /* Unix time of the last check; 0: none yet */
	const struct severities *severities; /* the policy's; NULL: none stated */
	bool reloaded;			     /* the last reload of the policy succeeded */
	size_t unmet;			     /* rules without their ports */
	struct readiness readiness;
	bool unfinished; /* a run that changed ports was interrupted */
};

/* Returns the maximum size of a page for `ports` ports, in bytes. */
size_t metrics_room(size_t ports);

/*
 * Writes the page into `buf`, NUL-terminated. False: it does not fit, and `buf` is unusable. Absent
 * values are omitted, never 0.
 */
bool metrics_write(char *buf, size_t size, const struct metered_host *host,
		   const struct metered *ports, size_t count) must_check;

#endif
