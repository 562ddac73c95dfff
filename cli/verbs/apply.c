#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../agent/host/namespace.h"
#include "../../policy/util/oom.h"
#include "../backends.h"
#include "../output/print.h"
#include "../sandbox/policy_file.h"
#include "../sandbox/policy_signature.h"
#include "../write.h"
#include "plan.h"

static bool is_target(const struct targets *all, const struct port *p)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].task.port.ifindex == p->ifindex)
			return true;
	return false;
}

/*
 * Ports that an interrupted run left between, and that this one does not want:
 * they go back to what they were.
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
		print_warning(c,
			      "%s: an earlier run left it half done; it goes back to what it was",
			      p->id.name);
		all->list[all->count] = (struct target){ 0 };
		all->list[all->count++].task.port = *p;
	}
	return true;
}

/* An interrupted run may have been at ports that this command line does not name. */
static bool recover(struct cli *c, const struct run *r, struct targets *all, struct err *err)
{
	_inventory_ struct inventory every = { .ports = NULL };

	if (!r->recovering)
		return true;
	if (r->pending_confirm.there)
		print_warning(c,
			      "the apply of %s was not confirmed, and the process that was to take "
			      "it back is gone",
			      r->pending_confirm.began);
	warn_of_runs(c, &r->pending, !r->pending_confirm.there, "");
	return inventory_take(&c->engine, EVERY_PORT, &every, err) &&
	       add_left_behind(c, r, &every, all, err);
}

static int apply(struct cli *c, struct run *r, const struct policy *p, struct err *err)
{
	_inventory_ struct inventory inv = { .ports = NULL };
	_targets_ struct targets all = { NULL, 0 };

	if (!run_open(r, c->opt.wait_s, err) || !signature_take_generation(c->h, p, err) ||
	    !inventory_take(&c->engine, &c->engine.selection, &inv, err) ||
	    !targets_find(&c->engine, p, &inv, &all, err) || !recover(c, r, &all, err) ||
	    !write_plan(c, r, &all, err))
		return -1;
	return write_carry_out(c, r, p, &all, err);
}

int verb_apply(struct cli *c, struct err *err)
{
	_free_ struct policy *p = NULL;
	struct run r = { .all = all_backends.features,
			 .keep_going = c->opt.keep_going,
			 .lock = -1 };
	int code;

	if (!cli_open_host(c, true, err) || (!c->opt.netns_ok && !namespace_is_hosts(c->h, err)) ||
	    !policy_open(c, &p, err))
		return -1;
	r.h = c->h;
	r.user = c->user;
	r.unconfirmed = c->opt.confirm_s > 0;
	code = apply(c, &r, p, err);
	run_close(&r);
	return code;
}
