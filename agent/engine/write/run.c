#include "run.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../../policy/model/setting.h"
#include "apply_port.h"
#include "../engine.h"
#include "../journal/lock.h"
#include "../journal/lost_settings.h"
#include "recovery.h"
#include "roll_back_port.h"

/* Ports not reached are unchanged: only entries of an earlier run still need recovery. */
static void run_forget_not_reached(struct run *r, const struct task *t)
{
	struct journal_entry *e = journal_find(&r->pending, &t->port);

	if (t->result.outcome == OUTCOME_NOT_ATTEMPTED && e && !t->left_behind)
		journal_drop(&r->pending, e);
}

/* Lists rolled-back applies only: repairs and rollbacks do not count as applies. */
static bool record_undone(struct run *r, const struct journal_entry *e, bool failed,
			  struct err *err)
{
	struct journal_entry undone = { .rolled_back = true,
					.undone = UNDONE_FAILED,
					.left_by = *journal_run_of(&r->pending, e) };

	if (strcmp(undone.left_by.verb, "apply") != 0)
		return true;
	if (!failed)
		undone.undone =
			undone.left_by.unconfirmed ? UNDONE_NOT_CONFIRMED : UNDONE_BY_ROLLBACK;
	snprintf(undone.name, sizeof(undone.name), "%s", e->name);
	snprintf(undone.pci, sizeof(undone.pci), "%s", e->pci);
	return journal_add(&r->undone, &undone, err);
}

/*
 * Drop the entry of a port in sync or rolled back; keep it if the rollback failed. An incomplete
 * rollback keeps the saved state, so that another one can complete it.
 */
static bool run_record_result(struct run *r, const struct task *t, struct err *err)
{
	struct journal_entry *e = journal_find(&r->pending, &t->port);
	bool in_sync = t->result.outcome <= OUTCOME_APPLIED;
	bool failed = !in_sync && !r->rolling_back && !r->repairing;

	if (!lost_settings_record(r->h, &t->port, &t->result.lost, err) && !r->rolling_back)
		return false;
	if (!in_sync && t->result.outcome != OUTCOME_FAILED)
		return true;
	if (in_sync && r->unconfirmed)
		return true;
	if (in_sync && t->left_out && r->recovering)
		return true;
	if (in_sync && t->before_apply)
		applies_roll_back(&r->applies, t->before_apply, &t->port, t->left_out);
	if (in_sync && e && !r->rolling_back && (!r->repairing || t->left_behind) &&
	    !journal_add(&r->roll_back, e, err))
		return false;
	if (e && ((r->rolling_back && r->recovering) || failed) &&
	    !record_undone(r, e, failed, err))
		return false;
	if (e)
		journal_drop(&r->pending, e);
	return true;
}

/*
 * Saves the entries that still need recovery; if all do, the file is up to date. If none does,
 * keeps the rolled-back ones in the list, as far as possible.
 */
static bool end_pending(struct run *r, struct err *err)
{
	struct err quiet = { 0 };

	if (!r->pending.count && r->undone.count && applies_end_undone(r->h, &r->undone, &quiet))
		return true;
	return (r->pending.count && r->pending.count == r->recorded) ||
	       journal_save(r->h, JOURNAL_PENDING, &r->pending, err);
}

/* Lists the failed ports of this run with the applied ones. */
static bool add_applied(struct run *r, struct err *err)
{
	for (size_t i = 0; i < r->undone.count; i++) {
		struct journal_entry e = r->undone.entries[i];

		e.left_by = (struct journal_run){ .time = "" };
		if (!journal_add(&r->roll_back, &e, err))
			return false;
	}
	r->undone.count = 0;
	return applies_add(r->h, &r->roll_back, err);
}

/*
 * If all entries were applied, the pending file becomes the newest apply in one step, which needs
 * no room. Otherwise saves the applied part first and then ends the run, so that a crash in between
 * keeps both. An apply without changes is not listed.
 *
 * A rollback ends first and marks the applies afterwards, because its own room is in reserve by
 * then. After a crash in between, the apply can be rolled back again, to the same state.
 */
static bool run_finish(struct run *r, struct err *err)
{
	bool ended;

	if (r->rolling_back) {
		ended = end_pending(r, err);
		return applies_save(r->h, &r->applies, err) && ended;
	}
	if (r->recorded && r->roll_back.count == r->recorded)
		return applies_keep(r->h, err);
	return (!r->roll_back.count || add_applied(r, err)) && end_pending(r, err);
}

/* Another run, an interruption and a directory that others can change stop a rollback, too. */
static bool stops_rollback(const struct err *err)
{
	return err->kind == ERR_LOCKED || err->kind == ERR_INTERRUPTED ||
	       err->kind == ERR_REFUSED || err->code == ENOMEM;
}

/* Passes over an error of a state file with a warning, if this run rolls back. */
static bool may_pass(const struct run *r, struct err *err)
{
	if (!r->rolling_back || stops_rollback(err))
		return false;
	if (r->warns)
		engine_warn(r->warns, "%s; the rollback goes on", err->text);
	*err = (struct err){ 0 };
	return true;
}

/*
 * Others could end there the wait for a confirmation, or take a lock from its holder. A rollback
 * goes on: it takes no journal from there.
 */
static bool run_state_is_trusted(const struct run *r, struct err *err)
{
	if (r->by_watchdog || host_owns_dir(r->h, JOURNAL_COPY_DIR, err))
		return true;
	if (!r->rolling_back)
		return false;
	if (r->warns)
		engine_warn(r->warns, "%s; the rollback goes on", err->text);
	*err = (struct err){ 0 };
	return true;
}

/* A rollback takes the lock of a file that it cannot write, or goes on without any. */
static bool take_lock(struct run *r, unsigned timeout_s, struct err *err)
{
	struct err why;

	if (lock_acquire(r->h, timeout_s, &r->lock, err))
		return true;
	why = *err;
	if (!may_pass(r, err))
		return false;
	if (lock_acquire_as_it_is(r->h, timeout_s, &r->lock, err) || stops_rollback(err))
		return r->lock >= 0;
	*err = (struct err){ 0 };
	err_record(&r->unlocked, ERR_SYSTEM, why.code,
		   "no lock kept another run from writing meanwhile: %s", why.text);
	return true;
}

static bool nothing_waits(struct run *r, struct err *err)
{
	const struct pending_confirm *w = &r->pending_confirm;

	if (!pending_confirm_load(r->h, &r->pending_confirm, err) && !may_pass(r, err))
		return false;
	if (!w->there || r->rolling_back)
		return true;
	if (!w->watched && !r->repairing) /* its watchdog is gone: handle it by the journal */
		return pending_confirm_end(r->h, err);
	/* The journal says what is left: nobody else rolls it back (run_open()). */
	if (!w->watched && (!w->expires_at[0] || pending_confirm_is_over(r->h, w)))
		return true;
	return pending_confirm_refuse(r->h, w, err);
}

bool run_open(struct run *r, unsigned timeout_s, struct err *err)
{
	r->lock = -1;
	if ((!r->by_watchdog && !journal_prepare(r->h, err) && !may_pass(r, err)) ||
	    !run_state_is_trusted(r, err) || !take_lock(r, timeout_s, err) ||
	    !nothing_waits(r, err))
		return false;
	if (!r->by_watchdog || !journal_load_copy(r->h, &r->pending)) {
		if (!recovery_load(r->h, r->all, r->rolling_back, &r->pending, &r->set_aside, err))
			return false;
	}
	r->recovering = r->pending.count > 0;
	/* The agent rolls it back first, see unconfirmed.c. */
	if (r->repairing && r->pending.run.unconfirmed && journal_own_count(&r->pending))
		return err_set(err, ERR_REFUSED, EBUSY,
			       "the apply of %s was not confirmed, and is not rolled back: run "
			       "`losslessctl rollback`, or `losslessctl apply` if its port is gone "
			       "for good",
			       r->pending.run.time);
	/* An unconfirmed apply is none of them yet. */
	return r->repairing || (r->by_watchdog && r->recovering) ||
	       applies_load(r->h, &r->applies, err) || (r->recovering && may_pass(r, err));
}

void run_close(struct run *r)
{
	journal_free(&r->pending);
	journal_free(&r->roll_back);
	journal_free(&r->undone);
	applies_free(&r->applies);
	if (r->lock >= 0 && r->recorded)
		lock_stamp(r->lock);
	if (r->lock >= 0)
		close(r->lock);
	r->lock = -1;
}

void run_plan(const struct run *r, struct task *t, const struct observation *seen)
{
	const struct journal_entry *left = journal_find(&r->pending, &t->port);
	struct lost_settings lost = lost_settings_of(r->h, &t->port);
	struct config zeroed = { .has = lost.unseen & ~lost.stuck & seen->actual.has };
	struct config actual = config_overlay(&seen->actual, &zeroed), back = { .has = 0 };

	if (r->rolling_back)
		t->unreachable =
			plan_unreachable(observation_features(seen), &seen->actual, &t->desired, 0);
	t->desired.has &= ~t->unreachable;
	t->left_behind = left != NULL;
	if (left) {
		back = recovery_back(left, seen);
		t->left_out |= recovery_left_out(&back, &t->desired, seen);
		t->desired = recovery_goal(&t->port, &t->desired, &back, seen);
		t->desired.has &= ~t->left_out;
	}
	if (r->rolling_back)
		actual.has &=
			~(t->desired.has & features_hidden(r->h, r->all, &t->port, t->desired.has));
	task_plan(t, observation_features(seen), &actual);
	t->plan.lost = lost;
	t->plan.rolls_back = r->rolling_back;
	t->plan.recovers = left != NULL;
	if (left)
		t->plan.back = config_overlay(&t->plan.back, &back);
}

static struct journal_entry entry_of(const struct run *r, const struct task *t)
{
	struct journal_entry e = { .before_apply = t->before_apply };
	struct config back = recovery_state(r->rolling_back, &t->desired, &t->plan.back);

	/* A rollback that ends half way is completed by this entry, with what it left out. */
	e.back = t->desired;
	e.back.has = r->rolling_back ? t->left_out : 0;
	e.back = config_overlay(&e.back, &back);
	if (r->unconfirmed)
		e.applied = t->plan.desired;
	snprintf(e.name, sizeof(e.name), "%.15s", t->port.id.name);
	snprintf(e.pci, sizeof(e.pci), "%s", t->port.id.pci);
	return e;
}

/*
 * Saves the journal. A rollback goes on without it: the journals of the applies hold the same
 * values until it ends. Recovery needs no new room: its data is on disk already. An apply reserves
 * room to roll back; if there is none, it fails before any change and leaves no journal.
 */
static bool save_begun(struct run *r, struct err *err)
{
	struct journal none = { .entries = NULL };
	struct err quiet = { 0 };

	if (r->pending.count == 0 || (r->rolling_back && r->recovering))
		return true;
	if (!r->rolling_back && !r->recovering && !journal_has_room(r->h, err))
		return false;
	if (!journal_save(r->h, JOURNAL_PENDING, &r->pending, r->rolling_back ? &quiet : err))
		return r->rolling_back;
	if (r->rolling_back || r->repairing || applies_reserve(r->h, &r->applies, &r->pending, err))
		return true;
	if (!r->recovering)
		(void)!journal_save(r->h, JOURNAL_PENDING, &none, &quiet);
	return false;
}

static enum lock_work work_of(const struct run *r)
{
	if (!r->rolling_back)
		return WORK_APPLYING;
	return pending_confirm_is_ours(&r->pending_confirm) ? WORK_ROLLING_BACK
							    : WORK_ROLLING_BACK_ALL;
}

/* An entry that was not saved is of no run: nothing waits for its confirmation. */
static void forget_own(struct run *r)
{
	for (size_t i = r->pending.count; i--;)
		if (!r->pending.entries[i].left_by.time[0])
			journal_drop(&r->pending, &r->pending.entries[i]);
}

static bool record_all(struct run *r, struct task *const *tasks, size_t count, struct err *err)
{
	for (size_t i = 0; i < count; i++) {
		struct journal_entry e = entry_of(r, tasks[i]);

		/*
		 * Keep the whole entry during recovery: a task may leave out settings that cannot
		 * be read now.
		 */
		if (r->rolling_back && r->recovering)
			continue;
		if ((tasks[i]->plan.count || journal_find(&r->pending, &tasks[i]->port)) &&
		    !journal_add(&r->pending, &e, err))
			return false;
	}
	r->recorded = r->pending.count;
	if (r->recorded)
		lock_set_work(r->h, work_of(r));
	return save_begun(r, err);
}

static struct journal_run name_run(const struct run *r, const char *policy, const char *time)
{
	struct journal_run run;

	snprintf(run.policy, sizeof(run.policy), "%s", policy);
	snprintf(run.time, sizeof(run.time), "%s", time);
	snprintf(run.verb, sizeof(run.verb), "%s",
		 r->rolling_back ? "rollback"
		 : r->repairing	 ? "repair"
				 : "apply");
	snprintf(run.user, sizeof(run.user), "%s", r->user ? r->user : "");
	run.unconfirmed = r->unconfirmed;
	return run;
}

/*
 * Names the pending journal after this run. Entries of an interrupted run keep its name until this
 * run plans their ports. A rollback that recovers renames nothing.
 */
static void name_journals(struct run *r, const char *policy, const char *time)
{
	r->roll_back.run = name_run(r, policy, time);
	if (r->rolling_back && r->recovering)
		return;
	for (size_t i = 0; i < r->pending.count; i++)
		r->pending.entries[i].left_by =
			*journal_run_of(&r->pending, &r->pending.entries[i]);
	r->pending.run = r->roll_back.run;
}

/*
 * Rolls back the port of this run that now has the name used in a misdirected write: that write may
 * have reached it, even if its own plan does not touch the setting.
 */
static void roll_back_misdirected(struct run *r, struct task *const *tasks, size_t count,
				  const struct task *misdirected, struct err *err)
{
	const char *name = misdirected->result.misdirected;

	for (size_t i = 0; i < count; i++) {
		struct task *t = tasks[i];
		struct err quiet = { 0 };
		struct link now;

		if (!r->h->link(r->h, t->port.ifindex, &now, &quiet) || strcmp(now.name, name) != 0)
			continue;
		plan_roll_back_also(&t->plan, misdirected->plan.back.has);
		roll_back_port_unstarted(r->h, r->all, &t->port, &t->plan, &t->result);
		(void)!run_record_result(r, t, err); /* *err has the error */
	}
}

/*
 * Records possible losses in advance: a run killed during a write cannot record them, so the next
 * run assumes them.
 */
static void record_risk(const struct run *r, const struct task *t)
{
	struct lost_settings lost = t->plan.lost;
	struct err quiet = { 0 };

	for (size_t i = 0; i < t->plan.count; i++) {
		const struct feature *f = t->plan.steps[i].feature;

		lost.unseen |= f->may_lose ? f->may_lose(&t->port) : 0;
	}
	if (lost.unseen)
		(void)!lost_settings_record(r->h, &t->port, &lost, &quiet);
}

static bool any_writes(struct task *const *tasks, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (tasks[i]->plan.count)
			return true;
	return false;
}

/*
 * A write may change another port as well, such as the other member of a bond. So only a run that
 * writes to no port takes the reading before it for the proof.
 */
static bool bring_in_sync(struct run *r, struct task *t, bool writes)
{
	if (!writes && apply_is_in_effect(&t->plan, &t->result))
		return true;
	return apply_port(r->h, r->all, &t->port, &t->plan, &t->result);
}

/* True if the link of another member of the port's bond stayed down in this run. */
static bool mate_is_down(struct task *const *tasks, size_t at)
{
	const struct task *t = tasks[at];

	for (size_t i = 0; t->port.id.bond[0] && i < at; i++)
		if (tasks[i]->result.no_carrier &&
		    strcmp(tasks[i]->port.id.bond, t->port.id.bond) == 0)
			return true;
	return false;
}

bool run_tasks(struct run *r, struct task *const *tasks, size_t count, const char *policy,
	       const char *time, struct err *err)
{
	bool going = true, ok = true, writes = any_writes(tasks, count);

	name_journals(r, policy, time);
	for (size_t i = 0; i < count; i++)
		tasks[i]->result = (struct result){ .outcome = OUTCOME_NOT_ATTEMPTED };
	/* Make `confirm` impossible before the rollback starts, which the watchdog completes. */
	if (r->rolling_back && r->pending.count)
		lock_set_work(r->h, work_of(r));
	if ((r->rolling_back && !pending_confirm_withdraw(r->h, err) && !may_pass(r, err)) ||
	    !record_all(r, tasks, count, err)) {
		forget_own(r);
		return err_in(err, "before the first change");
	}
	r->h->at_ports = writes;
	for (size_t i = 0; i < count && going; i++) {
		struct task *t = tasks[i];

		if (!r->rolling_back && plan_disrupts(&t->plan) >= DISRUPTS_TRAFFIC &&
		    mate_is_down(tasks, i))
			continue; /* it may be the last of its bond */
		record_risk(r, t);
		if (!bring_in_sync(r, t, writes)) {
			ok = false;
			*err = err->kind ? *err : t->result.err;
			going = r->keep_going && t->result.err.kind != ERR_INTERRUPTED;
			lock_set_work(r->h, work_of(r)); /* it was rolled back */
		}
		going = (err_at(err, run_record_result(r, t, err),
				"recording a change in the journal") ||
			 r->rolling_back) &&
			going;
		if (t->result.misdirected[0]) {
			roll_back_misdirected(r, tasks, count, t, err);
			going = false; /* other names may have moved as well */
		}
	}
	for (size_t i = 0; i < count; i++)
		run_forget_not_reached(r, tasks[i]);
	return err_at(err, run_finish(r, err), "completing the journal after the last change") &&
	       ok;
}

bool run_is_changing(struct host *h, const struct port *port)
{
	_journal_ struct journal pending = { .entries = NULL };
	struct err quiet = { 0 };

	return journal_peek(h, JOURNAL_PENDING, &pending, &quiet) && journal_find(&pending, port) &&
	       lock_is_held(h);
}
