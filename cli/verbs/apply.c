#include "../../agent/engine/journal/policy_generation.h"
#include "../../agent/engine/write/recovery_ports.h"
#include "../../agent/engine/write/rollback.h"
#include "../../agent/host/cleanup.h"
#include "../interrupt.h"
#include "../output/lint_text.h"
#include "../output/write_report.h"
#include "../sandbox/policy_file.h"
#include "verbs.h"

static bool plan_ports(struct cli *c, const struct run *r, const struct policy *p,
		       struct targets *all, struct err *err)
{
	_inventory_ struct inventory inv = { .ports = NULL };

	if (!inventory_read(&c->engine, &c->engine.selection, &inv, err))
		return false;
	if (!targets_find(&c->engine, p, &inv, all, err))
		return false;
	if (!recovery_add(&c->engine, r, all, err))
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
	run_close(r); /* a reader of the report may take its time */
	interrupt_end();
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
