/*
 * Findings: the lints that a port's settings break, the actual ones for `verify`, `doctor` and the
 * agent, those after the plan for `plan` and `apply`. All ask here, so that a port has the same
 * findings wherever it is judged.
 */
#ifndef LOSSLESSCTL_POLICY_LINT_FINDING_H
#define LOSSLESSCTL_POLICY_LINT_FINDING_H

#include <stdint.h>

#include "lint.h"
#include "severities.h"

/* The input for findings. All pointers are borrowed. */
struct lint_input {
	const struct config *actual; /* or those after a plan */
	setting_set desired;	     /* only lints about these settings are checked */
	const struct capabilities *capabilities;
	const struct severities *severities; /* NULL: each lint's default severity */
};

/*
 * A set of lints: bit i is lint_at(i). Lints about a document come last, and are in no set: there
 * is no bit for all of them.
 */
typedef uint64_t lint_set;
#define LINT_BITS 64
#define LINT(i)	  ((i) < LINT_BITS ? 1ull << (i) : 0)

/*
 * The lints that the settings break, without those of severity ignore. A lint whose settings
 * cannot all be read keeps its state from `before`.
 */
lint_set findings_of(const struct lint_input *j, lint_set before);

/* The findings of one severity. */
lint_set findings_of_severity(lint_set findings, const struct severities *s,
			      enum severity severity);

/* The message of one finding. Returns `text`. */
const char *finding_message(const struct lint_input *j, size_t lint, char text[LINT_TEXT_MAX]);

#endif
