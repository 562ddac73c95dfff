/*
 * Findings: the lints that a port's actual settings break. `verify` and the agent judge by them
 * alike, so that the verdict, the log, status.json and the metrics agree.
 */
#ifndef LOSSLESSCTL_POLICY_LINT_FINDING_H
#define LOSSLESSCTL_POLICY_LINT_FINDING_H

#include "severities.h"

/* The input for findings. Borrows. */
struct lint_input {
	const struct config *actual;
	settingset desired; /* only lints about these settings are judged */
	const struct capabilities *capabilities;
	const struct severities *severities; /* NULL: the lints' own */
};

/* A set of lints: bit i is rule_at(i). */
typedef uint64_t lint_set;
#define LINT(i) (1ull << (i))

/*
 * The part of a port's settings that the lints judge. Receive buffers that the policy does not
 * mention are the firmware's, which sizes them again after a change of PFC.
 */
struct config judged_setup(const struct config *c, settingset desired);

/*
 * The lints that the actual settings break; those of severity ignore are not judged. A lint whose
 * settings cannot all be read now stays as it is in `before`.
 */
lint_set findings_of(const struct lint_input *j, lint_set before);

/* Those of a severity. */
lint_set findings_with(lint_set findings, const struct severities *s, enum severity severity);

/* The sentence about one of them. Returns `text`. */
const char *finding_text(const struct lint_input *j, size_t lint, char text[RULE_TEXT_MAX]);

#endif
