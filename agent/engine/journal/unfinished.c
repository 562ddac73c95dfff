#include "unfinished.h"

#include <errno.h>
#include <string.h>

#include "../../host/cleanup.h"
#include "../../host/log.h"
#include "../engine.h"

void unfinished_free(struct unfinished *u)
{
	journal_free(&u->pending);
}

void unfinished_find(struct host *h, struct unfinished *ret)
{
	struct err quiet = { 0 };

	/* A run may end, or begin, while the journal is read. */
	*ret = (struct unfinished){ .work = lock_work(h) };
	ret->waits = pending_confirm_load(h, &ret->pending_confirm, &quiet) &&
		     ret->pending_confirm.there;
	ret->readable = journal_peek(h, JOURNAL_PENDING, &ret->pending, &ret->why);
	if (ret->work <= WORK_NOT_BEGUN && ret->pending.count)
		ret->work = lock_work(h);
}

/* An apply that waits is rolled back at its deadline, or at once if it died before it waited. */
static enum run_state state_of_watched(struct host *h, const struct pending_confirm *w)
{
	return w->expires_at[0] && !pending_confirm_is_over(h, w) ? RUN_AWAITS_CONFIRMATION
								  : RUN_ROLLING_BACK;
}

enum run_state unfinished_state(struct host *h, const struct unfinished *u,
				const struct journal_run *run)
{
	const struct pending_confirm *w = &u->pending_confirm;
	bool own = run == &u->pending.run;

	if (u->work == WORK_ROLLING_BACK_ALL || (own && u->work == WORK_ROLLING_BACK))
		return RUN_ROLLING_BACK;
	if (own && u->work == WORK_APPLYING)
		return RUN_APPLYING;
	if (own && u->waits && w->watched && strcmp(w->started_at, run->time) == 0)
		return state_of_watched(h, w);
	return RUN_INCOMPLETE;
}

const char *run_state_name(enum run_state s)
{
	static const char *const names[] = {
		[RUN_INCOMPLETE] = "incomplete",
		[RUN_APPLYING] = "applying",
		[RUN_ROLLING_BACK] = "rolling_back",
		[RUN_AWAITS_CONFIRMATION] = "awaiting_confirmation",
	};

	return names[s];
}

bool unfinished_is(struct host *h)
{
	_unfinished_ struct unfinished u;
	size_t waiting;

	unfinished_find(h, &u);
	waiting = u.waits && u.pending_confirm.watched ? journal_own_count(&u.pending) : 0;
	return !u.readable || u.pending.count > waiting;
}

bool unfinished_is_left(struct host *h)
{
	_unfinished_ struct unfinished u;
	const struct journal_run *run;

	unfinished_find(h, &u);
	if (!u.readable)
		return u.why.kind != ERR_DENIED;
	for (size_t at = 0; (run = journal_next_run(&u.pending, &at));)
		if (unfinished_state(h, &u, run) == RUN_INCOMPLETE)
			return true;
	return false;
}

bool unfinished_is_rollback(struct host *h)
{
	_unfinished_ struct unfinished u;
	const struct journal_run *run;

	unfinished_find(h, &u);
	for (size_t at = 0; u.readable && (run = journal_next_run(&u.pending, &at));)
		if (strcmp(run->verb, "rollback") == 0 &&
		    unfinished_state(h, &u, run) == RUN_INCOMPLETE)
			return true;
	return false;
}

/*
 * Warns of an apply that waits. Only root can tell whether its watchdog is alive. False: it does
 * not wait yet.
 */
static bool warn_of_waiting(const struct engine *e, const struct pending_confirm *w)
{
	struct err why = { 0 };

	if (geteuid() == 0 && !w->watched)
		engine_warn(e,
			    "the apply of %s was not confirmed, and the process that would roll it "
			    "back has ended; run `losslessctl rollback` to roll it back",
			    w->started_at);
	else if (w->expires_at[0] && !pending_confirm_refuse(e->h, w, &why))
		engine_warn(e, "%s; %s", why.text, why.fix);
	else if (geteuid() != 0)
		engine_warn(e, "the apply that started at %s has not ended", w->started_at);
	else
		return false;
	return true;
}

static void warn_of_incomplete(const struct engine *e, const struct journal_run *run,
			       const char *then)
{
	engine_warn(e, "the run that started at %s is incomplete%s%s", run->time,
		    run->unconfirmed ? ": it was not confirmed" : "", then);
}

void unfinished_warn_runs(const struct engine *e, const struct journal *pending, bool own,
			  const char *then)
{
	const struct journal_run *run;

	for (size_t at = 0; (run = journal_next_run(pending, &at));)
		if (own || run != &pending->run)
			warn_of_incomplete(e, run, then);
}

static void warn_of_run(const struct engine *e, const struct unfinished *u,
			const struct journal_run *run)
{
	enum run_state state = unfinished_state(e->h, u, run);

	if (state == RUN_INCOMPLETE)
		warn_of_incomplete(
			e, run,
			strcmp(run->verb, "rollback") == 0
				? "; run `losslessctl rollback`, which completes it"
				: "; run `losslessctl rollback`, which rolls it back, or the "
				  "same `losslessctl apply` again, which completes it");
	else
		engine_warn(e, "the run that started at %s is %s: its ports change until it ends",
			    run->time, state == RUN_APPLYING ? "applying" : "rolling back");
}

static void warn_of_all(const struct engine *e, const struct unfinished *u)
{
	bool waits = u->waits && warn_of_waiting(e, &u->pending_confirm);
	const struct journal_run *run;

	if (!u->readable && u->why.kind != ERR_DENIED)
		engine_warn(e, "%s: %s: %s", u->why.where, u->why.text, u->why.fix);
	for (size_t at = 0; u->readable && (run = journal_next_run(&u->pending, &at));)
		if (!waits || run != &u->pending.run)
			warn_of_run(e, u, run);
}

void unfinished_warn(const struct engine *e)
{
	_unfinished_ struct unfinished u;

	unfinished_find(e->h, &u);
	warn_of_all(e, &u);
}

bool unfinished_allows_apply(const struct engine *e, struct err *err)
{
	_unfinished_ struct unfinished u;
	struct err why = { 0 };

	unfinished_find(e->h, &u);
	warn_of_all(e, &u);
	if (u.work == WORK_NOT_BEGUN && !lock_refuse(e->h, 0, &why))
		engine_warn(e, "%s; %s", why.text, why.fix);
	if (!u.readable && u.why.code != EINVAL) /* a damaged journal is set aside */
		*err = u.why;
	return err->kind == ERR_NONE;
}
