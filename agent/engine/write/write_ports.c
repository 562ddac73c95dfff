#include "write_ports.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../../policy/model/setting.h"
#include "../../../policy/util/oom.h"
#include "../../host/cleanup.h"
#include "../../host/log.h"
#include "../journal/last_run.h"
#include "../target/preflight.h"

#define READ_TRIES    3
#define READ_AGAIN_MS 200

/*
 * Turns a port that disappeared into a refusal if the others are to continue. A rollback goes on
 * past any port that cannot be read.
 */
static bool refuse_what_went(const struct engine *e, const struct run *r, struct target *t,
			     struct err *err)
{
	if (err->code == ENOMEM || !(r->rolling_back || (e->keep_going && err->kind == ERR_GONE)))
		return false;
	target_refuse(t, "port",
		      err->kind == ERR_GONE ? "the port was removed during the plan" : err->text,
		      "run the same command again when the port is back");
	*err = (struct err){ 0 };
	return true;
}

/* Reads a port. A rollback tries again where a read failed, as it could not restore that setting.
 */
static bool observe_target(const struct engine *e, struct target *t, struct err *err)
{
	const struct config desired = t->task.desired;

	for (int try = 1;; try++) {
		bool ok = target_observe(e, t, err);

		if (t->rule || try == READ_TRIES || (ok && !(t->skipped & t->seen.unknown)))
			return ok;
		*err = (struct err){ 0 };
		t->task.desired = desired;
		host_sleep(e->h, READ_AGAIN_MS);
	}
}

/*
 * Plans a target. A rollback leaves out the settings that it cannot restore, whose saved values are
 * kept, and restores the others.
 */
static void plan_target(const struct run *r, struct target *t)
{
	setting_set more;

	t->task.left_out = t->rule ? 0 : t->skipped;
	run_plan(r, &t->task, &t->seen);
	more = t->rule ? 0 : preflight_unrestorable(t);
	if (more) {
		t->task.left_out |= more;
		t->task.desired.has &= ~more;
		run_plan(r, &t->task, &t->seen);
	}
	if (!t->rule)
		t->skipped |= t->task.left_out;
}

/* Skips devices that no longer exist: they have no setting to roll back. */
static void skip_gone_devices(const struct engine *e, struct target *t)
{
	char gone[VLANS_MAX][VLAN_NAME_MAX];
	size_t n = vlan_egress_follow(&t->task.desired, &t->seen.actual, gone);

	for (size_t i = 0; i < n; i++)
		engine_warn(e,
			    "%s: VLAN device %s no longer exists here, or is of another VLAN: "
			    "its egress map is not rolled back",
			    t->task.port.id.name, gone[i]);
}

/* The plan of the apply has named them as not reversible. */
static void warn_of_unreachable(const struct engine *e, const struct target *t)
{
	char was[SETTING_TEXT_MAX];

	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if (t->task.unreachable & SETTING(i))
			engine_warn(e,
				    "%s: %s is not rolled back to %s: the driver cannot write it "
				    "together with the others",
				    t->task.port.id.name, settings[i].path,
				    setting_text(&settings[i], &t->task.desired, was));
}

/* The firmware derives no more what a program wrote: no rollback can give that back. */
static void warn_of_manual(const struct engine *e, const struct target *t)
{
	const struct plan *p = &t->task.plan;
	char names[SETTING_NAMES_MAX];

	for (size_t i = 0; i < p->count; i++)
		if (p->steps[i].feature->follows) {
			setting_names(p->steps[i].feature->owns, names);
			engine_warn(e,
				    "%s: %s stay as they are rolled back, and follow no later "
				    "change of PFC: a lossless policy must set them, until a cold "
				    "start of the adapter gives them back to the firmware",
				    t->task.port.id.name, names);
		}
}

/* A device above the port was raised after the apply: the journal knows nothing of it. */
static void warn_of_lowered(const struct engine *e, const struct target *t)
{
	const struct capabilities *c = &t->capabilities;
	uint32_t mtu = t->task.desired.mtu;

	if ((t->task.desired.has & SETTING(SETTING_MTU)) && c->largest_upper_mtu > mtu &&
	    t->seen.actual.mtu != mtu)
		engine_warn(e,
			    "%s: %s above the port has an MTU of %u: the kernel lowers it to %u "
			    "along with the port for good, or its larger packets are lost",
			    t->task.port.id.name, c->largest_upper, c->largest_upper_mtu, mtu);
}

/* An apply that completes an interrupted run may be unable to restore a setting that it does not
 * set. */
static void warn_of_left_out(const struct engine *e, const struct target *t)
{
	char names[SETTING_NAMES_MAX];

	if (!t->rule || !t->task.left_out)
		return;
	setting_names(t->task.left_out, names);
	engine_warn(e,
		    "%s: %s cannot be read: an interrupted run may have changed them, and their "
		    "saved values are kept for a later rollback",
		    t->task.port.id.name, names);
}

bool write_plan(const struct engine *e, const struct run *r, struct targets *all, struct err *err)
{
	for (size_t i = 0; i < all->count; i++) {
		struct target *t = &all->list[i];

		target_prepare(e, t);
		if (observe_target(e, t, err)) {
			if (!t->rule)
				skip_gone_devices(e, t);
			target_leave_to_lldpad(t);
			plan_target(r, t);
			warn_of_unreachable(e, t);
			warn_of_left_out(e, t);
			if (!t->rule) {
				warn_of_manual(e, t);
				warn_of_lowered(e, t);
			}
			preflight_look(e, t);
			t->is_planned = true;
		} else if (!refuse_what_went(e, r, t, err)) {
			return false;
		}
	}
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].is_planned)
			preflight(e, &all->list[i]);
	bonds_check(all);
	return true;
}

static enum outcome outcome_of(const struct targets *all)
{
	enum outcome worst = OUTCOME_UNCHANGED;

	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].task.result.outcome > worst)
			worst = all->list[i].task.result.outcome;
	return worst;
}

bool write_is_refused(const struct run *r, const struct targets *all)
{
	size_t refused = 0;

	for (size_t i = 0; i < all->count; i++)
		refused += all->list[i].refusals_count > 0;
	return refused && (refused == all->count || !r->keep_going);
}

/* Collects the tasks that are carried out; the others are refused. */
static size_t mark_refused(const struct run *r, struct targets *all, struct task **tasks)
{
	size_t count = 0;

	for (size_t i = 0; i < all->count; i++) {
		struct target *t = &all->list[i];

		t->task.result.outcome =
			t->refusals_count ? OUTCOME_REFUSED : OUTCOME_NOT_ATTEMPTED;
		if (!t->refusals_count)
			tasks[count++] = &t->task;
	}
	return write_is_refused(r, all) ? 0 : count;
}

static bool changes_anything(const struct run *r, struct task *const *tasks, size_t count)
{
	bool any = r->recovering;

	for (size_t i = 0; i < count; i++)
		any = any || tasks[i]->plan.count;
	return any;
}

/* True if the run left a change behind that somebody may want to keep, or has to look at. */
static bool leaves_change(const struct run *r, const struct targets *all)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct task *t = &all->list[i].task;

		if (t->result.outcome == OUTCOME_ROLLBACK_FAILED ||
		    (t->result.outcome <= OUTCOME_APPLIED && journal_find(&r->pending, &t->port)))
			return true;
	}
	return false;
}

/* Starts the wait for this run's own entries; those of earlier runs do not wait. */
static bool await_confirm(struct host *h, struct run *r, unsigned confirm_s, struct targets *all,
			  struct confirm_watchdog *s, struct err *err)
{
	if (s->line < 0)
		return true;
	if (!journal_own_count(&r->pending) || !leaves_change(r, all))
		return confirm_watchdog_dismiss(h, s, err);
	s->pending_confirm.not_rolled_back = outcome_of(all) == OUTCOME_ROLLBACK_FAILED;
	if (!confirm_watchdog_wait(h, s, confirm_s, err))
		return false;
	for (size_t i = 0; i < all->count; i++) {
		struct task *t = &all->list[i].task;

		if (t->result.outcome <= OUTCOME_APPLIED && journal_find(&r->pending, &t->port))
			t->result.outcome = OUTCOME_AWAITING;
	}
	return true;
}

/* Looks for findings that only the written port shows. */
static void look_again(const struct engine *e, struct targets *all)
{
	for (size_t i = 0; i < all->count; i++) {
		struct target *t = &all->list[i];

		if (t->rule && t->task.result.outcome == OUTCOME_APPLIED)
			preflight_look_again(e, t);
		else
			t->lints = 0;
	}
}

/* Names what was left to lldpad: not all is applied yet. */
static void report_left(const struct targets *all, struct err *err)
{
	char names[SETTING_NAMES_MAX];

	for (size_t i = 0; i < all->count; i++) {
		setting_set left = target_left_to_lldpad(&all->list[i]);

		if (!left)
			continue;
		setting_names(left, names);
		err_record(err, ERR_MISSING, ESRCH, "lldpad does not run yet: %s left to it",
			   names);
		err_locate(err, "%s", all->list[i].task.port.id.name);
		err_fix(err, "run `losslessctl verify` once lldpad runs, and `losslessctl apply` "
			     "if its file did not have the policy's settings");
		return;
	}
}

/* Names the success of a rollback; in an apply that of the ports that an earlier run left. */
static void settle_rollback(struct targets *all, bool whole_run)
{
	for (size_t i = 0; i < all->count; i++) {
		enum outcome *o = &all->list[i].task.result.outcome;

		if (*o == OUTCOME_APPLIED && (whole_run || !all->list[i].rule))
			*o = OUTCOME_ROLLED_BACK;
	}
}

bool write_carry_out(const struct engine *e, struct run *r, const struct write_request *q,
		     struct targets *all, struct write_report *ret, struct err *err)
{
	_confirm_watchdog_ struct confirm_watchdog watchdog = NO_CONFIRM_WATCHDOG;
	_free_ struct task **tasks = calloc(all->count + 1, sizeof(struct task *));
	const char *name = q->policy ? q->policy->name : "rollback";
	char started_at[TIMESTAMP_MAX];
	size_t count;

	*ret = (struct write_report){ .outcome = OUTCOME_UNCHANGED };
	run_facts_forget(&e->h->facts); /* the user may have been asked meanwhile */
	if (!tasks)
		return err_no_memory(err);
	timestamp_now(started_at);
	count = mark_refused(r, all, tasks);
	if (r->unconfirmed && count && changes_anything(r, tasks, count) &&
	    !confirm_watchdog_arm(e, name, started_at, q->on_expiry, &watchdog, err))
		return err_in(err, "before the first change");
	if (count) {
		last_run_begins(e, q->policy, all);
		(void)!run_tasks(r, tasks, count, name, started_at, &ret->err);
		last_run_ends(e, q->policy, all);
	}
	look_again(e, all);
	if (await_confirm(e->h, r, q->confirm_s, all, &watchdog, &ret->err))
		ret->wait = watchdog.pending_confirm;
	if (r->rolling_back)
		settle_rollback(all, true);
	ret->outcome = outcome_of(all);
	settle_rollback(all, r->rolling_back);
	if (ret->outcome <= OUTCOME_AWAITING)
		report_left(all, &ret->err);
	return true;
}
