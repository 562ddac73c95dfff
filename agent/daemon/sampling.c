#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../policy/util/oom.h"
#include "../engine/journal/lock.h"
#include "../engine/ready/ready.h"
#include "../host/cleanup.h"
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

void agent_sample(struct agent *a, struct monitored_port *mp)
{
	struct sample s;
	struct err err = { 0 };

	if (mp->gone || !mp->checked)
		return;
	if (!sample_read(a->engine.h, a->engine.backends->counter_readers, &mp->port, a->scratch,
			 &s, &err)) {
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

/*
 * The checks of `losslessctl ready` for the metrics. They change rarely, so the agent makes them
 * once an hour, and soon after a link or the policy changed. It never asks the firmware.
 */

#define READY_EVERY_MS 3600000
#define READY_AFTER_MS 60000 /* between two readings, whatever happens */

static struct readiness readiness_of(const struct ready_row *rows, size_t count)
{
	struct readiness r = { 0, 0 };

	for (size_t i = 0; i < count; i++) {
		uint32_t bit = READY(rows[i].check - ready_checks);

		if (rows[i].is_judged && rows[i].status == READY_MET)
			r.met |= bit;
		if (rows[i].is_judged && rows[i].status == READY_NOT_MET)
			r.not_met |= bit;
	}
	return r;
}

/* Reads the ports that are here, and copies them into `ports` for the checks of the host. */
static void read_ports(struct agent *a, struct ready_scene *s, struct port *ports)
{
	struct ready_row rows[READY_COUNT];

	for (size_t i = 0; i < a->monitored_ports.count; i++) {
		struct monitored_port *mp = &a->monitored_ports.list[i];

		mp->readiness = (struct readiness){ 0, 0 };
		if (mp->gone)
			continue;
		ports[s->count++] = mp->port;
		s->sample = mp->sampled ? &mp->sampler.last : NULL;
		mp->readiness = readiness_of(rows, ready_check_one(&a->engine, &a->policy->ready, s,
								   &mp->port, rows));
	}
}

static void read_all(struct agent *a)
{
	_free_ struct port *ports = calloc(a->monitored_ports.count + 1, sizeof(*ports));
	struct ready_scene s = { .h = a->engine.h,
				 .ports = ports,
				 .unmet = &a->monitored_ports.unmet,
				 .is_agent = true };
	struct ready_row rows[READY_COUNT];

	if (!ports)
		return; /* the next time */
	run_facts_forget(&a->engine.h->facts);
	read_ports(a, &s, ports);
	s.sample = NULL;
	a->readiness =
		readiness_of(rows, ready_check_one(&a->engine, &a->policy->ready, &s, NULL, rows));
}

void agent_follow_readiness(struct agent *a)
{
	uint64_t now = a->engine.h->now_ms(a->engine.h), age = now - a->readiness_ms;

	if (a->readiness_ms && age < (a->readiness_due ? READY_AFTER_MS : READY_EVERY_MS))
		return;
	a->readiness_due = false;
	a->readiness_ms = now;
	read_all(a);
}

/* Records the samples of ports, and saves them at a critical symptom. */

static uint32_t raised_on(const struct monitored_port *mp)
{
	uint32_t raised = 0;

	for (size_t i = 0; i < symptoms_count; i++)
		if (mp->shown[i])
			raised |= 1u << i;
	return raised;
}

void agent_record_sample(struct agent *a, const struct monitored_port *mp, const struct sample *s)
{
	struct recorder *r = recorders_of_port(&a->recorders, &a->monitored_ports, mp);

	if (r)
		flight_add(&r->flight, s, raised_on(mp), r->is_new);
}

void agent_interrupt_recorder(struct agent *a, const struct monitored_port *mp)
{
	struct recorder *r = recorders_of_port(&a->recorders, &a->monitored_ports, mp);

	if (r)
		flight_interrupt(&r->flight);
}

static struct topic recording_topic(const struct recorder *r, const char *symptom)
{
	return (struct topic){ .port = r->port, .symptom = symptom };
}

/* Logs only the first incident without a recording: symptoms of a bad link come and go. */
static void withhold(struct agent *a, struct recorder *r, const char *symptom)
{
	if (r->withheld++ == 0)
		log_event(&a->log, LOG_RECORDING_WITHHELD, recording_topic(r, symptom),
			  "%s: the samples before it are not saved: a port has at most one "
			  "recording in %d minutes, and the host %d; run `losslessctl history` for "
			  "those that there are",
			  symptom, RECORDING_PAUSE_MS / 60000, RECORDINGS_MAX);
}

void agent_note_incident(struct agent *a, const struct monitored_port *mp,
			 const struct active_symptom *m)
{
	struct recorder *r = recorders_of_port(&a->recorders, &a->monitored_ports, mp);
	struct incident *incident = r ? &r->incident : NULL;
	unsigned number;

	/* The recording that has just begun, and is saved again, shows this symptom as well. */
	if (!r || r->is_new || r->again_ms)
		return;
	number = recorders_take_file(&a->recorders, r, a->engine.h->now_ms(a->engine.h));
	if (!number) {
		withhold(a, r, m->symptom->name);
		return;
	}
	*incident = (struct incident){ .withheld = r->withheld };
	memcpy(incident->port, r->port, sizeof(incident->port));
	memcpy(incident->pci, r->pci, sizeof(incident->pci));
	snprintf(incident->symptom, sizeof(incident->symptom), "%s", m->symptom->name);
	snprintf(incident->origin, sizeof(incident->origin), "%s", symptom_origin_name(m->origin));
	memcpy(incident->message, m->text, sizeof(incident->message));
	memcpy(a->recorders.files[number - 1].symptom, incident->symptom,
	       sizeof(incident->symptom));
	r->incident_ms = mp->sampler.last.at_ms;
	r->number = number;
	r->withheld = 0;
	r->reported = false;
	r->is_new = true;
	a->status_dirty = true;
}

/* Copies the rows, with times of the wall's clock instead of the host's. */
static void copy_flight(const struct recorder *r, int64_t to_wall_ms, struct flight_recording *ret)
{
	ret->number = r->number;
	ret->incident = r->incident;
	ret->incident.detected_s = ((int64_t)r->incident_ms + to_wall_ms) / 1000;
	ret->count = r->flight.count;
	for (size_t i = 0; i < ret->count; i++) {
		ret->samples[i] = *flight_row(&r->flight, i);
		ret->samples[i].at_ms += (uint64_t)to_wall_ms;
	}
}

static int64_t wall_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool save(struct agent *a, const struct recorder *r, struct err *err)
{
	const struct daemon_options *o = a->options;
	_free_ struct flight_recording *recording = calloc(1, sizeof(*recording));
	_free_ char *text = NULL;

	if (!recording)
		return err_no_memory(err);
	copy_flight(r, wall_ms() - (int64_t)a->engine.h->now_ms(a->engine.h), recording);
	text = recording_to_text(recording, o->recording_head(o->arg));
	return text ? recording_save(&a->writer.host, r->number, text, err) : err_no_memory(err);
}

static void save_and_report(struct agent *a, struct recorder *r)
{
	struct err err = { 0 };
	bool ok = save(a, r, &err);

	oom_reset();
	agent_report_error(a, OUTPUT_RECORDINGS, ok ? NULL : &err);
	if (!ok || r->reported)
		return;
	r->reported = true;
	r->saved++;
	log_event(&a->log, LOG_RECORDING_SAVED, recording_topic(r, r->incident.symptom),
		  "the minutes before %s are saved: run `losslessctl history --recording %u`",
		  r->incident.symptom, r->number);
}

void agent_save_recordings(struct agent *a)
{
	uint64_t now = a->engine.h->now_ms(a->engine.h);

	for (size_t i = 0; i < a->recorders.count; i++) {
		struct recorder *r = a->recorders.list[i];

		if (!r || !(r->is_new || (r->again_ms && now >= r->again_ms)))
			continue;
		r->again_ms = r->is_new ? now + RECORDING_AFTER_MS : 0;
		r->is_new = false;
		save_and_report(a, r);
	}
}
