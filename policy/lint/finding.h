/*
 * Findings: the lints that a port's settings break, the actual ones for `verify`, `doctor` and the
 * agent, those after the plan for `plan` and `apply`. All ask here, so that a port has the same
 * findings wherever it is judged.
 */
#ifndef LOSSLESSCTL_POLICY_LINT_FINDING_H
#define LOSSLESSCTL_POLICY_LINT_FINDING_H

#include <stdint.h>

#include "../util/keys.h"
#include "lint.h"

/*
 * Severities that a policy assigns to lints and symptoms: its key "severity". Identifiers that it
 * does not name keep their default severity.
 */
#define SYMPTOM_NAMES_MAX 20

/*
 * The identifiers of all symptoms, terminated by NULL. The agent checks symptoms
 * (agent/monitor/symptom.c), but a policy may name them and is parsed without the agent.
 */
extern const char *const symptom_names[];

/* Each entry is an enum severity + 1; 0 means that the policy does not set it. Plain data. */
struct severities {
	uint8_t lints[LINTS_MAX], symptoms[SYMPTOM_NAMES_MAX];
};

/* The severity of lint_at(i); the lint's default if `s` is NULL or does not set it. */
enum severity severity_of_lint(const struct severities *s, size_t i);

/* The severity that the policy sets for a symptom. False if it sets none or `s` is NULL. */
bool severity_of_symptom(const struct severities *s, const char *name,
			 enum severity *ret) must_check;

/* The keys of "severity", which is read into a struct severities. */
extern const struct key_object severities_object;

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
