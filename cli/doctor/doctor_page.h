/* The page of `losslessctl doctor`, as text and as JSON. */
#ifndef LOSSLESSCTL_CLI_DOCTOR_DOCTOR_PAGE_H
#define LOSSLESSCTL_CLI_DOCTOR_DOCTOR_PAGE_H

#include <jansson.h>

#include "../../agent/engine/ready/ready.h"
#include "../../agent/engine/verify/verify.h"
#include "../../dcb/peer.h"
#include "../cli.h"
#include "doctor_finding.h"

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
