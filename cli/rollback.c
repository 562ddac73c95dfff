#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "print.h"
#include "rollback.h"
#include "write.h"
#include "../policy/memory.h"

/* The ports that are here, newest first; returns how many are gone, and says which. */
static size_t find_ports(struct cli *c, const struct journal *undo, const struct inventory *inv,
			 struct targets *all)
{
	size_t gone = 0;

	for (size_t e = undo->count; e-- > 0;) {
		const struct port *here = NULL;

		for (size_t i = 0; i < inv->count; i++)
			if (journal_find(undo, &inv->ports[i]) == &undo->entries[e])
				here = &inv->ports[i];
		if (here) {
			all->list[all->count].task.port = *here;
			all->list[all->count++].task.want = undo->entries[e].back;
		} else if (c->opt.words_count == 0) {
			print_warning(c,
				      "%s (%s) is not here (unplugged, or in another network "
				      "namespace): it is not taken back, and its journal is kept",
				      undo->entries[e].name, undo->entries[e].pci);
			gone++;
		}
	}
	return gone;
}

static int nothing_to_do(struct cli *c, size_t gone)
{
	struct targets none = { NULL, 0 };

	if (c->opt.json)
		print_json(c, write_document(c, NULL, &none));
	else if (!c->opt.quiet && !gone)
		puts(c->opt.words_count
			     ? "nothing to take back on the ports named"
			     : "nothing to take back: no apply has changed anything since "
			       "the last boot or rollback");
	return gone ? EXIT_CANNOT_TELL : EXIT_AS_WISHED;
}

static void tell_unfinished(struct cli *c, const struct run *r)
{
	if (!r->recovering)
		return;
	if (r->waiting.there && r->waiting.until[0])
		print_warning(c, "the apply of %s waited for confirmation: it is taken back",
			      r->waiting.began);
	else
		print_warning(c, "a run that began at %s did not end: it is taken back",
			      r->pending.time);
}

/* A half that is taken back could be confirmed as a whole. */
static bool may_name_ports(struct cli *c, const struct run *r, struct err *err)
{
	if (!c->opt.words_count || !r->waiting.there)
		return true;
	err_record(err, ERR_LOCKED, EBUSY,
		   "the last apply waits for confirmation, and can only be taken back whole");
	return err_hint(err, "`losslessctl rollback` takes it back; after `losslessctl confirm` "
			     "ports can be named");
}

/* Plans and carries out, with the run open. */
static int take_back(struct cli *c, struct run *r, struct err *err)
{
	_inventory_ struct inventory inv = { .ports = NULL };
	_targets_ struct targets all = { NULL, 0 };
	const struct journal *undo;
	size_t gone;
	int code;

	if (!inventory_take(c, &inv, err))
		return -1;
	undo = r->recovering ? &r->pending : &r->last;
	tell_unfinished(c, r);
	all.list = calloc(undo->count + 1, sizeof(*all.list));
	if (!all.list)
		return err_no_memory(err) ? 0 : -1;
	gone = find_ports(c, undo, &inv, &all);
	if (!all.count)
		return nothing_to_do(c, gone);
	if (!write_plan(c, r, &all, err))
		return -1;
	code = write_carry_out(c, r, NULL, &all, err);
	for (size_t i = 0; i < all.count; i++)
		gone += all.list[i].skipped != 0;
	return code == EXIT_AS_WISHED && gone ? EXIT_CANNOT_TELL : code;
}

static struct run new_run(const struct cli *c)
{
	return (struct run){ .h = c->h,
			     .all = all_features,
			     .keep_going = c->opt.keep_going,
			     .undoing = true,
			     .lock = -1 };
}

/* An apply that died before its first write left nothing but the word that it waits. */
static int take_back_waiting(struct cli *c, struct run *r, unsigned pid, struct err *err)
{
	bool ours = r->waiting.there && r->waiting.pid == pid;

	if (r->recovering && (ours || !pid))
		return take_back(c, r, err);
	return !ours || waiting_end(c->h, err) ? NOTHING_WAITS : -1;
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

	if (!cli_open_host(c, true, err))
		return -1;
	r = new_run(c);
	if (run_open(&r, c->opt.wait_s, err) && may_name_ports(c, &r, err))
		code = take_back(c, &r, err);
	run_close(&r);
	return code;
}
