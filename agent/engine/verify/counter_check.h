/* Counts for some seconds and reports symptoms: `verify --sample-for`. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_VERIFY_COUNTER_CHECK_H
#define LOSSLESSCTL_AGENT_ENGINE_VERIFY_COUNTER_CHECK_H

#include "../../monitor/rates.h"
#include "../target/target.h"

/* The result for one port. Plain data. */
struct counted {
	struct active_symptom active_symptoms[SYMPTOMS_MAX];
	size_t count;
	uint32_t raised; /* a bit per row of symptoms[]: the agent raises it after one window */
	struct active_symptom not_judged[SYMPTOMS_MAX]; /* they would show, but may not apply */
	size_t not_judged_count;
	struct rates rates; /* all NAN if the port could not be read */
	char unknown[sizeof(
		((struct err *)0)->text)]; /* why symptoms are unknown; "": they are known */
};

/* Judges two samples of one port, the first one first, by its configuration. */
void counter_check_judge(const struct thresholds *l, const struct target *t,
			 const struct sample *first, const struct sample *last,
			 struct counted *ret);

/* Counting that has begun. The caller frees it. */
struct counter_check;

/* Reads the counters of all ports for the first time, from where `seconds` count. */
bool counter_check_begin(const struct engine *e, unsigned seconds, const struct targets *all,
			 struct counter_check **ret, struct err *err) must_check;

/*
 * Waits for the rest of the time and reads the counters again. A port that cannot be counted is no
 * error. The caller frees *ret.
 */
bool counter_check_end(const struct engine *e, const struct thresholds *l,
		       const struct targets *all, struct counter_check *check, struct counted **ret,
		       struct err *err) must_check;

/* For how long it counted, at least the seconds that were asked for. */
unsigned counter_check_seconds(const struct counter_check *check);

/*
 * Counts for `seconds` on all ports at once; with 0 leaves *ret unchanged. A port that cannot be
 * counted is no error. The caller frees *ret.
 */
bool counter_check_run(const struct engine *e, unsigned seconds, const struct thresholds *l,
		       const struct targets *all, struct counted **ret, struct err *err) must_check;

#endif
