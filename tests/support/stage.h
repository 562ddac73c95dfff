/* A port that is sampled, with time and counters that the test sets. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_STAGE_H
#define LOSSLESSCTL_TESTS_SUPPORT_STAGE_H

#include "agent/monitor/sampler.h"

/* A port, its counters so far, and the numbers of windows and symptoms. */
struct stage {
	struct sample now;
	struct sampled_port sampler;
	struct config actual;
	struct thresholds thresholds;
	size_t windows, active_symptoms;
};

/* A port that counts everything, with PFC on 3. */
struct stage stage(void);

/* Adds to a counter of priority 3. */
void stage_count(struct stage *g, enum counter_id id, uint64_t n);

/* Takes a sample; true when a window was judged. */
bool stage_look(struct stage *g);

/* Takes a sample after some time. */
bool stage_after(struct stage *g, uint64_t ms);

/* The name of the first active symptom, or "none". */
const char *active_symptom(const struct stage *g);

#endif
