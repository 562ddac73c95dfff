#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/engine/journal/policy_generation.h"
#include "../../agent/engine/journal/unfinished.h"
#include "../../agent/engine/write/rollback.h"
#include "../../agent/host/cleanup.h"
#include "../../policy/util/oom.h"
#include "../output/lint_text.h"
#include "../output/print.h"
#include "../output/write_report.h"
#include "../sandbox/policy_file.h"
#include "verbs.h"

static bool is_target(const struct targets *all, const struct port *p)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].task.port.ifindex == p->ifindex)
			return true;
	return false;
}

/*
 * Adds ports that an interrupted run left partially configured and this run does not change, to
 * roll them back.
 */
static bool add_left_behind(struct cli *c, const struct run *r, const struct inventory *every,
			    struct targets *all, struct err *err)
{
	struct target *list = reallocarray(all->list, all->count + every->count + 1, sizeof(*list));

	if (!list)
		return err_no_memory(err);
	all->list = list;
	for (size_t i = 0; i < every->count; i++) {
		const struct port *p = &every->ports[i];

		if (!journal_find(&r->pending, p) || is_target(all, p))
			continue;
		print_warning(
			c,
			"%s: an earlier run left it partially configured; this run rolls it back",
			p->id.name);
		all->list[all->count] = (struct target){ 0 };
		all->list[all->count++].task.port = *p;
	}
	return true;
}

/* Only the return of such a port, or a boot, ends what the run has begun. */
static void warn_of_gone(struct cli *c, const struct run *r, const struct inventory *every)
{
	for (size_t i = 0; i < r->pending.count; i++) {
		const struct journal_entry *left = &r->pending.entries[i];

		if (!rollback_port_of(&r->pending, left, every))
			print_warning(c,
				      "%s (%s) is not present: the run stays incomplete until the "
				      "port is back, or the host boots",
				      left->name, left->pci);
	}
}

/*
 * Considers all ports: an interrupted run may have changed ports that this command line does not
 * name.
 */
static bool recover(struct cli *c, const struct run *r, struct targets *all, struct err *err)
{
	_inventory_ struct inventory every = { .ports = NULL };

	if (r->set_aside.kind)
		print_warning(c,
			      "%s: %s: it is kept as " JOURNAL_DAMAGED
			      "; the values from before that run are lost",
			      r->set_aside.where, r->set_aside.text);
	if (!r->recovering)
		return true;
	if (r->pending_confirm.there)
		print_warning(c,
			      "the apply of %s was not confirmed, and its background process has "
			      "ended before it rolled back",
			      r->pending_confirm.started_at);
	unfinished_warn_runs(&c->engine, &r->pending, !r->pending_confirm.there,
			     "; this run completes it on the ports that are present");
	if (!inventory_read(&c->engine, EVERY_PORT, &every, err))
		return false;
	warn_of_gone(c, r, &every);
	return add_left_behind(c, r, &every, all, err);
}

static bool plan_ports(struct cli *c, const struct run *r, const struct policy *p,
		       struct targets *all, struct err *err)
{
	_inventory_ struct inventory inv = { .ports = NULL };

	if (!inventory_read(&c->engine, &c->engine.selection, &inv, err))
		return false;
	if (!targets_find(&c->engine, p, &inv, all, err))
		return false;
	if (!recover(c, r, all, err))
		return false;
	if (!write_plan(&c->engine, r, all, err))
		return false;
	print_lints_of_plans(c, all);
	return true;
}

/* Takes the lock first, so that no other run changes the ports after they are read. */
static int apply(struct cli *c, struct run *r, const struct policy *p, struct err *err)
{
	const struct write_request request = { p, c->opt.confirm_s, rollback_unconfirmed };
	_targets_ struct targets all = { NULL, 0 };
	struct write_report report;

	if (!run_open(r, c->opt.lock_timeout_s, err))
		return -1;
	if (!policy_generation_check(c->h, p, err))
		return -1;
	if (!plan_ports(c, r, p, &all, err))
		return -1;
	if (!write_is_refused(r, &all) && !policy_generation_accept(c->h, p, err))
		return -1;
	if (!write_carry_out(&c->engine, r, &request, &all, &report, err))
		return -1;
	print_lints(c, &all);
	return print_write_report(c, p, &all, &report);
}

int verb_apply(struct cli *c, struct err *err)
{
	_free_ struct policy *p = NULL;
	struct run r;
	int code;

	if (!cli_open_host(c, true, err))
		return -1;
	if (!cli_check_netns(c, err))
		return -1;
	if (!policy_open(c, &p, err))
		return -1;
	r = (struct run){ .h = c->h,
			  .all = c->engine.backends->features,
			  .keep_going = c->opt.keep_going,
			  .user = c->user,
			  .unconfirmed = c->opt.confirm_s > 0,
			  .lock = -1 };
	code = apply(c, &r, p, err);
	run_close(&r);
	return code;
}
