/* Logs and records the drift that a check of a port found. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "agent.h"

/* Adds a record to the history, with its likely writer. */
static void record(struct agent *a, const struct check *c, struct drift_record *r)
{
	cause_writer(&a->engine, &c->window, &a->owner, r->setting, r->writer);
	agent_record(a, c->mp, r);
	c->mp->drifts += r->event != HISTORY_RESOLVED;
}

static struct topic topic_of(const struct check *c, const struct drift_record *r)
{
	struct topic about = monitored_port_topic(c->mp, settings[r->setting].path);

	about.drift = r;
	return about;
}

/*
 * Records a drift. Before the first check the desired value counts as the value before in the log,
 * and the record has none.
 */
static struct drift_record record_drifted(struct agent *a, const struct check *c, unsigned k)
{
	struct drift_record r = {
		.setting = k, .event = HISTORY_DETECTED, .from = *c->was, .to = c->mp->actual
	};

	record(a, c, &r);
	if (!(c->was->has & SETTING(k)))
		r.from = c->mp->desired;
	return r;
}

static struct drift_record record_resolved(struct agent *a, const struct check *c, unsigned k)
{
	struct drift_record r = {
		.setting = k, .event = HISTORY_RESOLVED, .from = *c->was, .to = c->mp->actual
	};

	record(a, c, &r);
	return r;
}

static void log_drifted(struct agent *a, const struct check *c, unsigned k)
{
	struct drift_record r = record_drifted(a, c, k);
	char from[SETTING_TEXT_MAX], to[SETTING_TEXT_MAX];

	setting_change_text(&settings[k], &r.from, &r.to, from, to);
	log_event(&a->log, LOG_DRIFT_DETECTED, topic_of(c, &r),
		  "%s is %s, %s %s (likely writer: %s)", settings[k].path, to,
		  c->mp->checked ? "was" : "expected", from, r.writer);
}

static void log_resolved(struct agent *a, const struct check *c, unsigned k)
{
	struct drift_record r = record_resolved(a, c, k);

	log_event(&a->log, LOG_DRIFT_RESOLVED, topic_of(c, &r), "%s is in sync again",
		  settings[k].path);
}

static void log_contested(struct agent *a, const struct check *c, unsigned k)
{
	struct drift_record r = {
		.setting = k, .event = HISTORY_CONTESTED, .from = *c->was, .to = c->mp->actual
	};
	const char *why = c->mp->last_error;

	record(a, c, &r);
	if (drift_was_reverted(&c->mp->drift, k))
		log_event(&a->log, LOG_DRIFT_CONTESTED, topic_of(c, &r),
			  "%s is contested: another writer reverted %d repairs (likely writer: "
			  "%s); the next repair is delayed",
			  settings[k].path, DRIFT_UNDONE_MAX, r.writer);
	else if (a->policy->mode == MODE_ENFORCE)
		log_event(&a->log, LOG_DRIFT_CONTESTED, topic_of(c, &r),
			  "%s keeps changing (likely writer: %s); the next repair is delayed%s%s",
			  settings[k].path, r.writer, why[0] ? "; last failure: " : "", why);
	else
		log_event(&a->log, LOG_DRIFT_CONTESTED, topic_of(c, &r),
			  "%s keeps changing (likely writer: %s); the agent reports it again after "
			  "an hour in sync",
			  settings[k].path, r.writer);
}

/* Logs several settings in one line. The history has each of them. */
static void log_several(struct agent *a, const struct check *c, enum log_event e, setting_set which,
			const char *writer)
{
	bool resolved = e == LOG_DRIFT_RESOLVED;
	struct topic about = monitored_port_topic(c->mp, NULL);
	char names[SETTING_NAMES_MAX];
	int count = __builtin_popcountll(which);

	about.settings = which;
	about.likely_writer = writer;
	setting_names(which, names);
	log_event(&a->log, e, about, "%d setting%s %s: %s%s%s%s%s", count, count == 1 ? "" : "s",
		  resolved     ? count == 1 ? "is in sync again" : "are in sync again"
		  : count == 1 ? "differs from the policy"
			       : "differ from the policy",
		  names, writer ? " (likely writer: " : "", writer ? writer : "", writer ? ")" : "",
		  resolved ? "" : "; run `losslessctl verify` for their values");
}

/* The writer of several changes: NULL if they have different ones or none is known. */
struct shared_writer {
	char name[WRITER_MAX];
	bool differs;
};

static void note_writer(struct shared_writer *w, const char *name)
{
	w->differs = w->differs || (w->name[0] && strcmp(w->name, name) != 0);
	snprintf(w->name, sizeof(w->name), "%s", name);
}

static const char *shared_writer(const struct shared_writer *w)
{
	bool known = w->name[0] && strcmp(w->name, "unknown") != 0;

	return known && !w->differs ? w->name : NULL;
}

static void log_drifted_together(struct agent *a, const struct check *c, setting_set which)
{
	struct shared_writer writer = { "", false };
	struct drift_record r;

	for (unsigned k = 0; k < SETTING_COUNT; k++)
		if (which & ~c->absent & SETTING(k)) {
			r = record_drifted(a, c, k);
			note_writer(&writer, r.writer);
		}
	log_several(a, c, LOG_DRIFT_DETECTED, which, shared_writer(&writer));
}

/* Logs a restart of the driver and all that differs since in one line; records each change. */
static void log_reinitialized(struct agent *a, const struct check *c)
{
	setting_set differ = c->mp->differ;
	int count = __builtin_popcountll(differ);
	struct topic about = monitored_port_topic(c->mp, NULL);
	char names[SETTING_NAMES_MAX];

	for (unsigned k = 0; k < SETTING_COUNT; k++)
		if (c->changes.drifted & SETTING(k))
			(void)record_drifted(a, c, k);
	about.settings = differ;
	setting_names(differ, names);
	if (count)
		log_event(&a->log, LOG_DRIVER_REINITIALIZED, about,
			  "the driver re-initialised the port: %d setting%s from the policy: %s; "
			  "run `losslessctl verify` for their values",
			  count, count == 1 ? " differs" : "s differ", names);
	else
		log_event(&a->log, LOG_DRIVER_REINITIALIZED, about,
			  "the driver re-initialised the port: no setting differs from the policy");
}

/*
 * Ends the wait for a restarted driver. Another RDMA device that reset nothing is not reported: it
 * may follow long after the netdev.
 */
static void report_restart(struct agent *a, const struct check *c)
{
	if (c->mp->new_netdev || c->changes.drifted)
		log_reinitialized(a, c);
	c->mp->restart = RESTART_NONE;
	c->mp->reset_settings = c->mp->differ;
	c->mp->new_netdev = false;
}

static void log_resolved_together(struct agent *a, const struct check *c, setting_set which)
{
	struct shared_writer writer = { "", false };
	struct drift_record r;

	for (unsigned k = 0; k < SETTING_COUNT; k++)
		if (which & SETTING(k)) {
			r = record_resolved(a, c, k);
			note_writer(&writer, r.writer);
		}
	log_several(a, c, LOG_DRIFT_RESOLVED, which, shared_writer(&writer));
}

/*
 * Returns the changes to log in one line: the first check of a port, of which apply may still have
 * to create a part, or the effect of one run of losslessctl. A single change has a line with
 * values.
 */
static setting_set together(const struct check *c, setting_set changed)
{
	setting_set set = c->mp->checked ? changed & c->own : changed | c->absent;

	return __builtin_popcountll(set) > 1 || set & c->absent ? set : 0;
}

void agent_report_changes(struct agent *a, const struct check *c)
{
	bool restarted = c->mp->restart == RESTART_SETTLING;
	setting_set drifted = restarted ? c->changes.drifted : together(c, c->changes.drifted);
	setting_set resolved = c->mp->checked ? together(c, c->changes.ended) : 0;

	if (restarted)
		report_restart(a, c);
	else if (drifted)
		log_drifted_together(a, c, drifted);
	if (resolved)
		log_resolved_together(a, c, resolved);
	for (unsigned k = 0; k < SETTING_COUNT; k++) {
		if (c->changes.drifted & ~drifted & SETTING(k))
			log_drifted(a, c, k);
		if (c->changes.ended & ~resolved & SETTING(k))
			log_resolved(a, c, k);
		if (c->changes.contested & SETTING(k))
			log_contested(a, c, k);
	}
	if (c->changes.drifted || c->changes.ended || c->changes.contested || !c->mp->checked)
		a->status_dirty = true;
}

/* Queues records of drift, and writes them to the history. */

/* Returns when a drift was first seen: all records of one drift have the same time. */
static int64_t first_seen(struct monitored_port *mp, const struct drift_record *r)
{
	uint64_t since_ms = mp->drift.since_ms[r->setting];

	if (!mp->first_seen_s[r->setting] || mp->first_seen_ms[r->setting] != since_ms)
		mp->first_seen_s[r->setting] = r->when_s - (int64_t)r->lasted_s;
	mp->first_seen_ms[r->setting] = since_ms;
	return mp->first_seen_s[r->setting];
}

void agent_record(struct agent *a, struct monitored_port *mp, struct drift_record *r)
{
	bool continues = r->event == HISTORY_DETECTED && (mp->recalled & SETTING(r->setting));
	uint64_t *since_ms = &mp->drift.since_ms[r->setting];

	if (continues)
		*since_ms = mp->first_seen_ms[r->setting];
	r->when_s = (int64_t)time(NULL);
	r->lasted_s = (a->engine.h->now_ms(a->engine.h) - *since_ms) / 1000;
	r->first_seen_s = first_seen(mp, r);
	snprintf(r->port, sizeof(r->port), "%.15s", mp->port.id.name);
	snprintf(r->pci, sizeof(r->pci), "%s", mp->port.id.pci);
	if (!continues)
		json_array_append_new(a->pending_records, history_narrow(r));
}

void agent_write_records(struct agent *a)
{
	struct err err = { 0 };

	if (json_array_size(a->pending_records) == 0)
		return;
	agent_report_error(a, OUTPUT_HISTORY,
			   history_add(&a->writer.host, a->pending_records, &err) ? NULL : &err);
	json_array_clear(a->pending_records);
}
