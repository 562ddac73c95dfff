/*
 * The severity that a policy gives to lints and symptoms: its key "severity". An identifier that
 * it does not name keeps its own severity.
 */
#ifndef LOSSLESSCTL_POLICY_LINT_SEVERITIES_H
#define LOSSLESSCTL_POLICY_LINT_SEVERITIES_H

#include <jansson.h>
#include <stdint.h>

#include "../util/json_location.h"
#include "lint.h"

#define SYMPTOM_NAMES_MAX 20

/*
 * The identifiers of all symptoms, then NULL. The engine judges them (agent/monitor/symptom.c); a
 * policy may name them, and is parsed without the engine.
 */
extern const char *const symptom_names[];

/* A level is stored plus one; all zero is a policy that states nothing. Copy it with =. */
struct severities {
	uint8_t lints[LINTS_MAX], symptoms[SYMPTOM_NAMES_MAX];
};

/* The severity of lint number `i` (rule_at()). `s` may be NULL: the lint's own. */
enum severity severity_of_lint(const struct severities *s, size_t i);

/*
 * The severity that the policy states for a symptom: 0 ignore, 1 info, 2 warning, 3 critical, the
 * values of enum alarm. False: nothing. `s` may be NULL.
 */
bool severity_of_symptom(const struct severities *s, const char *name, unsigned *ret) must_check;

/* Reads "severity" into *s; NULL states nothing. Errors are ERR_POLICY with the place. */
bool severities_take(struct severities *s, json_t *object, const struct at *at,
		     struct err *err) must_check;

/* The JSON Schema of "severity". The caller owns it. */
json_t *severities_schema(void);

#endif
