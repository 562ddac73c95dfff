#include "rollback.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../policy/util/oom.h"
#include "../engine.h"
#include "../journal/unfinished.h"

/* The state to roll back to: the journal of an interrupted run, or of one or several applies. */
struct rollback_source {
	struct journal journal; /* ports in the order in which they are rolled back */
	unsigned number;	/* the oldest apply; 0: an interrupted run, or none */
};

static void source_free(struct rollback_source *u)
{
	journal_free(&u->journal);
}
#define _source_ __attribute__((cleanup(source_free)))

/* Limits the watchdog to its own apply, without entries of earlier runs. */
static bool of_pending(const struct run *r, struct rollback_source *u, struct err *err)
{
	bool all = !pending_confirm_is_ours(&r->pending_confirm);

	for (size_t i = r->pending.count; i-- > 0;)
		if ((all || !r->pending.entries[i].left_by.time[0]) &&
		    !journal_add(&u->journal, &r->pending.entries[i], err))
			return false;
	return true;
}

static const struct applied *numbered(const struct applies *a, unsigned number)
{
	for (size_t i = 0; i < a->count; i++)
		if (a->list[i].number == number && !a->list[i].journal.of_other_boot)
			return &a->list[i];
	return NULL;
}

/* Collects the applies for --to N. Ports already rolled back stay so. */
static bool of_number(const struct applies *a, unsigned to, struct rollback_source *u,
		      struct err *err)
{
	u->number = to;
	if (numbered(a, to))
		return applies_before(a, to, &u->journal, err);
	err_record(err, ERR_REFUSED, ENOENT, "no apply of this boot has number %u", to);
	return err_fix(err, "run `losslessctl rollback --list` to list the applies");
}

/* Finds the last apply that changed each named port. */
static bool of_ports(const struct applies *a, const struct inventory *inv,
		     struct rollback_source *u, struct err *err)
{
	for (size_t i = 0; i < inv->count; i++) {
		const struct applied *one = applies_of_port(a, &inv->ports[i], err);
		struct journal_entry e;

		if (err->kind)
			return false;
		if (!one)
			continue;
		e = *journal_find(&one->journal, &inv->ports[i]);
		e.before_apply = one->number;
		if (!e.rolled_back && !journal_add(&u->journal, &e, err))
			return false;
	}
	return true;
}

static bool find_source(const struct engine *e, const struct run *r, const struct rollback *b,
			struct rollback_source *u, struct err *err)
{
	const struct applied *last = applies_newest(&r->applies);

	if (r->recovering)
		return of_pending(r, u, err);
	if (b->to)
		return of_number(&r->applies, b->to, u, err);
	if (e->selection.count)
		return of_ports(&r->applies, &b->inventory, u, err);
	u->number = last ? last->number : 0;
	return !last || applies_before(&r->applies, last->number, &u->journal, err);
}

const struct port *rollback_port_of(const struct journal *j, const struct journal_entry *e,
				    const struct inventory *inv)
{
	for (size_t i = 0; i < inv->count; i++)
		if (journal_find(j, &inv->ports[i]) == e)
			return &inv->ports[i];
	return NULL;
}

static void warn_of_absent(const struct engine *e, const struct journal_entry *left)
{
	engine_warn(e,
		    "%s (%s) is not present (unplugged, or in another network namespace): it is "
		    "not rolled back, and its saved state is kept",
		    left->name, left->pci);
}

/* Finds the existing ports; warns of the others and returns their number. */
static size_t find_ports(const struct engine *e, const struct rollback_source *u,
			 const struct inventory *inv, struct targets *all)
{
	size_t gone = 0;

	for (size_t i = 0; i < u->journal.count; i++) {
		const struct journal_entry *old = &u->journal.entries[i];
		const struct port *here = rollback_port_of(&u->journal, old, inv);
		struct task *t = &all->list[all->count].task;

		if (here) {
			all->count++;
			t->port = *here;
			t->desired = old->back;
			t->before_apply = old->before_apply;
		} else if (e->selection.count == 0) {
			warn_of_absent(e, old);
			gone++;
		}
	}
	return gone;
}

/* Refuses a named port that has nothing to roll back, with the reason. */
static void refuse_idle(const struct run *r, const struct rollback_source *u,
			const struct port *port, struct target *t)
{
	char why[LINT_TEXT_MAX];
	struct err quiet = { 0 };
	const struct applied *last = applies_of_port(&r->applies, port, &quiet);

	if (r->recovering)
		snprintf(why, sizeof(why),
			 "nothing to roll back: the incomplete run has not changed it");
	else if (!last || last->number < u->number)
		snprintf(why, sizeof(why),
			 "nothing to roll back: no apply in the journal has changed it%s",
			 u->number ? " since then" : "");
	else
		snprintf(why, sizeof(why),
			 "nothing to roll back: the last apply that changed it (number %u) is "
			 "already rolled back",
			 last->number);
	t->task.port = *port;
	target_refuse(t, "port", why,
		      r->recovering ? "run `losslessctl rollback`, and then the same command again"
				    : "run `losslessctl rollback --list` to list the applies, and "
				      "`losslessctl rollback --to NUMBER PORT` to go further back");
}

/* Lets a pattern select those of its ports that can be rolled back; refuses it if none can. */
static void refuse_idle_ports(const struct engine *e, const struct run *r,
			      const struct rollback_source *u, const struct inventory *inv,
			      struct targets *all)
{
	bool none = all->count == 0;

	for (size_t i = 0; e->selection.count && i < inv->count; i++)
		if (!journal_find(&u->journal, &inv->ports[i]) &&
		    (none || selection_names(&e->selection, &inv->ports[i].id) == NAMED_BY_NAME))
			refuse_idle(r, u, &inv->ports[i], &all->list[all->count++]);
}

static void warn_of_unfinished(const struct engine *e, const struct run *r)
{
	bool waited = r->pending_confirm.there && r->pending_confirm.expires_at[0];

	if (!r->recovering)
		return;
	if (waited)
		engine_warn(e, "the apply of %s %s", r->pending_confirm.started_at,
			    r->keep_going ? "waited for confirmation: it is rolled back"
					  : "waits for confirmation: it is rolled back as a whole, "
					    "or goes on waiting");
	unfinished_warn_runs(e, &r->pending, !waited, "; this run rolls it back");
}

/* Refuses a part of a waiting apply, which could still be confirmed as a whole. */
static bool may_choose(const struct engine *e, const struct run *r, unsigned to, struct err *err)
{
	const char *chosen = to ? "--to" : "ports";

	if (!to && !e->selection.count)
		return true;
	if (r->pending_confirm.there && journal_own_count(&r->pending)) {
		err_record(err, ERR_LOCKED, EBUSY,
			   "the last apply waits for confirmation, and can only be rolled back as "
			   "a whole");
		return err_fix(
			err,
			"run `losslessctl rollback` or `losslessctl confirm` first, then use %s",
			chosen);
	}
	if (!to || !r->recovering)
		return true;
	err_record(err, ERR_REFUSED, EBUSY, "the run that started at %s is incomplete",
		   journal_run_of(&r->pending, &r->pending.entries[0])->time);
	return err_fix(err, "run `losslessctl rollback` first, then use --to");
}

/*
 * Lets an operator choose an apply or ports beside an interrupted run of which only absent ports
 * are left: they hold up nobody, and stay in its journal.
 */
static bool pass_absent(const struct engine *e, struct run *r, const struct rollback *b,
			struct err *err)
{
	_inventory_ struct inventory every = { .ports = NULL };

	bool waits = r->pending_confirm.there && r->pending_confirm.watched;

	if (!r->recovering || waits || (!b->to && !e->selection.count))
		return true;
	if (!inventory_read(e, EVERY_PORT, &every, err))
		return false;
	for (size_t i = 0; i < r->pending.count; i++)
		if (rollback_port_of(&r->pending, &r->pending.entries[i], &every))
			return true;
	for (size_t i = 0; i < r->pending.count; i++)
		warn_of_absent(e, &r->pending.entries[i]);
	r->recovering = r->pending_confirm.there = false;
	return true;
}

void rollback_free(struct rollback *b)
{
	targets_free(&b->targets);
	inventory_free(&b->inventory);
}

bool rollback_find(const struct engine *e, struct run *r, struct rollback *b, struct err *err)
{
	_source_ struct rollback_source source = { .number = 0 };

	if (!pass_absent(e, r, b, err) || !may_choose(e, r, b->to, err) ||
	    !inventory_read(e, &e->selection, &b->inventory, err) ||
	    !find_source(e, r, b, &source, err))
		return false;
	warn_of_unfinished(e, r);
	b->targets.list =
		calloc(source.journal.count + b->inventory.count + 1, sizeof(*b->targets.list));
	if (!b->targets.list)
		return err_no_memory(err);
	b->number = source.number;
	b->gone = find_ports(e, &source, &b->inventory, &b->targets);
	refuse_idle_ports(e, r, &source, &b->inventory, &b->targets);
	return true;
}

bool rollback_carry_out(const struct engine *e, struct run *r, struct rollback *b,
			struct write_report *ret, struct err *err)
{
	const struct write_request request = { .policy = NULL };
	struct targets *all = &b->targets;

	if (!write_carry_out(e, r, &request, all, ret, err))
		return false;
	for (size_t i = 0; i < all->count; i++)
		b->gone += all->list[i].skipped != 0;
	return true;
}

struct run rollback_run(const struct engine *e)
{
	return (struct run){ .h = e->h,
			     .all = e->backends->features,
			     .keep_going = true, /* each port that can be restored is */
			     .rolling_back = true,
			     .user = e->user,
			     .warns = e,
			     .lock = -1 };
}

static enum rollback_end roll_back(const struct engine *e, struct run *r, struct err *err)
{
	_rollback_ struct rollback b = { .to = 0 };
	struct write_report report = { .outcome = OUTCOME_UNCHANGED };

	if (!rollback_find(e, r, &b, err))
		return ROLLBACK_NOT_DONE;
	if (b.targets.count &&
	    (!write_plan(e, r, &b.targets, err) || !rollback_carry_out(e, r, &b, &report, err)))
		return ROLLBACK_NOT_DONE;
	*err = report.err;
	if (exit_code_of_outcome(report.outcome, &report.err) != EXIT_SUCCESS)
		return ROLLBACK_NOT_DONE;
	return b.gone ? ROLLBACK_PARTIAL : ROLLBACK_DONE;
}

/* The file of the wait may be lost, or in use by a later apply. */
static bool is_of(const struct run *r, const struct pending_confirm *ours)
{
	return r->pending.run.unconfirmed && journal_own_count(&r->pending) &&
	       strcmp(r->pending.run.time, ours->started_at) == 0;
}

/* Handles an apply that died before its first write and left only its pending state. */
static enum rollback_end roll_back_pending(const struct engine *e, struct run *r,
					   const struct pending_confirm *ours, struct err *err)
{
	struct err quiet = { 0 };

	if (r->recovering && (!ours || is_of(r, ours)))
		return roll_back(e, r, err);
	if (pending_confirm_is_ours(&r->pending_confirm))
		(void)!pending_confirm_end(e->h, &quiet);
	return NOTHING_PENDING;
}

enum rollback_end rollback_unconfirmed(const struct engine *e, const struct pending_confirm *ours,
				       struct err *err)
{
	struct run r = rollback_run(e);
	enum rollback_end end = ROLLBACK_NOT_DONE;

	r.by_watchdog = ours != NULL;
	if (run_open(&r, e->lock_timeout_s, err))
		end = roll_back_pending(e, &r, ours, err);
	run_close(&r);
	return end;
}
