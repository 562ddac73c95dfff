#include "pending_confirm.h"

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
		return err_fix(err, "run this again after the rollback has ended; if it does not "
				    "end, as its process is stopped, run `losslessctl rollback`");
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
