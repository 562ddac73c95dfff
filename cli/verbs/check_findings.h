/* The findings of `check`: lints of a policy without a port. */
#ifndef LOSSLESSCTL_CLI_VERBS_CHECK_FINDINGS_H
#define LOSSLESSCTL_CLI_VERBS_CHECK_FINDINGS_H

#include "../../policy/document/policy.h"
#include "../cli.h"

/* The number of errors and findings in one file. */
struct tally {
	size_t errors;		   /* those of the document */
	size_t critical, warnings; /* findings */
};

/*
 * Prints the findings of a policy, with the line of each, appends them to the list *findings and
 * counts them.
 */
bool check_findings(struct cli *c, const struct policy *p, json_t *findings, struct tally *tally,
		    struct err *err) must_check;

#endif
