#include "unfinished.h"

#include <unistd.h>

#include "../engine.h"
#include "lock.h"

void unfinished_free(struct unfinished *u)
{
	journal_free(&u->pending);
}

void unfinished_find(struct host *h, struct unfinished *ret)
{
	struct err quiet = { 0 };

	*ret = (struct unfinished){ .waits = false };
	ret->waits = pending_confirm_load(h, &ret->pending_confirm, &quiet) &&
		     ret->pending_confirm.there;
	ret->readable = journal_peek(h, JOURNAL_PENDING, &ret->pending, &ret->why);
}

bool unfinished_is(struct host *h)
{
	_unfinished_ struct unfinished u;
	size_t waiting;

	unfinished_find(h, &u);
	waiting = u.waits && u.pending_confirm.watched ? journal_own_count(&u.pending) : 0;
	return !u.readable || u.pending.count > waiting;
}

/* Warns of an apply that waits. Only root can tell whether its watchdog is alive. */
static void warn_of_waiting(const struct engine *e, const struct pending_confirm *w)
{
	if (geteuid() == 0 && !w->watched)
		engine_warn(e,
			    "the apply of %s was not confirmed, and the process that would roll it "
			    "back has ended; run `losslessctl rollback` to roll it back",
			    w->started_at);
	else if (w->expires_at[0] && pending_confirm_is_over(e->h, w))
		engine_warn(e, "the apply of %s was not confirmed by %s: it is being rolled back",
			    w->started_at, w->expires_at);
	else if (w->expires_at[0])
		engine_warn(e,
			    "the apply of %s waits for confirmation until %s; run `losslessctl "
			    "confirm` to keep it, or `losslessctl rollback` to roll it back",
			    w->started_at, w->expires_at);
	else
		engine_warn(e, "the apply that started at %s has not ended", w->started_at);
}

void unfinished_warn_runs(const struct engine *e, const struct journal *pending, bool own,
			  const char *then)
{
	const struct journal_run *run;

	for (size_t at = 0; (run = journal_next_run(pending, &at));)
		if (own || run != &pending->run)
			engine_warn(e, "the run that started at %s is incomplete%s%s", run->time,
				    run->unconfirmed ? ": it was not confirmed" : "", then);
}

/* A run that holds the lock has not ended yet. */
static void warn_of_runs(const struct engine *e, const struct unfinished *u)
{
	if (u->pending.count && lock_is_held(e->h) && !u->waits)
		engine_warn(e, "the run that started at %s is in progress, or being rolled back",
			    u->pending.run.time);
	else
		unfinished_warn_runs(
			e, &u->pending, !u->waits,
			"; run `losslessctl apply`, which completes it, or `losslessctl "
			"rollback`, which rolls it back");
}

void unfinished_warn(const struct engine *e)
{
	_unfinished_ struct unfinished u;

	unfinished_find(e->h, &u);
	if (u.waits)
		warn_of_waiting(e, &u.pending_confirm);
	if (!u.readable && u.why.kind != ERR_DENIED)
		engine_warn(e, "%s: %s: %s", u.why.where, u.why.text, u.why.fix);
	else
		warn_of_runs(e, &u);
}
