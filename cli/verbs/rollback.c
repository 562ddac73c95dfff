#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../agent/engine/selection.h"
#include "../../policy/util/oom.h"
#include "../backends.h"
#include "../output/print.h"
#include "../write.h"
#include "plan.h"
#include "rollback.h"
#include "rollback_list.h"

/* The state to roll back to: the journal of a run that did not end, or one apply or more. */
struct undo {
	struct journal journal; /* in the order in which the ports are rolled back */
	unsigned number;	/* the oldest apply; 0: a run that did not end, or none */
};

static void undo_free(struct undo *u)
{
	journal_free(&u->journal);
}
#define _undo_ __attribute__((cleanup(undo_free)))

/* The process that watches over an apply rolls back that one, and nothing that was left before. */
static bool of_pending(const struct run *r, struct undo *u, struct err *err)
{
	bool all = !r->pending_confirm.there || r->pending_confirm.pid != (unsigned)getpid();

	for (size_t i = r->pending.count; i-- > 0;)
		if ((all || !r->pending.entries[i].left_by.time[0]) &&
		    !journal_put(&u->journal, &r->pending.entries[i], err))
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

/* --to N. What is rolled back already stays so. */
static bool of_number(const struct cli *c, const struct applies *a, struct undo *u, struct err *err)
{
	u->number = c->opt.to;
	if (numbered(a, c->opt.to))
		return applies_before(a, c->opt.to, &u->journal, err);
	err_record(err, ERR_REFUSED, ENOENT, "no apply of this boot has number %u", c->opt.to);
	return err_fix(err, "`losslessctl rollback --list` lists them");
}

/* Finds for each named port the last apply that changed it. */
static bool of_ports(const struct applies *a, const struct inventory *inv, struct undo *u,
		     struct err *err)
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
		if (!e.rolled_back && !journal_put(&u->journal, &e, err))
			return false;
	}
	return true;
}

static bool find_undo(const struct cli *c, const struct run *r, const struct inventory *inv,
		      struct undo *u, struct err *err)
{
	const struct applied *last = applies_newest(&r->applies);

	if (r->recovering)
		return of_pending(r, u, err);
	if (c->opt.to)
		return of_number(c, &r->applies, u, err);
	if (c->opt.words_count)
		return of_ports(&r->applies, inv, u, err);
	u->number = last ? last->number : 0;
	return !last || applies_before(&r->applies, last->number, &u->journal, err);
}

static const struct port *port_of(const struct journal_entry *e, const struct undo *u,
				  const struct inventory *inv)
{
	for (size_t i = 0; i < inv->count; i++)
		if (journal_find(&u->journal, &inv->ports[i]) == e)
			return &inv->ports[i];
	return NULL;
}

/* The ports that are here; returns how many are gone, and says which. */
static size_t find_ports(struct cli *c, const struct undo *u, const struct inventory *inv,
			 struct targets *all)
{
	size_t gone = 0;

	for (size_t i = 0; i < u->journal.count; i++) {
		const struct journal_entry *e = &u->journal.entries[i];
		const struct port *here = port_of(e, u, inv);
		struct task *t = &all->list[all->count].task;

		if (here) {
			all->count++;
			t->port = *here;
			t->desired = e->back;
			t->before_apply = e->before_apply;
		} else if (c->opt.words_count == 0) {
			print_warning(c,
				      "%s (%s) is not here (unplugged, or in another network "
				      "namespace): it is not rolled back, and its journal is kept",
				      e->name, e->pci);
			gone++;
		}
	}
	return gone;
}

/* Why a port that was named has nothing to roll back. */
static void refuse_idle(const struct run *r, const struct undo *u, const struct port *port,
			struct target *t)
{
	char why[LINT_TEXT_MAX];
	struct err quiet = { 0 };
	const struct applied *last = applies_of_port(&r->applies, port, &quiet);

	if (r->recovering)
		snprintf(why, sizeof(why),
			 "nothing to roll back: the run that did not end has not changed it; roll "
			 "back that run first");
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
		      "`losslessctl rollback --list` lists the applies, `losslessctl rollback --to "
		      "NUMBER PORT` goes further back");
}

/* A pattern is for those of its ports that have something to roll back, unless none has. */
static void refuse_idle_ports(const struct cli *c, const struct run *r, const struct undo *u,
			      const struct inventory *inv, struct targets *all)
{
	bool none = all->count == 0;

	for (size_t i = 0; c->opt.words_count && i < inv->count; i++)
		if (!journal_find(&u->journal, &inv->ports[i]) &&
		    (none ||
		     selection_names(&c->engine.selection, &inv->ports[i].id) == NAMED_BY_NAME))
			refuse_idle(r, u, &inv->ports[i], &all->list[all->count++]);
}

/* An apply before these that --to could roll back; NULL: none. */
static const struct applied *earlier(const struct applies *a, unsigned number)
{
	for (size_t i = 0; i < a->count; i++)
		if (a->list[i].number < number && applied_is_open(&a->list[i]))
			return &a->list[i];
	return NULL;
}

static int nothing_to_do(struct cli *c, const struct run *r, const struct undo *u, size_t gone)
{
	const struct applied *more = earlier(&r->applies, u->number);
	struct targets none = { NULL, 0 };

	if (c->opt.json) {
		print_json(c, write_document(c, NULL, &none));
	} else if (!c->opt.quiet && !gone) {
		if (!u->number)
			puts("nothing to roll back: no apply since the last boot has kept its "
			     "changes");
		else
			printf("nothing to roll back: apply number %u %s already rolled back\n",
			       u->number, c->opt.to ? "and all later ones are" : "is");
		if (more)
			printf("`losslessctl rollback --list` lists earlier applies, `losslessctl "
			       "rollback --to %u` goes further back\n",
			       more->number);
	}
	return gone ? EXIT_CANNOT_TELL : EXIT_AS_WISHED;
}

static void tell_unfinished(struct cli *c, const struct run *r)
{
	bool waited = r->pending_confirm.there && r->pending_confirm.until[0];

	if (!r->recovering)
		return;
	if (waited)
		print_warning(c, "the apply of %s waited for confirmation: it is taken back",
			      r->pending_confirm.began);
	warn_of_runs(c, &r->pending, !waited, ": it is taken back");
}

/* A waiting apply could be confirmed as a whole though a part is rolled back. */
static bool may_choose(struct cli *c, const struct run *r, struct err *err)
{
	const char *chosen = c->opt.to ? "--to" : "ports";

	if (!c->opt.to && !c->opt.words_count)
		return true;
	if (r->pending_confirm.there) {
		err_record(err, ERR_LOCKED, EBUSY,
			   "the last apply waits for confirmation, and can only be taken back "
			   "whole");
		return err_fix(err,
			       "`losslessctl rollback` rolls it back; after that, or after "
			       "`losslessctl confirm`, %s can be given",
			       chosen);
	}
	if (!c->opt.to || !r->recovering)
		return true;
	err_record(err, ERR_REFUSED, EBUSY, "a run that began at %s did not end",
		   journal_run_of(&r->pending, &r->pending.entries[0])->time);
	return err_fix(err, "`losslessctl rollback` rolls it back; after that --to can be given");
}

static int carry_out(struct cli *c, struct run *r, struct targets *all, size_t gone,
		     struct err *err)
{
	int code;

	if (!write_plan(c, r, all, err))
		return -1;
	for (size_t i = 0; i < all->count; i++)
		all->list[i].task.left_out = all->list[i].skipped;
	code = write_carry_out(c, r, NULL, all, err);
	for (size_t i = 0; i < all->count; i++)
		gone += all->list[i].skipped != 0;
	return code == EXIT_AS_WISHED && gone ? EXIT_CANNOT_TELL : code;
}

/* Plans and carries out, with the run open. */
static int take_back(struct cli *c, struct run *r, struct err *err)
{
	_inventory_ struct inventory inv = { .ports = NULL };
	_targets_ struct targets all = { NULL, 0 };
	_undo_ struct undo undo = { .number = 0 };
	size_t gone;

	if (!inventory_take(&c->engine, &c->engine.selection, &inv, err) ||
	    !find_undo(c, r, &inv, &undo, err))
		return -1;
	tell_unfinished(c, r);
	all.list = calloc(undo.journal.count + inv.count + 1, sizeof(*all.list));
	if (!all.list)
		return err_no_memory(err) ? 0 : -1;
	gone = find_ports(c, &undo, &inv, &all);
	refuse_idle_ports(c, r, &undo, &inv, &all);
	if (!all.count)
		return nothing_to_do(c, r, &undo, gone);
	return carry_out(c, r, &all, gone, err);
}

static struct run new_run(const struct cli *c)
{
	return (struct run){ .h = c->h,
			     .all = all_backends.features,
			     .keep_going = c->opt.keep_going,
			     .undoing = true,
			     .user = c->user,
			     .lock = -1 };
}

/* An apply that died before its first write left nothing but the word that it waits. */
static int take_back_waiting(struct cli *c, struct run *r, unsigned pid, struct err *err)
{
	bool ours = r->pending_confirm.there && r->pending_confirm.pid == pid;

	if (r->recovering && (ours || !pid))
		return take_back(c, r, err);
	return !ours || pending_confirm_end(c->h, err) ? NOTHING_WAITS : -1;
}

int rollback_unconfirmed(struct cli *c, unsigned pid, struct err *err)
{
	struct run r = new_run(c);
	int code = -1;

	if (run_open(&r, c->opt.wait_s, err))
		code = take_back_waiting(c, &r, pid, err);
	run_close(&r);
	return code;
}

int verb_rollback(struct cli *c, struct err *err)
{
	struct run r;
	int code = -1;

	if (c->opt.list)
		return rollback_list(c, err);
	if (!cli_open_host(c, true, err))
		return -1;
	r = new_run(c);
	if (run_open(&r, c->opt.wait_s, err) && may_choose(c, &r, err))
		code = take_back(c, &r, err);
	run_close(&r);
	return code;
}
