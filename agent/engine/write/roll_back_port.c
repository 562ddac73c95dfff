#include "roll_back_port.h"

#include <errno.h>
#include <stdio.h>

#include "../../../policy/model/setting.h"
#include "../../../policy/util/fix_text.h"
#include "../journal/lock.h"
#include "../other_writers.h"

#define ROUNDS 3

/* Restore under the port's current name. */
static void follow(struct apply_ctx *ctx)
{
	struct link now;
	struct err quiet = { 0 };

	if (!ctx->port.no_interface && ctx->h->link(ctx->h, ctx->port.ifindex, &now, &quiet))
		snprintf(ctx->port.id.name, sizeof(ctx->port.id.name), "%s", now.name);
}

/* Returns the settings that neither this run nor an interrupted one changed. */
static setting_set untouched(const struct apply_ctx *ctx)
{
	return ~(ctx->written | config_diff(ctx->goal, &ctx->plan->before));
}

/* Returns the settings that reads do not show, and that the rollback has not written yet. */
static setting_set still_hidden(const struct apply_ctx *ctx)
{
	setting_set touched = ~untouched(ctx);

	return features_hidden(ctx->h, ctx->all, &ctx->port, touched) & ctx->goal->has &
	       ~ctx->rewritten;
}

/*
 * Returns the settings that a failed write may have reset in the adapter, and that read otherwise
 * than `back`: they may also have the value that they read.
 */
static setting_set read_otherwise(const struct apply_ctx *ctx, const struct config *back,
				  const struct config *actual)
{
	return ctx->unseen & ~ctx->stuck & config_diff(back, actual);
}

/*
 * Returns the settings that are not restored, by the values read and by the known losses of failed
 * writes. Counts a setting that was never written and cannot be read as restored. Those that no
 * write can restore are kept apart: the plan named them.
 */
static setting_set still_different(struct apply_ctx *ctx, const struct config *actual)
{
	const struct config *back = ctx->goal;
	setting_set unread = ~actual->has, left;

	ctx->ret->now = config_zeroed(actual, ctx->unseen);
	ctx->ret->unseen = config_diff(actual, &ctx->ret->now);
	left = config_diff(back, &ctx->ret->now) & ~(unread & untouched(ctx));
	left |= read_otherwise(ctx, back, actual);
	left |= still_hidden(ctx);
	ctx->ret->now.has &= ~still_hidden(ctx);
	ctx->ret->not_rolled_back = left;
	return left & ~plan_unreachable(ctx->all, &ctx->ret->now, back, 0);
}

/* Carries out the steps. Returns the feature whose write failed, or NULL. */
static const struct feature *write_steps(struct apply_ctx *ctx, const struct plan *p,
					 struct err *err)
{
	for (size_t i = 0; i < p->count; i++) {
		if (!write_step(ctx, plan_before(p, i), &p->steps[i], err))
			return p->steps[i].feature;
		ctx->rewritten |= p->steps[i].feature->owns;
	}
	if (!write_dependents(ctx, p, err))
		host_report(ctx->h, PROGRESS_WAIT, ctx->port.id.name, "%s", err->text);
	return NULL;
}

/* All features but one, in the same order. */
static struct features without(struct features all, const struct feature *one,
			       const struct feature *room[FEATURES_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < all.count; i++)
		if (all.list[i] != one)
			room[n++] = all.list[i];
	return (struct features){ room, n };
}

/*
 * Tries once to roll back: makes a new plan from the current state. An unreadable setting cannot be
 * planned; the next attempt may read it, and the last attempt restores the rest. A write that fails
 * ends an attempt; the last one goes on without that feature: if a program was to write, as lldpad
 * that hangs, with the kernel's own. Returns the settings that still differ.
 */
static setting_set roll_back_once(struct apply_ctx *ctx, bool last, struct err *err)
{
	struct config back = *ctx->goal, actual, part;
	const struct feature *failed = NULL, *room[FEATURES_MAX];
	struct features by = ctx->all;
	struct observation seen;
	struct plan p;
	bool again;

	if (!observe(ctx->h, by, &ctx->port, &seen, err) ||
	    (!last && (back.has & ~seen.actual.has)))
		return back.has;
	do {
		part = back;
		part.has &= seen.actual.has & ~plan_unreachable(by, &seen.actual, &back, 0);
		actual = config_zeroed(&seen.actual,
				       ctx->unseen & ~ctx->stuck &
					       ~read_otherwise(ctx, &back, &seen.actual));
		actual.has &= ~still_hidden(ctx);
		plan_make(&p, observation_features(&seen), &ctx->port, &part, &actual);
		failed = write_steps(ctx, &p, err);
		again = failed && last && (failed->owns & back.has);
		if (failed && failed->writes_by_program)
			by = without(by, failed, room);
		else if (failed)
			back.has &= ~failed->owns;
		if (!observe(ctx->h, by, &ctx->port, &seen, err))
			return ctx->goal->has;
	} while (again);
	return still_different(ctx, &seen.actual);
}

/* Turns the recorded error into ERR_ROLLBACK_FAILED and keeps its cause. */
static void name_failed_rollback(const struct apply_ctx *ctx)
{
	struct err *err = &ctx->ret->err;
	const char *port = ctx->port.id.name;
	char names[SETTING_NAMES_MAX], word[SHELL_NAME_MAX];

	setting_names(ctx->ret->not_rolled_back, names);
	err->kind = ERR_ROLLBACK_FAILED;
	err->fix[0] = '\0';
	if (ctx->ret->lldpad_alone)
		err_fix(err,
			"the kernel has all settings from before; not rolled back: %s, which "
			"lldpad keeps: start lldpad, then run `losslessctl rollback`",
			names);
	else if (ctx->ret->not_rolled_back)
		err_fix(err,
			"not rolled back: %s; run `losslessctl show%s` to see the actual values",
			names, shell_operand(port, word, sizeof(word)));
	else if (ctx->ret->no_carrier)
		err_fix(err, "the settings are rolled back, but the link of %s is down", port);
	else
		err_fix(err,
			"the settings are rolled back, but another port is now named %s and may "
			"have been written to; run `losslessctl show%s` to check it",
			ctx->ret->misdirected,
			shell_operand(ctx->ret->misdirected, word, sizeof(word)));
}

/* A rollback whose settings are all restored has succeeded, although a write failed on its way. */
static bool settle(struct apply_ctx *ctx, bool restored)
{
	struct result *ret = ctx->ret;

	if (restored && ctx->goal == &ctx->plan->back) {
		ret->outcome = OUTCOME_FAILED;
		return false;
	}
	if (!restored) {
		ret->outcome = OUTCOME_ROLLBACK_FAILED;
		name_failed_rollback(ctx);
		return false;
	}
	ret->err = (struct err){ 0 };
	ret->steps = ctx->plan->count;
	ret->step_failed = false;
	ret->ineffective = 0;
	return true;
}

/* Waits for the link, unless the rollback has done so in vain. */
static bool link_is_back(struct apply_ctx *ctx)
{
	struct err quiet = { 0 };
	bool there = false;

	if (!ctx->link_stays_down)
		return write_wait_for_link(ctx, false, &quiet);
	return carrier_read(ctx->h, &ctx->port, &there, &quiet) && there;
}

bool roll_back_port(struct apply_ctx *ctx)
{
	struct result *ret = ctx->ret;
	setting_set left = ctx->goal->has;
	unsigned *tries = &ret->rollback_tries;

	ctx->rolling_back = true;
	ctx->link_stays_down = false;
	follow(ctx);
	if (!ctx->plan->rolls_back)
		lock_set_work(ctx->h, WORK_ROLLING_BACK);
	host_report(ctx->h, PROGRESS_WAIT, ctx->port.id.name, "rolling back");
	for (*tries = 0; left && *tries < ROUNDS; ++*tries) {
		if (*tries)
			host_sleep(ctx->h, SETTLE_MS);
		follow(ctx);
		ret->rollback_err = (struct err){ 0 };
		left = roll_back_once(ctx, *tries == ROUNDS - 1, &ret->rollback_err);
	}
	ret->no_carrier = ctx->had_carrier && !link_is_back(ctx);
	ret->not_rolled_back |= left;
	ret->lldpad_alone =
		left && !ret->no_carrier && !ret->misdirected[0] &&
		lldpad_keeps(ret->not_rolled_back, ctx->goal, &ret->now) == ret->not_rolled_back;
	ret->lost = (struct lost_settings){ ret->unseen | ctx->stuck, ctx->stuck };
	ret->unseen &= left;
	ret->stuck = ret->unseen & ctx->stuck;
	return settle(ctx, !left && !ret->no_carrier && !ret->misdirected[0]);
}

void roll_back_port_unstarted(struct host *h, struct features all, const struct port *port,
			      const struct plan *p, struct result *ret)
{
	struct apply_ctx ctx = { .h = h,
				 .all = all,
				 .port = *port,
				 .plan = p,
				 .goal = &p->back,
				 .had_carrier = port->carrier,
				 .ret = ret };

	err_record(&ret->err, ERR_SYSTEM, ESTALE,
		   "settings meant for another port may have been written to this one");
	(void)roll_back_port(&ctx);
}
