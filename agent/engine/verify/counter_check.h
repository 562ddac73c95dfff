/* Counts for some seconds and reports symptoms: `verify --sample-for`. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_VERIFY_COUNTER_CHECK_H
#define LOSSLESSCTL_AGENT_ENGINE_VERIFY_COUNTER_CHECK_H

#include "../../monitor/rates.h"
#include "../target/target.h"

/* The result for one port. Plain data. */
struct counted {
	struct active_symptom active_symptoms[SYMPTOMS_MAX];
	size_t count;
	struct active_symptom not_judged[SYMPTOMS_MAX]; /* they would show, but may not apply */
	size_t not_judged_count;
	struct rates rates; /* all NAN if the port could not be read */
	char unknown[sizeof(
		((struct err *)0)->text)]; /* why symptoms are unknown; "": they are known */
};

/*
 * Counts for `seconds` on all ports at once; with 0 leaves *ret unchanged. A port that cannot be
 * counted is no error. The caller frees *ret.
 */
bool counter_check_run(const struct engine *e, unsigned seconds, const struct thresholds *l,
		       const struct targets *all, struct counted **ret, struct err *err) must_check;

#endif
