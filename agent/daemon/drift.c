#include "drift.h"

#include <string.h>

/* Returns 0 if the clock did not advance. */
static uint64_t elapsed(uint64_t now_ms, uint64_t then_ms)
{
	return now_ms > then_ms ? now_ms - then_ms : 0;
}

/* Delays the next repair; each delay is twice the previous one, up to the maximum. */
static void leave_alone(struct drift *d, unsigned setting, uint64_t now_ms)
{
	uint64_t wait = (uint64_t)DRIFT_WAIT_MS << d->waits[setting];

	if (wait < DRIFT_WAIT_MAX_MS)
		d->waits[setting]++;
	else
		wait = DRIFT_WAIT_MAX_MS;
	d->not_before_ms[setting] = now_ms + wait;
}

/* Records a reverted repair; true once that makes the setting contested. */
static bool record_undone(struct drift *d, unsigned setting, uint64_t now_ms)
{
	uint64_t *undone = d->undone_ms[setting];

	memmove(undone + 1, undone, (DRIFT_UNDONE_MAX - 1) * sizeof(*undone));
	undone[0] = now_ms;
	if (d->undone[setting] < DRIFT_UNDONE_MAX)
		d->undone[setting]++;
	return d->undone[setting] == DRIFT_UNDONE_MAX &&
	       elapsed(now_ms, undone[DRIFT_UNDONE_MAX - 1]) <= DRIFT_WINDOW_MS;
}

/* Counts drifts in report-only mode as well, to limit what is logged and recorded. */
static bool is_unsettled(struct drift *d, unsigned setting, uint64_t now_ms)
{
	if (elapsed(now_ms, d->since_ms[setting]) >= DRIFT_QUIET_MS)
		d->drifts[setting] = 0;
	return ++d->drifts[setting] > DRIFT_RESTLESS_MAX;
}

static void begin_contest(struct drift *d, unsigned setting, uint64_t now_ms)
{
	d->contested |= SETTING(setting);
	d->drifts[setting] = 0;
	leave_alone(d, setting, now_ms);
}

void drift_contest(struct drift *d, enum setting_id setting, uint64_t since_ms, uint64_t now_ms)
{
	d->since_ms[setting] = since_ms;
	d->last_out_of_sync_ms[setting] = now_ms;
	begin_contest(d, setting, now_ms);
}

/* Handles a setting that was in sync at the last check. A contested one is not reported again. */
static void begin_drift(struct drift *d, unsigned setting, uint64_t now_ms,
			struct drift_changes *changes)
{
	bool was_repaired = d->repaired & SETTING(setting), unsettled;

	d->repaired &= ~SETTING(setting);
	if (d->contested & SETTING(setting))
		return;
	unsettled = is_unsettled(d, setting, now_ms);
	d->since_ms[setting] = now_ms;
	d->waits[setting] = 0;
	d->not_before_ms[setting] = 0;
	if (was_repaired && !(d->reset & SETTING(setting)) && record_undone(d, setting, now_ms)) {
		d->since_ms[setting] = d->undone_ms[setting][DRIFT_UNDONE_MAX - 1];
		unsettled = true;
	}
	if (unsettled) {
		begin_contest(d, setting, now_ms);
		changes->contested |= SETTING(setting);
	} else {
		changes->drifted |= SETTING(setting);
	}
}

/* Handles a drift whose value changes again; the drift began before. */
static void continue_drift(struct drift *d, unsigned setting, uint64_t now_ms,
			   struct drift_changes *changes)
{
	if (++d->drifts[setting] > DRIFT_RESTLESS_MAX) {
		begin_contest(d, setting, now_ms);
		changes->contested |= SETTING(setting);
	} else {
		changes->drifted |= SETTING(setting);
	}
}

/* Ends the states "repaired" and "contested" once a setting was in sync for long enough. */
static void settle(struct drift *d, unsigned setting, uint64_t now_ms,
		   struct drift_changes *changes)
{
	if (d->repaired & SETTING(setting) &&
	    elapsed(now_ms, d->acted_ms[setting]) >= DRIFT_WINDOW_MS)
		d->repaired &= ~SETTING(setting);
	if (d->contested & SETTING(setting) &&
	    elapsed(now_ms, d->last_out_of_sync_ms[setting]) >= DRIFT_QUIET_MS) {
		d->contested &= ~SETTING(setting);
		d->repaired &= ~SETTING(setting); /* reset its history */
		d->undone[setting] = 0;
		changes->ended |= SETTING(setting);
	}
}

void drift_ignore(struct drift *d, setting_set which)
{
	d->repaired &= ~which;
	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if (which & SETTING(i))
			d->drifts[i] = 0;
}

struct drift_changes drift_update(struct drift *d, setting_set differs, setting_set compared,
				  setting_set moved, uint64_t now_ms)
{
	struct drift_changes changes = { 0 };
	setting_set fresh, well;

	differs &= compared;
	well = compared & ~differs;
	fresh = differs & ~d->differ;
	moved &= differs & d->differ & ~d->contested;
	changes.ended = well & d->differ & ~d->contested;
	d->differ = (d->differ & ~compared) | differs;
	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		if (!(well & SETTING(i)))
			d->last_out_of_sync_ms[i] = now_ms;
		if (fresh & SETTING(i))
			begin_drift(d, i, now_ms, &changes);
		else if (moved & SETTING(i))
			continue_drift(d, i, now_ms, &changes);
		else if (well & SETTING(i))
			settle(d, i, now_ms, &changes);
	}
	if (now_ms >= d->settled_ms)
		d->reset = d->settled_ms = 0;
	return changes;
}

setting_set drift_due(const struct drift *d, uint64_t now_ms)
{
	setting_set due = 0;

	if (now_ms < d->settled_ms)
		return 0;
	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if (d->differ & SETTING(i) && now_ms >= d->not_before_ms[i])
			due |= SETTING(i);
	return due;
}

unsigned drift_next_min(const struct drift *d, setting_set which, uint64_t now_ms)
{
	uint64_t wait = UINT64_MAX;

	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		uint64_t one = d->not_before_ms[i] > now_ms ? d->not_before_ms[i] - now_ms : 0;

		if (which & d->differ & SETTING(i) && one < wait)
			wait = one;
	}
	return wait < UINT64_MAX ? (unsigned)((wait + 59999) / 60000) : 0;
}

void drift_repaired(struct drift *d, setting_set which, uint64_t now_ms)
{
	which &= d->differ;
	d->differ &= ~which;
	d->repaired |= which;
	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		if (!(which & SETTING(i)))
			continue;
		d->acted_ms[i] = d->last_out_of_sync_ms[i] = now_ms;
		leave_alone(d, i, now_ms); /* cleared if an uncontested setting drifts again */
	}
}

void drift_failed(struct drift *d, setting_set which, uint64_t now_ms)
{
	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if (which & d->differ & SETTING(i) && now_ms >= d->not_before_ms[i])
			leave_alone(d, i, now_ms);
}

void drift_retry(struct drift *d, setting_set which)
{
	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if (which & ~d->contested & SETTING(i))
			d->not_before_ms[i] = d->waits[i] = 0;
}

void drift_forget(struct drift *d)
{
	*d = (struct drift){ .differ = 0 };
}

enum drift_state drift_state(const struct drift *d, enum setting_id setting)
{
	if (d->contested & SETTING(setting))
		return DRIFT_CONTESTED;
	if (d->differ & SETTING(setting))
		return DRIFT_DRIFTED;
	return d->repaired & SETTING(setting) ? DRIFT_REPAIRED : DRIFT_IN_SYNC;
}

bool drift_was_reverted(const struct drift *d, enum setting_id setting)
{
	/* begin_drift() dates such a contest from the first reverted repair. */
	return d->undone[setting] == DRIFT_UNDONE_MAX &&
	       d->since_ms[setting] == d->undone_ms[setting][DRIFT_UNDONE_MAX - 1];
}

const char *drift_state_name(enum drift_state s)
{
	static const char *const names[] = {
		[DRIFT_IN_SYNC] = "in_sync",
		[DRIFT_DRIFTED] = "drift",
		[DRIFT_REPAIRED] = "repaired",
		[DRIFT_CONTESTED] = "contested",
	};

	return names[s];
}
