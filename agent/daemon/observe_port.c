/* Reads a port, for a check or under the lock of a repair, and logs what cannot be read. */
#include <string.h>
#include <time.h>

#include "../engine/journal/lost_settings.h"
#include "../engine/verify/judge.h"
#include "agent.h"

/* Marks the port as unreadable: its last values no longer hold. Logged once. */
static void mark_unreadable(struct agent *a, struct monitored_port *mp, const char *why)
{
	if (!mp->check_failed)
		log_event(&a->log, LOG_AGENT_ERROR, monitored_port_topic(mp, NULL),
			  "the port cannot be read: %s", why);
	a->status_dirty = a->status_dirty || !mp->check_failed;
	mp->check_failed = true;
	mp->unknown = mp->desired.has;
	mp->compared = mp->differ = 0;
}

/* Prepares a->target for a port, without a plan: that is large, and only a repair needs it. */
static void set_desired(struct agent *a, const struct monitored_port *mp)
{
	struct target *t = a->target;

	t->task.port = mp->port;
	t->task.desired = mp->desired;
	t->task.left_out = 0;
	if (mp->invalid)
		t->task.desired.has = 0;
	t->rule = mp->rule;
	t->capabilities = (struct capabilities){ .speed_mbps = 0 };
	target_take_policy(t, a->policy);
	t->skipped = 0;
	t->refusals_count = 0;
}

bool agent_observe(struct agent *a, struct monitored_port *mp)
{
	const struct engine writing = { .h = &a->writer.host, .backends = a->engine.backends };
	struct target *t = a->target;
	struct link link;
	struct err err = { 0 };

	if (mp->gone)
		return false;
	if (host_link(a->engine.h, &mp->port, &link, &err)) {
		mp->came_up = link.carrier && (mp->came_up || !mp->port.carrier);
		mp->carrier_changes = link.carrier_changes;
		mp->port.carrier = link.carrier;
		mp->port.up = link.up;
		mp->clues |= mp->port.mtu != link.mtu ? CLUE_MTU : 0;
		mp->port.mtu = link.mtu;
		set_desired(a, mp);
		if (a->policy->mode == MODE_ENFORCE)
			target_prepare(&writing, t);
		if (target_observe(&a->engine, t, &err)) {
			lost_settings_reveal(a->engine.h, &t->task.port, &t->seen);
			return true;
		}
	}
	if (err.kind != ERR_GONE) /* reported once confirmed: the port may only have a new name */
		mark_unreadable(a, mp, err.text);
	mp->gone = err.kind == ERR_GONE;
	a->monitored_ports_stale = a->monitored_ports_stale || mp->gone;
	return false;
}

/*
 * Returns the desired settings that cannot be read now. One that this driver instance reported
 * before is not unsupported: the kernel omits values that a driver fails to read, without an errno
 * (net/dcb/dcbnl.c, dcbnl_ieee_fill()).
 */
static setting_set unreadable(struct monitored_port *mp, const struct target *t,
			      const struct judgement *j)
{
	setting_set before = mp->clues & CLUE_DRIVER ? 0 : mp->readable;

	mp->readable = before | t->seen.actual.has;
	return j->unsupported | j->unknown | (j->skipped & before & ~t->seen.actual.has);
}

/*
 * Excludes settings of the host, on which features only advise: they are neither in sync nor
 * drifted here.
 */
static void judge(struct agent *a, struct monitored_port *mp)
{
	struct judgement j = judge_settings(a->engine.backends->features, a->target);

	mp->compared = (j.in_sync | j.differing) & ~j.advised;
	mp->differ = j.differing & ~j.advised;
	mp->unknown = unreadable(mp, a->target, &j);
}

void agent_take_reading(struct agent *a, struct monitored_port *mp)
{
	a->checked_at_s = (uint64_t)time(NULL);
	if (mp->check_failed)
		log_event(&a->log, LOG_READING_RESTORED, monitored_port_topic(mp, NULL),
			  "the port can be read again");
	mp->check_failed = false;
	/* NOLINTNEXTLINE(bugprone-*,cert-*): padding that differs only renews the digest. */
	if (memcmp(&mp->actual, &a->target->seen.actual, sizeof(mp->actual)) != 0)
		mp->digest[0] = '\0';
	mp->actual = a->target->seen.actual;
	mp->capabilities = a->target->capabilities;
	judge(a, mp);
}

void agent_report_reading(struct agent *a, struct monitored_port *mp)
{
	/* A file that apply creates is unknown, but no reading of it failed. */
	setting_set failing = mp->unknown & ~a->target->seen.missing;
	setting_set failed = failing & ~mp->unreadable;
	setting_set restored = mp->unreadable & ~failing & mp->actual.has;

	for (unsigned k = 0; k < SETTING_COUNT; k++) {
		const struct reason *r = observation_reason(&a->target->seen, k);

		if (failed & SETTING(k))
			log_event(&a->log, LOG_READING_FAILED,
				  monitored_port_topic(mp, settings[k].path),
				  "%s cannot be read: %s", settings[k].path,
				  r ? r->text : "the driver does not report it");
		if (restored & SETTING(k))
			log_event(&a->log, LOG_READING_RESTORED,
				  monitored_port_topic(mp, settings[k].path),
				  "%s can be read again", settings[k].path);
	}
	a->status_dirty = a->status_dirty || failed || restored;
	mp->unreadable = failing;
}
