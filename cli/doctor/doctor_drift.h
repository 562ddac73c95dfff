/* Drift that one `apply` repairs: one finding, whatever settings and ports it is about. */
#ifndef LOSSLESSCTL_CLI_DOCTOR_DOCTOR_DRIFT_H
#define LOSSLESSCTL_CLI_DOCTOR_DOCTOR_DRIFT_H

#include "doctor_finding.h"

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

#endif
