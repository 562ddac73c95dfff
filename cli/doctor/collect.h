/* Collects the findings of `doctor` from the reports of other verbs. */
#ifndef LOSSLESSCTL_CLI_DOCTOR_COLLECT_H
#define LOSSLESSCTL_CLI_DOCTOR_COLLECT_H

#include "../../agent/engine/ready/ready.h"
#include "../../agent/engine/job.h"
#include "../../agent/engine/verify/verify.h"
#include "../../dcb/peer.h"
#include "../cli.h"
#include "doctor_finding.h"

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

#endif
