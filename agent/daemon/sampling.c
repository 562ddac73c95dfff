#include <string.h>

#include "../engine/journal/lock.h"
#include "../engine/write/run.h"
#include "agent.h"

static enum log_event event_of(enum severity a)
{
	return a == SEVERITY_CRITICAL  ? LOG_SYMPTOM_CRITICAL
	       : a == SEVERITY_WARNING ? LOG_SYMPTOM_WARNING
				       : LOG_SYMPTOM_INFO;
}

/* `active`: NULL for a symptom that is no longer active. */
static struct topic topic_of(const struct monitored_port *mp, const struct symptom *s,
			     enum severity severity, const struct active_symptom *active)
{
	return (struct topic){ .port = mp->port.id.name,
			       .symptom = s->name,
			       .severity = severity_name(severity),
			       .origin = active ? symptom_origin_name(active->origin) : NULL };
}

static void log_detected(struct agent *a, struct monitored_port *mp, const struct active_symptom *m)
{
	const struct symptom *s = m->symptom;

	log_event(&a->log, event_of(m->severity), topic_of(mp, s, m->severity, m),
		  "%s: %s; origin: %s", s->name, m->text, symptom_origin_text(m->origin));
	if (m->severity == SEVERITY_CRITICAL)
		agent_note_incident(a, mp, m);
}

/* Logs symptoms that are new, over, or of another severity since a reload. */
static void log_symptoms(struct agent *a, struct monitored_port *mp)
{
	uint8_t now[SYMPTOMS_MAX] = { SEVERITY_IGNORE };

	for (size_t i = 0; i < mp->sampler.active_symptoms_count; i++) {
		const struct active_symptom *m = &mp->sampler.active_symptoms[i];
		const struct symptom *s = m->symptom;

		if (m->severity == SEVERITY_IGNORE)
			continue;
		now[s - symptoms] = (uint8_t)m->severity;
		if (mp->shown[s - symptoms] != m->severity)
			log_detected(a, mp, m);
	}
	for (size_t i = 0; i < symptoms_count; i++)
		if (mp->shown[i] && !now[i])
			log_event(&a->log, LOG_SYMPTOM_CLEARED,
				  topic_of(mp, &symptoms[i], mp->shown[i], NULL),
				  "%s: no longer active", symptoms[i].name);
	a->status_dirty = a->status_dirty || memcmp(now, mp->shown, sizeof(now)) != 0;
	memcpy(mp->shown, now, sizeof(now));
}

/*
 * Ignores link flaps caused by an apply, a rollback or a repair. Reads the lock after the counters,
 * so that a run whose flaps they include has at least begun.
 */
static void except_our_runs(struct agent *a, struct monitored_port *mp, const struct sample *s)
{
	uint64_t ended = lock_stamped_ns(a->engine.h);

	if (sampler_link_changed(&mp->sampler, s) &&
	    (ended != mp->run_ended_ns || run_is_changing(a->engine.h, &mp->port)))
		sampler_mark_inconclusive(&mp->sampler);
	mp->run_ended_ns = ended;
}

/*
 * Logs once that counters cannot be read: without them a port looks healthy. One sample alone may
 * come while the driver starts anew.
 */
static void report_unread(struct agent *a, struct monitored_port *mp, const char *why)
{
	mp->unread = why[0] ? mp->unread + 1 : 0;
	if (mp->unread == 2)
		log_event(&a->log, LOG_AGENT_ERROR, monitored_port_topic(mp, NULL),
			  "the port's counters cannot be read, and its symptoms are unknown: %s",
			  why);
}

void agent_sample(struct agent *a, struct monitored_port *mp)
{
	struct sample s;
	struct err err = { 0 };
	bool read;

	if (mp->gone || !mp->checked)
		return;
	read = sample_read(a->engine.h, a->engine.backends->counter_readers, &mp->port, a->scratch,
			   &s, &err);
	report_unread(a, mp, s.unread);
	if (!read) {
		mp->sampled = false;
		sampler_mark_inconclusive(&mp->sampler);
		return;
	}
	mp->sampled = true;
	except_our_runs(a, mp, &s);
	if (!mp->sampler.begun)
		agent_interrupt_recorder(a, mp);
	if (sampler_add(&mp->sampler, &s, &mp->actual, &mp->desired, &a->policy->thresholds)) {
		active_symptoms_set_severity(mp->sampler.active_symptoms,
					     mp->sampler.active_symptoms_count,
					     &a->policy->severities);
		log_symptoms(a, mp);
	}
	agent_record_sample(a, mp, &s);
}
