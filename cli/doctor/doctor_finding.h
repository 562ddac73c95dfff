/* Findings of `losslessctl doctor`, from all that it asks, as one list: the worst first. */
#ifndef LOSSLESSCTL_CLI_DOCTOR_DOCTOR_FINDING_H
#define LOSSLESSCTL_CLI_DOCTOR_DOCTOR_FINDING_H

#include <stdbool.h>
#include <stddef.h>

#include "../../policy/document/match.h"

#define DOCTOR_FINDINGS_MAX 256
#define DOCTOR_TEXT_MAX	    640
#define DOCTOR_PORTS_TEXT   640

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

#endif
