/*
 * Hysteresis of symptoms, so that one near its threshold is not raised and cleared in turn. Certain
 * symptoms are raised at the first window.
 */
#ifndef LOSSLESSCTL_AGENT_MONITOR_SYMPTOM_STATE_H
#define LOSSLESSCTL_AGENT_MONITOR_SYMPTOM_STATE_H

#include "symptom.h"

/* The state of one port, indexed like symptoms[]. Plain data; initialise it with zeros. */
struct symptom_state {
	uint8_t windows[SYMPTOMS_MAX]; /* bit per window in which it showed, newest lowest */
	bool raised[SYMPTOMS_MAX];
};

/*
 * Checks another window. active_symptoms[] holds the `count` symptoms raised before, and the raised
 * ones on return. A symptom that stays raised without showing keeps its figures.
 */
size_t symptom_state_add(struct symptom_state *s, const struct symptom_input *e,
			 struct active_symptom active_symptoms[SYMPTOMS_MAX], size_t count);

#endif
