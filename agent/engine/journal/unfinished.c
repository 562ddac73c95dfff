#include "unfinished.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../../policy/document/settings_json.h"
#include "../../../policy/util/json_dump.h"
#include "../../../policy/util/oom.h"
#include "../../host/cleanup.h"
#include "../../host/host_facts.h"
#include "../../host/log.h"
#include "../engine.h"
#include "lock.h"

#define PATH	 "/run/losslessctl/pending-confirm.json"
#define ENDED	 PATH ".ended"
#define SCHEMA	 "losslessctl/pending-confirm/1"
#define FILE_MAX 2048

bool pending_confirm_save(struct host *h, const struct pending_confirm *w, struct err *err)
{
	json_auto_t *doc = NULL;
	_free_ char *text = NULL;
	char boot[BOOT_ID_MAX];

	if (!host_boot_id(h, boot, err))
		return false;
	doc = json_pack("{s:s, s:s, s:I, s:o, s:s, s:s, s:I, s:b}", "schema", SCHEMA, "boot_id",
			boot, "pid", (json_int_t)w->pid, "policy_name",
			json_from_text(w->policy_name), "started_at", w->started_at, "expires_at",
			w->expires_at, "expires_boottime_ms", (json_int_t)w->expires_ms,
			"rollback_failed", w->not_rolled_back);
	text = json_dump_sanitized(doc, JSON_INDENT(2));
	if (!text)
		return err_no_memory(err);
	return host_publish_file(h, PATH, text, err);
}

static void text_from_json(const json_t *doc, const char *key, char *out, size_t size)
{
	const char *text = json_string_value(json_object_get(doc, key));

	snprintf(out, size, "%s", text ? text : "");
}

static void pending_from_json(struct host *h, const json_t *doc, struct pending_confirm *ret)
{
	ret->there = true;
	ret->pid = (unsigned)json_integer_value(json_object_get(doc, "pid"));
	ret->expires_ms = (uint64_t)json_integer_value(json_object_get(doc, "expires_boottime_ms"));
	text_from_json(doc, "policy_name", ret->policy_name, sizeof(ret->policy_name));
	text_from_json(doc, "started_at", ret->started_at, sizeof(ret->started_at));
	text_from_json(doc, "expires_at", ret->expires_at, sizeof(ret->expires_at));
	ret->watched = lock_is_watched(h);
	ret->not_rolled_back = json_is_true(json_object_get(doc, "rollback_failed"));
}

static bool load(struct host *h, const char *path, struct pending_confirm *ret, struct err *err)
{
	char text[FILE_MAX], boot[BOOT_ID_MAX];
	json_auto_t *doc = NULL;
	struct err why = { 0 };
	const char *of;

	*ret = (struct pending_confirm){ .there = false };
	if (!host_read_file(h, text, sizeof(text), &why, "%s", path)) {
		if (why.kind == ERR_UNSUPPORTED || host_is_foreign_file(&why))
			return true;
		*err = why;
		return false;
	}
	if (!host_boot_id(h, boot, err))
		return false;
	doc = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	if (oom_happened())
		return err_no_memory(err);
	of = json_string_value(json_object_get(doc, "boot_id"));
	/* Ignore a damaged file and one of another boot: the journal decides then. */
	if (of && strcmp(of, boot) == 0)
		pending_from_json(h, doc, ret);
	return true;
}

bool pending_confirm_load(struct host *h, struct pending_confirm *ret, struct err *err)
{
	return load(h, PATH, ret, err);
}

static bool move_file(struct host *h, const char *to, struct err *err)
{
	struct err why = { 0 };

	/* A disk that is read-only says so first, whether there is a file or not. */
	if (host_move_file(h, PATH, to, &why) || !host_has_file(h, PATH))
		return true;
	*err = why;
	return false;
}

bool pending_confirm_end(struct host *h, struct err *err)
{
	return move_file(h, NULL, err);
}

bool pending_confirm_withdraw(struct host *h, struct err *err)
{
	return move_file(h, ENDED, err);
}

bool pending_confirm_is_withdrawn(struct host *h, const struct pending_confirm *w)
{
	struct pending_confirm ended;
	struct err quiet = { 0 };

	return load(h, ENDED, &ended, &quiet) && ended.there && ended.pid == w->pid &&
	       strcmp(ended.started_at, w->started_at) == 0;
}

bool pending_confirm_refuse(struct host *h, const struct pending_confirm *w, struct err *err)
{
	if (!w->expires_at[0])
		return err_set(err, ERR_LOCKED, EBUSY,
			       "an apply with --confirm-within died, and is rolling back");
	if (pending_confirm_is_over(h, w)) {
		err_record(err, ERR_LOCKED, EBUSY,
			   "the apply of %s was not confirmed by %s, and is rolling back",
			   w->started_at, w->expires_at);
		return err_fix(err, "run this again after the rollback has ended");
	}
	err_record(err, ERR_LOCKED, EBUSY, "the apply of %s waits for confirmation until %s",
		   w->started_at, w->expires_at);
	return err_fix(
		err,
		"run `losslessctl confirm` to keep it, or `losslessctl rollback` to roll it back");
}

bool pending_confirm_is_ours(const struct pending_confirm *w)
{
	return w->there && w->pid == (unsigned)getpid();
}

bool pending_confirm_is_over(struct host *h, const struct pending_confirm *w)
{
	return w->expires_ms && h->now_ms(h) >= w->expires_ms;
}

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
		warn_of_incomplete(e, run,
				   "; run `losslessctl apply`, which completes it, or `losslessctl "
				   "rollback`, which rolls it back");
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
	if (u.work == WORK_NOT_BEGUN && !lock_refuse(0, &why))
		engine_warn(e, "%s; %s", why.text, why.fix);
	if (!u.readable && u.why.code != EINVAL) /* a damaged journal is set aside */
		*err = u.why;
	return err->kind == ERR_NONE;
}
