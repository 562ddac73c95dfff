#include "apply_port.h"

#include <errno.h>
#include <string.h>

#include "../../../policy/model/setting.h"
#include "read_back.h"
#include "roll_back_port.h"
#include "write_step.h"

static bool interrupted(const struct apply_ctx *ctx)
{
	int signal = ctx->h->interrupted(ctx->h);

	if (!signal)
		return false;
	err_record(&ctx->ret->err, ERR_INTERRUPTED, signal, "interrupted (%s)", strsignal(signal));
	err_locate(&ctx->ret->err, "%s", ctx->port.id.name);
	return true;
}

/* Fails if a lost setting must be in effect: it may read as desired nevertheless. */
static bool nothing_is_lost(const struct apply_ctx *ctx)
{
	struct config now = config_zeroed(&ctx->plan->proof, ctx->unseen);
	setting_set lost = config_diff(&ctx->plan->proof, &now);
	char names[SETTING_NAMES_MAX];

	if (!lost)
		return true;
	setting_names(lost, names);
	err_record(&ctx->ret->err, ERR_VERIFY, EIO,
		   "a failed write lost these settings in the adapter, although the driver still "
		   "reports them: %s",
		   names);
	if (lost & ctx->stuck)
		err_fix(&ctx->ret->err,
			"run `devlink dev reload pci/%s` to restart the driver, which restores "
			"them",
			ctx->port.id.pci);
	return err_in(&ctx->ret->err, "%s", ctx->port.id.name);
}

static bool run_steps(struct apply_ctx *ctx)
{
	const struct plan *p = ctx->plan;
	struct result *ret = ctx->ret;

	for (; ret->steps < p->count; ret->steps++) {
		if (interrupted(ctx))
			return false;
		if (!write_step(ctx, plan_before(p, ret->steps), &p->steps[ret->steps],
				&ret->err)) {
			ret->step_failed = !ctx->wait_was_cut;
			ret->steps += ctx->wait_was_cut;
			return false;
		}
	}
	return write_dependents(ctx, p, &ret->err) && !(p->count && interrupted(ctx)) &&
	       read_back(ctx->h, ctx->all, &ctx->port, &p->proof, &ret->ineffective, &ret->err) &&
	       nothing_is_lost(ctx);
}

bool apply_is_in_effect(const struct plan *p, struct result *ret)
{
	struct config now = config_zeroed(&p->before, p->lost.unseen);

	if (p->count || config_diff(&p->proof, &now))
		return false;
	*ret = (struct result){ .outcome = OUTCOME_UNCHANGED,
				.lost = { p->lost.stuck, p->lost.stuck } };
	return true;
}

bool apply_port(struct host *h, struct features all, const struct port *port, const struct plan *p,
		struct result *ret)
{
	struct apply_ctx ctx = { .h = h,
				 .all = all,
				 .port = *port,
				 .plan = p,
				 .goal = p->rolls_back ? &p->proof : &p->back,
				 .unseen = p->lost.unseen,
				 .stuck = p->lost.stuck,
				 .ret = ret };

	*ret = (struct result){ .outcome = p->count ? OUTCOME_APPLIED : OUTCOME_UNCHANGED,
				.lost = p->lost };
	if (!carrier_expected(h, &ctx.port, &ctx.had_carrier, &ret->err)) {
		ret->outcome = OUTCOME_NOT_ATTEMPTED;
		return false;
	}
	if (!run_steps(&ctx)) {
		if (ret->err.kind == ERR_INTERRUPTED && !p->recovers)
			ctx.goal = &p->back;
		return roll_back_port(&ctx);
	}
	ret->lost = (struct lost_settings){ ctx.stuck, ctx.stuck };
	return true;
}
