#include <errno.h>
#include <stdio.h>

#include "../../agent/engine/journal/applies.h"
#include "../../agent/engine/journal/lock.h"
#include "../../agent/engine/journal/pending_confirm.h"
#include "../../agent/engine/write/rollback.h"
#include "../../agent/host/cleanup.h"
#include "../../policy/model/setting.h"
#include "../../policy/util/json_util.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "verbs.h"

static int nothing_waits(const struct cli *c)
{
	if (c->opt.json) {
		json_t *doc = report_of_host(c, "confirm");

		json_object_set_new(doc, "outcome", json_string("nothing_pending"));
		print_json(c, doc);
	} else {
		fputs("losslessctl: no apply awaits confirmation\n"
		      "  run `losslessctl rollback --list` for the last applies\n",
		      stderr);
	}
	return EXIT_FAILED;
}

static bool too_late(const struct pending_confirm *w, struct err *err)
{
	err_record(err, ERR_REFUSED, ETIME,
		   "too late: the apply of %s awaited confirmation until %s", w->started_at,
		   w->expires_at);
	if (w->watched)
		return err_fix(err, "the background process rolls it back now; if it is stopped, "
				    "run `losslessctl rollback`");
	return err_fix(err, "its background process has ended before it rolled back: run "
			    "`losslessctl rollback`, or apply again");
}

/* Its journal is there, and nothing says until when it may be confirmed. */
static bool deadline_unknown(const struct cli *c, const struct journal *pending, struct err *err)
{
	if (lock_is_watched(c->h)) {
		err_record(err, ERR_REFUSED, ETIME,
			   "the apply of %s cannot be confirmed: the file in /run/losslessctl that "
			   "says until when is gone or damaged",
			   pending->run.time);
		return err_fix(err, "run `losslessctl confirm` again, once the background process "
				    "has made the file again; else it rolls back at the deadline");
	}
	err_record(err, ERR_REFUSED, ETIME,
		   "the apply of %s cannot be confirmed any more: its background process has ended",
		   pending->run.time);
	return err_fix(err, "run `losslessctl rollback` to roll it back, or apply again");
}

static bool cannot_be_kept(const struct pending_confirm *w, struct err *err)
{
	err_record(err, ERR_REFUSED, EBUSY,
		   "the apply of %s failed, and so did its rollback: it cannot be confirmed",
		   w->started_at);
	return err_fix(err,
		       "run `losslessctl rollback`; otherwise the background process rolls it back "
		       "at %s",
		       w->expires_at);
}

static int kept(const struct cli *c, const struct pending_confirm *w)
{
	if (c->opt.json) {
		json_t *doc = report_of_host(c, "confirm");

		json_object_set_new(doc, "policy_name", json_from_text(w->policy_name));
		json_object_set_new(doc, "started_at", json_string(w->started_at));
		json_object_set_new(doc, "outcome", json_string("confirmed"));
		print_json(c, doc);
	} else if (!c->opt.quiet) {
		printf("the apply of %s is confirmed; `losslessctl rollback` can still roll it "
		       "back\n",
		       w->started_at);
	}
	return EXIT_SUCCESS;
}

static bool can_be_kept(const struct cli *c, const struct pending_confirm *w, struct err *err)
{
	if (pending_confirm_is_over(c->h, w))
		return too_late(w, err);
	if (w->not_rolled_back)
		return cannot_be_kept(w, err);
	return true;
}

/* Adds to the error that the journal could not be changed. */
static int still_waits(const struct pending_confirm *w, struct err *err)
{
	if (!err->fix[0])
		err_add_fix(err,
			    "the apply goes on waiting: remove the cause and run `losslessctl "
			    "confirm` again; otherwise the background process rolls back at %s",
			    w->expires_at);
	return -1;
}

#define VALUE_MAX 48 /* length of each value in a message */

/* Records the settings that are not as applied, the first of them with both values. */
static bool changed_since(const struct journal_entry *e, const struct config *actual,
			  setting_set differ, const struct port *port, struct err *err)
{
	unsigned first = (unsigned)__builtin_ctzll(differ);
	char applied[SETTING_TEXT_MAX], reads[SETTING_TEXT_MAX], names[SETTING_NAMES_MAX];

	setting_change_text(&settings[first], &e->applied, actual, applied, reads);
	setting_names(differ & ~SETTING(first), names);
	err_record(err, ERR_VERIFY, EIO,
		   "changed since the apply: %s (applied %.*s, reads %.*s)%s%s",
		   settings[first].path, VALUE_MAX, applied, VALUE_MAX, reads, names[0] ? ", " : "",
		   names);
	return err_in(err, "%s", port->id.name);
}

static bool is_in_effect(const struct cli *c, const struct journal_entry *e,
			 const struct port *port, struct err *err)
{
	struct observation seen;
	setting_set differ;

	if (!port)
		return err_set(err, ERR_GONE, ENODEV,
			       "%s (%s) is not present: its settings cannot be read back", e->name,
			       e->pci);
	if (!observe(c->h, c->engine.backends->features, port, &seen, err))
		return false;
	differ = config_diff(&e->applied, &seen.actual);
	return !differ || changed_since(e, &seen.actual, differ, port, err);
}

/* A journal of an earlier version does not say what was applied. */
static bool all_in_effect(const struct cli *c, const struct journal *pending,
			  const struct pending_confirm *w, struct err *err)
{
	_inventory_ struct inventory inv = { .ports = NULL };

	if (!inventory_read(&c->engine, EVERY_PORT, &inv, err))
		return false;
	for (size_t i = 0; i < pending->count; i++) {
		const struct journal_entry *e = &pending->entries[i];
		struct err why = { 0 };

		if (e->left_by.time[0] || !e->applied.has ||
		    is_in_effect(c, e, rollback_port_of(pending, e, &inv), &why))
			continue;
		if (err->kind)
			print_warning(c, "%s%s%s", why.where, why.where[0] ? ": " : "", why.text);
		else
			*err = why;
	}
	if (!err->kind)
		return true;
	return err_fix(err,
		       "run `losslessctl rollback` and apply again, or restore the setting and "
		       "confirm; otherwise the background process rolls back at %s",
		       w->expires_at);
}

/* Holds the lock, under which the watchdog checks whether the confirmation is still pending. */
static int confirm(struct cli *c, struct err *err)
{
	_journal_ struct journal pending = { .entries = NULL };
	struct pending_confirm w;

	if (!pending_confirm_load(c->h, &w, err))
		return -1;
	if (!journal_load(c->h, JOURNAL_PENDING, &pending, err))
		return -1;
	if (!w.there && journal_own_count(&pending) && pending.run.unconfirmed &&
	    !deadline_unknown(c, &pending, err))
		return -1;
	/* An interrupted run's journal is not the one that waits. */
	if (!w.there || !w.expires_at[0] || !journal_own_count(&pending) ||
	    !pending.run.unconfirmed || strcmp(pending.run.time, w.started_at) != 0)
		return nothing_waits(c);
	if (!can_be_kept(c, &w, err) || !all_in_effect(c, &pending, &w, err))
		return -1;
	if (!applies_keep_own(c->h, &pending, err))
		return still_waits(&w, err);
	if (!pending_confirm_end(c->h, err))
		return -1;
	return kept(c, &w);
}

/* Takes the lock. Its holder after the deadline rolls back, or keeps the rollback waiting. */
static bool take_lock(const struct cli *c, int *ret, struct err *err)
{
	struct pending_confirm w;
	struct err quiet = { 0 };

	if (lock_acquire(c->h, c->opt.lock_timeout_s, ret, err))
		return true;
	if (err->kind != ERR_LOCKED || !pending_confirm_load(c->h, &w, &quiet) || !w.there ||
	    !pending_confirm_is_over(c->h, &w))
		return false;
	*err = (struct err){ 0 };
	return too_late(&w, err);
}

int verb_confirm(struct cli *c, struct err *err)
{
	_close_ int lock = -1;

	if (!cli_open_host(c, true, err))
		return -1;
	if (!journal_prepare(c->h, err))
		return -1;
	if (!take_lock(c, &lock, err))
		return -1;
	return confirm(c, err);
}
