/*
 * Symptoms over time: hysteresis, so that a symptom near its limit is not raised and cleared in
 * turn. What is certain is raised at the first window.
 */
#ifndef LOSSLESSCTL_AGENT_MONITOR_SYMPTOM_STATE_H
#define LOSSLESSCTL_AGENT_MONITOR_SYMPTOM_STATE_H

#include "symptom.h"

/* The state of one port, by the row of symptoms[]. Plain data; all zero is the beginning. */
struct symptom_state {
	uint8_t windows[SYMPTOMS_MAX]; /* did it show? a bit each, the newest lowest */
	bool raised[SYMPTOMS_MAX];
};

/*
 * Judges another window: active_symptoms[] holds the `count` symptoms that were raised before, and
 * those that are raised now afterwards. One that stays raised without showing keeps its figures.
 */
size_t symptom_state_add(struct symptom_state *s, const struct symptom_input *e,
			 struct active_symptom active_symptoms[SYMPTOMS_MAX], size_t count);

#endif
