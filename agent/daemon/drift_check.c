#include <stdio.h>
#include <time.h>

#include "../engine/journal/lost_settings.h"
#include "../engine/verify/judge.h"
#include "agent.h"
#include "drift_history.h"

static struct change_window window_of(const struct agent *a, const struct monitored_port *w)
{
	uint64_t now = a->engine.h->now_ms(a->engine.h);

	return (struct change_window){ &w->port, w->clues, w->looked ? w->looked_ms : now, now };
}

static const char *likely_writer(struct agent *a, const struct monitored_port *w, unsigned setting,
				 char buf[WRITER_MAX])
{
	struct change_window window = window_of(a, w);

	return cause_writer(&a->engine, &window, &a->owner, setting, buf);
}

void agent_note(struct agent *a, const struct monitored_port *w, struct drift_record *r)
{
	uint64_t began = w->drift.since_ms[r->setting];

	r->when_s = (int64_t)time(NULL);
	if (r->event != HISTORY_DRIFTED)
		r->lasted_s = (a->engine.h->now_ms(a->engine.h) - began) / 1000;
	r->first_seen_s = r->when_s - (int64_t)r->lasted_s;
	snprintf(r->port, sizeof(r->port), "%.15s", w->port.id.name);
	snprintf(r->pci, sizeof(r->pci), "%s", w->port.id.pci);
	json_array_append_new(a->notes, history_narrow(r));
}

void agent_write_notes(struct agent *a)
{
	struct err err = { 0 };

	if (json_array_size(a->notes) == 0)
		return;
	agent_report_error(a, OUTPUT_HISTORY,
			   history_add(&a->writer.host, a->notes, &err) ? NULL : &err);
	json_array_clear(a->notes);
}

static void tell_drifted(struct agent *a, struct monitored_port *w, const struct config *was,
			 unsigned k)
{
	struct drift_record r = { .setting = k, .event = HISTORY_DRIFTED, .to = w->actual };
	struct config before = was->has & SETTING(k) ? *was : w->desired, now = w->actual;
	char from[SETTING_TEXT_MAX], to[SETTING_TEXT_MAX];

	r.from = before;
	likely_writer(a, w, k, r.writer);
	agent_note(a, w, &r);
	setting_drop_equal(&settings[k], &before, &now);
	log_say(&a->log, LOG_DRIFTED, monitored_port_topic(w, settings[k].path),
		"%s is %s, and %s %s (likely by: %s)", settings[k].path,
		setting_text(&settings[k], &now, to), w->looked ? "was" : "should be",
		setting_text(&settings[k], &before, from), r.writer);
	w->drifts++;
}

static void tell_ended(struct agent *a, struct monitored_port *w, const struct config *was,
		       unsigned k)
{
	struct drift_record r = {
		.setting = k, .event = HISTORY_ENDED, .from = *was, .to = w->actual
	};

	likely_writer(a, w, k, r.writer);
	agent_note(a, w, &r);
	log_say(&a->log, LOG_ENDED, monitored_port_topic(w, settings[k].path),
		"%s is as wished again", settings[k].path);
}

static void tell_contested(struct agent *a, struct monitored_port *w, const struct config *was,
			   unsigned k)
{
	struct drift_record r = {
		.setting = k, .event = HISTORY_CONTESTED, .from = *was, .to = w->actual
	};

	likely_writer(a, w, k, r.writer);
	agent_note(a, w, &r);
	if (a->policy->mode == MODE_ENFORCE)
		log_say(&a->log, LOG_CONTESTED, monitored_port_topic(w, settings[k].path),
			"%s is contested: it was put right %d times, and undone each time (likely "
			"by: %s); it is left alone for a while",
			settings[k].path, DRIFT_UNDONE_MAX, r.writer);
	else
		log_say(&a->log, LOG_CONTESTED, monitored_port_topic(w, settings[k].path),
			"%s keeps changing (likely by: %s); it is told again once it has been as "
			"wished for an hour",
			settings[k].path, r.writer);
	w->drifts++;
}

static void tell(struct agent *a, struct monitored_port *w, const struct config *was,
		 const struct drift_changes *changes)
{
	for (unsigned k = 0; k < SETTING_COUNT; k++) {
		if (changes->drifted & SETTING(k))
			tell_drifted(a, w, was, k);
		if (changes->ended & SETTING(k))
			tell_ended(a, w, was, k);
		if (changes->contested & SETTING(k))
			tell_contested(a, w, was, k);
	}
	a->status_dirty = a->status_dirty || changes->drifted || changes->ended ||
			  changes->contested || !w->looked;
}

/* Marks the port as unreadable: its last values no longer hold. Logged once. */
static void cannot_see(struct agent *a, struct monitored_port *w, const char *why)
{
	if (!w->check_failed)
		log_say(&a->log, LOG_TROUBLE, monitored_port_topic(w, NULL),
			"it cannot be looked at: %s", why);
	a->status_dirty = a->status_dirty || !w->check_failed;
	w->check_failed = true;
	w->unclear = w->desired.has;
	w->judged = w->differ = 0;
}

/*
 * Returns the desired settings that cannot be read now. One that this driver instance reported
 * before is not unsupported: the kernel omits values that a driver fails to read, without an errno
 * (net/dcb/dcbnl.c, dcbnl_ieee_fill()).
 */
static setting_set unreadable(struct monitored_port *w, const struct target *t,
			      const struct judgement *j)
{
	setting_set before = w->clues & CLUE_DRIVER ? 0 : w->readable;

	w->readable = before | t->seen.actual.has;
	return j->unsupported | j->unknown | (j->skipped & before & ~t->seen.actual.has);
}

/*
 * Excludes settings of the host, on which features only advise: they are neither in sync nor
 * drifted here.
 */
static void judge(struct agent *a, struct monitored_port *w)
{
	struct judgement j = judge_settings(a->engine.backends->features, a->target);

	w->judged = (j.in_sync | j.differing) & ~j.advised;
	w->differ = j.differing & ~j.advised;
	w->unclear = unreadable(w, a->target, &j);
}

static void report_reading(struct agent *a, struct monitored_port *w)
{
	setting_set failed = w->unclear & ~w->unreadable;
	setting_set restored = w->unreadable & ~w->unclear & w->actual.has;

	for (unsigned k = 0; k < SETTING_COUNT; k++) {
		const struct reason *r = observation_reason(&a->target->seen, k);

		if (failed & SETTING(k))
			log_say(&a->log, LOG_READING_FAILED,
				monitored_port_topic(w, settings[k].path), "%s cannot be read: %s",
				settings[k].path, r ? r->text : "the driver does not report it");
		if (restored & SETTING(k))
			log_say(&a->log, LOG_READING_RESTORED,
				monitored_port_topic(w, settings[k].path), "%s can be read again",
				settings[k].path);
	}
	a->status_dirty = a->status_dirty || failed || restored;
	w->unreadable = w->unclear;
}

bool agent_observe(struct agent *a, struct monitored_port *w)
{
	const struct engine writing = { .h = &a->writer.host, .backends = a->engine.backends };
	struct target *t = a->target;
	struct link link;
	struct err err = { 0 };

	if (w->gone)
		return false;
	if (a->engine.h->link(a->engine.h, w->port.ifindex, &link, &err)) {
		w->came_up = link.carrier && (w->came_up || !w->port.carrier);
		w->flaps = link.carrier_changes;
		w->port.carrier = link.carrier;
		w->port.up = link.up;
		w->clues |= w->port.mtu != link.mtu ? CLUE_MTU : 0;
		w->port.mtu = link.mtu;
		t->task.port = w->port; /* no plan yet: it is large, and only a repair needs it */
		t->task.desired = w->desired;
		t->rule = w->rule;
		t->capabilities = (struct capabilities){ .switch_map = a->policy->switch_map };
		t->severities = &a->policy->severities;
		t->skipped = 0;
		t->refusals_count = 0;
		if (a->policy->mode == MODE_ENFORCE)
			target_prepare(&writing, t);
		if (target_observe(&a->engine, t, &err)) {
			lost_settings_reveal(a->engine.h, &t->task.port, &t->seen);
			return true;
		}
	}
	if (err.kind != ERR_GONE) /* reported once confirmed: the port may only have a new name */
		cannot_see(a, w, err.text);
	w->gone = err.kind == ERR_GONE;
	a->monitored_ports_stale = a->monitored_ports_stale || w->gone;
	return false;
}

/*
 * Returns the clues of events that arrived during the read: they explain this reading or the next
 * one.
 */
static unsigned late_clues(struct agent *a, struct monitored_port *w)
{
	unsigned known = w->clues, late;

	w->clues = 0;
	agent_note_waiting_events(a);
	late = w->clues;
	w->clues |= known;
	return late;
}

void agent_look(struct agent *a, struct monitored_port *w)
{
	struct config was = w->actual;
	unsigned late;
	uint64_t now = a->engine.h->now_ms(a->engine.h);
	struct drift_changes changes;
	struct change_window window;

	w->due = false;
	a->owner.known = false;
	if (!agent_observe(a, w))
		return;
	late = late_clues(a, w);
	a->looked_at_s = (uint64_t)time(NULL);
	if (w->check_failed)
		log_say(&a->log, LOG_READING_RESTORED, monitored_port_topic(w, NULL),
			"the port can be read again");
	w->check_failed = false;
	w->actual = a->target->seen.actual;
	w->capabilities = a->target->capabilities;
	judge(a, w);
	if (w->clues & CLUE_DRIVER)
		drift_reset(&w->drift, cause_driver_resets(), now);
	else if (w->drift.settled_ms)
		w->clues |= CLUE_DRIVER; /* still settling: late resets have the same cause */
	window = window_of(a, w);
	drift_excuse(&w->drift, cause_own_run(&a->engine, &window));
	changes = drift_look(&w->drift, w->differ, w->judged, now);
	tell(a, w, &was, &changes);
	report_reading(a, w);
	agent_judge_findings(a, w);
	w->looked = true;
	w->came_up = w->came_up && !agent_reapply(a, w);
	agent_repair(a, w);
	w->clues = late;
	w->looked_ms = now;
}
