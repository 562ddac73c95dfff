/* Findings of `losslessctl doctor`, from all that it asks, as one list: the worst first. */
#ifndef LOSSLESSCTL_CLI_DOCTOR_DOCTOR_H
#define LOSSLESSCTL_CLI_DOCTOR_DOCTOR_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "../../agent/engine/ready/ready.h"
#include "../../agent/engine/job_environment.h"
#include "../../agent/engine/verify/verify.h"
#include "../../dcb/peer.h"
#include "../../policy/document/match.h"
#include "../cli.h"

#define DOCTOR_FINDINGS_MAX 256
#define DOCTOR_TEXT_MAX	    640
#define DOCTOR_PORTS_TEXT   2560 /* the names of 128 VFs and more */

/* Worst first. */
enum doctor_level {
	DOCTOR_CRITICAL,
	DOCTOR_UNKNOWN,
	DOCTOR_WARNING,
	DOCTOR_INFO,
	DOCTOR_LEVELS /* not reported */
};

struct doctor_finding {
	enum doctor_level level;
	const char *from;	       /* "verify", "peer", "ready", "env", "journal" */
	char subject[64];	       /* "pfc.priorities", "lossless-drops", "pci-link" */
	char ports[DOCTOR_PORTS_TEXT]; /* "ens1f0np0, ens1f1np1"; "": the host */
	size_t ports_count;
	struct identity port; /* the first one; its names stand in the text */
	char last_port[ID_MAX];
	char text[DOCTOR_TEXT_MAX], fix[DOCTOR_TEXT_MAX];
};

/* Zeros: an empty list. */
struct doctor_findings {
	struct doctor_finding list[DOCTOR_FINDINGS_MAX];
	size_t count, omitted;
	size_t totals[DOCTOR_LEVELS];
	bool apply_waits; /* an apply waits for its confirmation: no other one runs */
};

/* A remark on one port, or on the host if `port` is NULL. All texts are borrowed. */
struct doctor_remark {
	enum doctor_level level;
	const char *from, *subject;
	const struct identity *port;
	const char *text;
	const char *fix; /* NULL: none; PORT stands for the port */
};

/* Names one more port. */
void doctor_finding_add_port(struct doctor_finding *one, const char *port);

/* Adds a finding as it is. */
void doctor_findings_append(struct doctor_findings *all, const struct doctor_finding *one);

/*
 * Adds a finding. One with the same words about another port becomes one finding about both: the
 * text may differ in the names of the port.
 */
void doctor_findings_add(struct doctor_findings *all, const struct doctor_remark *r);

/*
 * Sorts by level, and keeps the order within one. An apply that waits or did not end comes first
 * whatever its level: other fixes work only after its own.
 */
void doctor_findings_sort(struct doctor_findings *all);

/* ---- drift ---- */

/* Zeros: no drift. */
struct doctor_drift {
	struct doctor_finding finding; /* its ports; the rest is set at the end */
	size_t settings;	       /* one for each setting of a port */
	bool more;		       /* not all are named */
	char named[DOCTOR_TEXT_MAX / 2];
	char cause[DOCTOR_TEXT_MAX / 4]; /* the likely cause of the first that has one; "": none */
};

/* Adds a setting of a port, such as "mtu 1500 (expected 9000)"; `cause` may be "". */
void doctor_drift_add(struct doctor_drift *d, const struct identity *port, const char *setting,
		      const char *cause);

/* Adds the finding, if there is drift. */
void doctor_drift_report(struct doctor_drift *d, const char *fix, struct doctor_findings *ret);

/* ---- findings of other verbs ---- */

/* Drift, unknown settings, symptoms, lints, refusals, unmet rules and environments. */
void collect_verify(const struct cli *c, const struct verify_run *r, struct doctor_findings *ret);

/* Disagreements with the switches; `peers` has one element per target. */
void collect_peers(const struct targets *all, const struct compared_peer *peers,
		   struct doctor_findings *ret);

/* Checks (READY() bits) that are not ready, or unknown though expected. */
void collect_ready(const struct ready_report *r, uint32_t checks, struct doctor_findings *ret);

/* Adds the failure of another verb; nothing without an error. */
void collect_missing(const char *from, const struct err *why, struct doctor_findings *ret);

/* An apply that did not end or waits for its confirmation, and recordings of the agent. */
void collect_journal(const struct cli *c, struct doctor_findings *ret);

/* ---- the page ---- */

/* All that the page shows. Borrows all. */
struct doctor {
	const struct verify_run *verify;
	const struct compared_peer *peers;	/* one per target */
	const struct ready_report *ready;	/* NULL: it is unknown */
	const struct doctor_findings *findings; /* sorted */
	unsigned seconds;			/* for which counters were sampled; 0: not */
	bool has_policy;
};

/* Prints 5 lines for a host that is well, and at most 60. */
void print_doctor(const struct cli *c, const struct doctor *d);

/* Returns the document losslessctl/doctor/1. The caller owns it. */
json_t *doctor_to_json(const struct cli *c, const struct doctor *d);

/* The exit code: as of verify. */
int doctor_exit_code(const struct doctor_findings *all);

#endif
