/* Lints of a policy without a port: of its rules, profiles and severities, and of their settings.
 */
#ifndef LOSSLESSCTL_CLI_CHECK_CHECK_DOCUMENT_H
#define LOSSLESSCTL_CLI_CHECK_CHECK_DOCUMENT_H

#include <jansson.h>

#include "../../policy/document/policy.h"
#include "../cli.h"

/* The number of errors and findings in one file. */
struct tally {
	size_t errors;		   /* those of the document */
	size_t critical, warnings; /* findings */
};

/* Prints the findings of a policy, with the line of each; adds them to the list and the count. */
bool document_lints(struct cli *c, const struct policy *p, json_t *findings, struct tally *tally,
		    struct err *err) must_check;

/*
 * The desired settings of a rule, as rule_desired_of() has them. Cannot fail for a rule that was
 * loaded, because loading validates each entry. `entries`: of its "when", a bit each.
 */
struct config rule_expanded(const struct port_rule *r, uint32_t entries);

/* The settings derived from the rule's classes; empty without classes. */
struct config rule_derived(const struct port_rule *r);

#endif
