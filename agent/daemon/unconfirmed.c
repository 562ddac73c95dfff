#include <stdio.h>
#include <string.h>

#include "../engine/journal/lock.h"
#include "../engine/journal/unfinished.h"
#include "../engine/write/rollback.h"
#include "agent.h"

/* Its rollback is tried again after so long, and twice as long each time, or when a port comes. */
#define AGAIN_MS       (30 * 1000u)
#define MOST_DOUBLINGS 6

/* An apply that was not confirmed, and whose confirm watchdog has ended without rolling it back. */

/* True if nobody else rolls it back, and its time is over or unknown. */
static bool is_abandoned(struct host *h, const struct unfinished *u)
{
	const struct pending_confirm *w = &u->pending_confirm;

	if (!journal_own_count(&u->pending) || !u->pending.run.unconfirmed || lock_is_held(h) ||
	    lock_is_watched(h))
		return false;
	return !u->waits || !w->expires_at[0] || pending_confirm_is_over(h, w);
}

/* True if this end of this run is news. */
static bool note_end(struct agent *a, const char *time, enum rollback_end end)
{
	struct unconfirmed *last = &a->unconfirmed;
	bool same = strcmp(last->time, time) == 0, known = same && last->end == end;

	snprintf(last->time, sizeof(last->time), "%s", time);
	last->end = end;
	last->doublings = !same ? 0 : last->doublings + (last->doublings < MOST_DOUBLINGS);
	last->again_ms = a->engine.h->now_ms(a->engine.h) + ((uint64_t)AGAIN_MS << last->doublings);
	return !known;
}

static void report(struct agent *a, const struct journal_run *run)
{
	if (note_end(a, run->time, NOTHING_PENDING))
		log_event(&a->log, LOG_APPLY_UNCONFIRMED, NO_TOPIC,
			  "the apply of %s was not confirmed, and the process that would roll it "
			  "back has ended: run `losslessctl rollback`",
			  run->time);
	a->unconfirmed.again_ms = a->unconfirmed.doublings = 0;
}

void agent_roll_back_unconfirmed(struct agent *a)
{
	_unfinished_ struct unfinished u;
	struct engine e = a->engine;
	struct err err = { 0 };
	enum rollback_end end;
	const char *time;

	unfinished_find(a->engine.h, &u);
	time = u.pending.run.time;
	if (!is_abandoned(a->engine.h, &u))
		return;
	if (a->policy->mode != MODE_ENFORCE) {
		report(a, &u.pending.run);
		return;
	}
	if (strcmp(a->unconfirmed.time, time) == 0 &&
	    a->engine.h->now_ms(a->engine.h) < a->unconfirmed.again_ms)
		return;
	e.h = &a->writer.host;
	e.selection = *EVERY_PORT;
	e.overrides = OVERRIDE_ALL;
	e.lock_timeout_s = 0;
	end = rollback_unconfirmed(&e, NULL, &err);
	if (err.kind != ERR_LOCKED && note_end(a, time, end))
		rollback_end_log(&a->log, end, &err);
}
