/*
 * Severities that a policy assigns to lints and symptoms: its key "severity". Identifiers that it
 * does not name keep their default severity.
 */
#ifndef LOSSLESSCTL_POLICY_LINT_SEVERITIES_H
#define LOSSLESSCTL_POLICY_LINT_SEVERITIES_H

#include <stdint.h>

#include "../util/keys.h"
#include "lint.h"

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

#endif
