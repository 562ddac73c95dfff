#include <string.h>

#include "../engine/journal/lock.h"
#include "agent.h"

static enum log_event event_of(enum symptom_severity a)
{
	return a == SYMPTOM_CRITICAL  ? LOG_ALARM
	       : a == SYMPTOM_WARNING ? LOG_SYMPTOM
				      : LOG_SYMPTOM_INFO;
}

/* Logs symptoms that are new, over, or of another severity since a reload. */
static void tell_symptoms(struct agent *a, struct monitored_port *w)
{
	uint8_t now[SYMPTOMS_MAX] = { SYMPTOM_IGNORE };

	for (size_t i = 0; i < w->sampler.active_symptoms_count; i++) {
		const struct active_symptom *m = &w->sampler.active_symptoms[i];
		const struct symptom *s = m->symptom;

		if (m->severity == SYMPTOM_IGNORE)
			continue;
		now[s - symptoms] = (uint8_t)m->severity;
		if (w->shown[s - symptoms] != m->severity)
			log_say(&a->log, event_of(m->severity), monitored_port_topic(w, s->name),
				"%s: %s; look at %s", s->name, m->text,
				symptom_origin_name(m->origin));
	}
	for (size_t i = 0; i < symptoms_count; i++)
		if (w->shown[i] && !now[i])
			log_say(&a->log, LOG_SYMPTOM_GONE,
				monitored_port_topic(w, symptoms[i].name), "%s: no longer",
				symptoms[i].name);
	a->status_dirty = a->status_dirty || memcmp(now, w->shown, sizeof(now)) != 0;
	memcpy(w->shown, now, sizeof(now));
}

/*
 * Ignores link flaps caused by an apply, a rollback or a repair. Reads the lock after the counters,
 * so that a run whose flaps they include has at least begun.
 */
static void except_our_runs(struct agent *a, struct monitored_port *w, const struct sample *s)
{
	uint64_t ended = lock_stamped_ns(a->engine.h);

	if (sampler_link_changed(&w->sampler, s) &&
	    (ended != w->run_ended_ns || run_is_changing(a->engine.h, &w->port)))
		sampler_mark_inconclusive(&w->sampler);
	w->run_ended_ns = ended;
}

void agent_sample(struct agent *a, struct monitored_port *w)
{
	struct sample s;
	struct err err = { 0 };

	if (w->gone || !w->looked)
		return;
	if (!sample_read(a->engine.h, a->engine.backends->counter_readers, &w->port, a->scratch, &s,
			 &err)) {
		w->sampled = false;
		sampler_mark_inconclusive(&w->sampler);
		return;
	}
	w->sampled = true;
	except_our_runs(a, w, &s);
	if (!sampler_add(&w->sampler, &s, &w->actual, &w->desired, &a->policy->thresholds))
		return;
	active_symptoms_set_severity(w->sampler.active_symptoms, w->sampler.active_symptoms_count,
				     &a->policy->severities);
	tell_symptoms(a, w);
}
