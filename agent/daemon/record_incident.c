/* Records the samples of ports, and saves them at a critical symptom. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../policy/util/oom.h"
#include "../host/cleanup.h"
#include "agent.h"

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
	a->recorders.files[r->number - 1].saved = true;
	a->status_dirty = true;
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
