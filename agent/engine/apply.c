#include "apply.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../policy/model/setting.h"
#include "../../policy/util/fix_text.h"
#include "journal/lock.h"
#include "other_writers.h"

/* ---- outcomes ---- */

const char *outcome_name(enum outcome o)
{
	static const char *const names[] = {
		[OUTCOME_UNCHANGED] = "unchanged",
		[OUTCOME_APPLIED] = "applied",
		[OUTCOME_ROLLED_BACK] = "rolled_back",
		[OUTCOME_AWAITING] = "awaiting_confirmation",
		[OUTCOME_NOT_ATTEMPTED] = "not_attempted",
		[OUTCOME_REFUSED] = "refused",
		[OUTCOME_FAILED] = "failed",
		[OUTCOME_ROLLBACK_FAILED] = "rollback_failed",
	};

	return names[o];
}

enum step_status step_status(const struct plan *p, const struct result *r, size_t i)
{
	const struct step *s = &p->steps[i];

	if (i < r->steps)
		return (s->change | s->side) & r->ineffective ? STEP_FAILED : STEP_DONE;
	return i == r->steps && r->step_failed ? STEP_FAILED : STEP_NOT_ATTEMPTED;
}

const char *step_status_name(enum step_status s)
{
	static const char *const names[] = { [STEP_DONE] = "done",
					     [STEP_FAILED] = "failed",
					     [STEP_NOT_ATTEMPTED] = "not_attempted" };

	return names[s];
}

/* ---- waiting for the link ---- */

#define POLL_MS		20
#define REPORT_MS	2000
#define REPORT_AGAIN_MS 10000
/*
 * Time for the netdev to notice a link flap: mlx5 takes the link down inside the call, but the
 * event reaches the netdev later. Its count of carrier changes proves no flap: it rises for another
 * MTU, too, and for rings and channels (mlx5e_switch_priv_channels(), en_main.c).
 */
#define GRACE_MS 1000
/* Time for a bond to notice: it polls its members, and LACP takes a few messages. */
#define STEADY_MS 1500

/* IEEE 802.1AX, 6.4.2.3: in sync, collecting and distributing. */
#define LACP_IN_USE 0x38

/* True unless the bond reports that its member is not in use. */
static bool bond_takes(struct host *h, const struct port *port)
{
	struct err quiet = { 0 };
	char word[32], *end;
	unsigned long state;

	if (!port->id.bond[0] ||
	    !host_read_file(h, word, sizeof(word), &quiet,
			    "/sys/class/net/%s/bonding_slave/mii_status", port->id.name))
		return true;
	if (strcmp(word, "up") != 0)
		return false;
	if (!host_read_file(h, word, sizeof(word), &quiet,
			    "/sys/class/net/%s/bonding_slave/ad_actor_oper_port_state",
			    port->id.name))
		return true;
	state = strtoul(word, &end, 10);
	return end == word || (state & LACP_IN_USE) == LACP_IN_USE; /* "N/A" without LACP */
}

bool carrier_read(struct host *h, const struct port *port, bool *ret, struct err *err)
{
	struct link link;

	if (!host_link(h, port, &link, err))
		return err_in(err, "%s: reading the link", port->id.name);
	*ret = link.carrier && bond_takes(h, port);
	return true;
}

bool carrier_wait(struct host *h, const struct port *port, bool flaps, bool yields, struct err *err)
{
	uint64_t start = h->now_ms(h), waited = 0, reported = 0, away = 0;
	uint64_t steady = flaps && port->id.bond[0] ? STEADY_MS : 0;
	bool went = !flaps;

	for (; waited < CARRIER_WAIT_MS; waited = h->now_ms(h) - start) {
		bool there;

		if (!carrier_read(h, port, &there, err))
			return false;
		if (h->no_link_wait && h->interrupted(h))
			return true;
		if (!there) {
			away = waited;
			went = true;
		}
		if (there && (went || waited >= GRACE_MS) && waited - away >= steady)
			return true;
		if (yields && h->interrupted(h))
			return err_set(err, ERR_INTERRUPTED, h->interrupted(h), "interrupted (%s)",
				       strsignal(h->interrupted(h)));
		if (waited - reported >= (reported ? REPORT_AGAIN_MS : REPORT_MS)) {
			host_report(h, PROGRESS_WAIT, port->id.name,
				    "waiting for the link to come back (%u s of %d s)",
				    (unsigned)(waited / 1000), CARRIER_WAIT_MS / 1000);
			reported = waited;
		}
		host_sleep(h, POLL_MS);
	}
	err_record(err, ERR_SYSTEM, ENETDOWN, "the link did not come back within %d s",
		   CARRIER_WAIT_MS / 1000);
	return err_fix(err, "check the cable and the switch's port");
}

/* ---- apply ---- */

/* The apply of a plan to one port. */
struct apply_ctx {
	struct host *h;
	struct features all;
	struct port port; /* under its current name */
	const struct plan *plan;
	const struct config *goal; /* the settings that a failure restores */
	bool had_carrier;	   /* if set, the link must be back afterwards */
	setting_set unseen;	   /* reset to 0 by a failed write, and read otherwise */
	setting_set stuck; /* those of `unseen` that no write restores until the driver restarts */
	setting_set written;   /* touched by write requests, successful or not */
	setting_set rewritten; /* hidden from reads, and written by the rollback */
	bool rolling_back;
	bool link_stays_down; /* a whole wait of this way, forward or back, was in vain */
	bool wait_was_cut;    /* by a stop request, after a step that was written */
	struct result *ret;
};

/* ---- one step ---- */

/* A stop request ends the wait of the way forward; nothing ends that of the way back. */
static bool wait_for_link(struct apply_ctx *ctx, bool flaps, struct err *err)
{
	bool ok = carrier_wait(ctx->h, &ctx->port, flaps, !ctx->rolling_back, err);

	ctx->link_stays_down = !ok && err->code == ENETDOWN;
	ctx->wait_was_cut = !ok && err->kind == ERR_INTERRUPTED;
	return ok;
}

static bool reapply(struct apply_ctx *ctx, const struct step *s, struct err *err)
{
	if (s->disrupts < DISRUPTS_LINK || !ctx->had_carrier || ctx->link_stays_down)
		return true;
	return wait_for_link(ctx, true, err) &&
	       (!s->feature->reapply || s->feature->reapply(ctx->h, &ctx->port, &s->after, err));
}

/* The name that the port had may stay with it as an alternative one, by which writes reach it. */
static bool another_port_has(struct host *h, const struct port *port)
{
	_link_list_ struct link_list links = { .links = NULL };
	const struct link *owner;
	struct err quiet = { 0 };

	if (!host_links(h, &links, &quiet))
		return true;
	owner = link_by_name(&links, port->id.name);
	return owner && owner->ifindex != port->ifindex;
}

/*
 * Checks that a write reached this port, whose name may have moved meanwhile. If no port has the
 * old name now, none had it during the write: the write reached this port or none.
 */
static bool reached_port(const struct apply_ctx *ctx, bool ok, struct err *err)
{
	struct err moved = { 0 };
	struct link now;

	if (host_link(ctx->h, &ctx->port, &now, &moved))
		return ok;
	if (moved.code == ESTALE && another_port_has(ctx->h, &ctx->port))
		snprintf(ctx->ret->misdirected, sizeof(ctx->ret->misdirected), "%.15s",
			 ctx->port.id.name);
	if (ok || moved.code == ESTALE)
		*err = moved; /* the cause of any other error */
	return false;
}

/*
 * Carries out a step from the configuration `from`: writes, waits for the link, and checks that the
 * write reached this port.
 */
static bool apply_step(struct apply_ctx *ctx, const struct config *from, const struct step *s,
		       struct err *err)
{
	const char *name = ctx->port.id.name, *feature = s->feature->name;
	bool flaps = s->disrupts == DISRUPTS_LINK && ctx->had_carrier;
	uint64_t changes = ctx->h->changes;
	bool there, ok;

	/* Fails before the write if another port has the name now. */
	if (!carrier_read(ctx->h, &ctx->port, &there, err))
		return false;
	host_report(ctx->h, flaps ? PROGRESS_WAIT : PROGRESS_STEP, name, "writing %s%s", feature,
		    flaps ? " (the link will flap)" : "");
	ok = err_at(err, s->feature->write(ctx->h, &ctx->port, from, &s->after, err),
		    "%s: writing %s", name, feature) &&
	     err_at(err, reapply(ctx, s, err), "%s: after writing %s", name, feature);
	ctx->unseen |= err->unseen;
	ctx->stuck |= err->stuck;
	if (ok)
		ctx->unseen &= ~s->change | ctx->stuck;
	ctx->written |= ctx->h->changes != changes ? s->change | s->side | s->risk : 0;
	return err_at(err, reached_port(ctx, ok, err), "%s: writing %s", name, feature);
}

/* Writes the settings again that depend on those that plan `p` touched. */
static bool apply_dependent(struct apply_ctx *ctx, const struct plan *p, struct err *err)
{
	const struct config *end = plan_end(p);
	setting_set touched = plan_touched(p);
	const char *name = ctx->port.id.name;

	for (size_t i = 0; i < ctx->all.count; i++) {
		const struct feature *f = ctx->all.list[i];
		setting_set has = f->reapply_if_desired ? p->desired.has : end->has;

		if (!(f->rests_on & touched) || !(f->owns & has))
			continue;
		ctx->written |= f->owns;
		if (!err_at(err, reached_port(ctx, f->reapply(ctx->h, &ctx->port, end, err), err),
			    "%s: writing %s again", name, f->name))
			return false;
	}
	return true;
}

/* ---- back ---- */

#define ROUNDS	  3
#define SETTLE_MS 200

/* Restore under the port's current name. */
static void follow(struct apply_ctx *ctx)
{
	struct link now;
	struct err quiet = { 0 };

	if (ctx->h->link(ctx->h, ctx->port.ifindex, &now, &quiet))
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
		if (!apply_step(ctx, plan_before(p, i), &p->steps[i], err))
			return p->steps[i].feature;
		ctx->rewritten |= p->steps[i].feature->owns;
	}
	if (!apply_dependent(ctx, p, err))
		host_report(ctx->h, PROGRESS_WAIT, ctx->port.id.name, "%s", err->text);
	return NULL;
}

/*
 * Tries once to roll back: makes a new plan from the current state. An unreadable setting cannot be
 * planned; the next attempt may read it, and the last attempt restores the rest. A write that fails
 * ends an attempt; the last one goes on without that feature. Returns the settings that still
 * differ.
 */
static setting_set roll_back_once(struct apply_ctx *ctx, bool last, struct err *err)
{
	struct config back = *ctx->goal, actual, part;
	const struct feature *failed = NULL;
	struct observation seen;
	struct plan p;

	if (!observe(ctx->h, ctx->all, &ctx->port, &seen, err) ||
	    (!last && (back.has & ~seen.actual.has)))
		return back.has;
	do {
		back.has &= failed ? ~failed->owns : back.has;
		part = back;
		part.has &= seen.actual.has & ~plan_unreachable(ctx->all, &seen.actual, &back, 0);
		actual = config_zeroed(&seen.actual, ctx->unseen & ~ctx->stuck);
		actual.has &= ~still_hidden(ctx);
		plan_make(&p, observation_features(&seen), &ctx->port, &part, &actual);
		failed = write_steps(ctx, &p, err);
		if (!observe(ctx->h, ctx->all, &ctx->port, &seen, err))
			return ctx->goal->has;
	} while (failed && last && (failed->owns & back.has));
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
		return wait_for_link(ctx, false, &quiet);
	return carrier_read(ctx->h, &ctx->port, &there, &quiet) && there;
}

/*
 * Restores ctx->goal. Sets ctx->ret: the outcome, and the settings that are not restored. The
 * caller has recorded the cause in ctx->ret->err. Returns true if that was the aim of the plan
 * itself, and is reached: the cause is dropped.
 */
static bool apply_roll_back(struct apply_ctx *ctx)
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

void apply_roll_back_unstarted(struct host *h, struct features all, const struct port *port,
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
	(void)apply_roll_back(&ctx);
}

/* ---- forward ---- */

#define SETTLE_TRIES 5

#define VALUE_MAX 48 /* length of each value in a message */

/* Records the settings that are not in effect, the first of them with both values. */
static void record_ineffective(const struct config *desired, const struct config *actual,
			       setting_set off, struct err *err)
{
	unsigned first = (unsigned)__builtin_ctzll(off);
	char expected[SETTING_TEXT_MAX], reads[SETTING_TEXT_MAX], names[SETTING_NAMES_MAX];

	setting_change_text(&settings[first], desired, actual, expected, reads);
	setting_names(off & ~SETTING(first), names);
	err_record(err, ERR_VERIFY, EIO,
		   "accepted by the kernel but not in effect: %s (expected %.*s, reads %.*s)%s%s",
		   settings[first].path, VALUE_MAX, expected, VALUE_MAX, reads,
		   names[0] ? ", " : "", names);
	err_add_fix(err,
		    "report it to the maker of driver or firmware, unless another program writes "
		    "the setting");
}

bool verify_applied(struct host *h, struct features all, const struct port *port,
		    const struct config *desired, setting_set *ret_off, struct err *err)
{
	struct observation seen;
	setting_set off = 0;

	for (int try = 0; try < SETTLE_TRIES; try++) {
		if (try)
			host_sleep(h, SETTLE_MS);
		if (!observe(h, all, port, &seen, err))
			return false;
		off = config_diff(desired, &seen.actual);
		if (!off)
			return true;
	}
	if (ret_off)
		*ret_off = off;
	record_ineffective(desired, &seen.actual, off, err);
	return err_in(err, "%s: reading back", port->id.name);
}

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
		if (!apply_step(ctx, plan_before(p, ret->steps), &p->steps[ret->steps],
				&ret->err)) {
			ret->step_failed = !ctx->wait_was_cut;
			ret->steps += ctx->wait_was_cut;
			return false;
		}
	}
	return apply_dependent(ctx, p, &ret->err) &&
	       verify_applied(ctx->h, ctx->all, &ctx->port, &p->proof, &ret->ineffective,
			      &ret->err) &&
	       nothing_is_lost(ctx);
}

bool plan_is_in_effect(const struct plan *p, struct result *ret)
{
	struct config now = config_zeroed(&p->before, p->lost.unseen);

	if (p->count || config_diff(&p->proof, &now))
		return false;
	*ret = (struct result){ .outcome = OUTCOME_UNCHANGED,
				.lost = { p->lost.stuck, p->lost.stuck } };
	return true;
}

bool plan_apply(struct host *h, struct features all, const struct port *port, const struct plan *p,
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
	if (!carrier_read(h, &ctx.port, &ctx.had_carrier, &ret->err)) {
		ret->outcome = OUTCOME_NOT_ATTEMPTED;
		return false;
	}
	if (!run_steps(&ctx)) {
		if (ret->err.kind == ERR_INTERRUPTED)
			ctx.goal = &p->back;
		return apply_roll_back(&ctx);
	}
	ret->lost = (struct lost_settings){ ctx.stuck, ctx.stuck };
	return true;
}
