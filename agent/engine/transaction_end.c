#include "transaction_end.h"

#include <stdio.h>
#include <string.h>

#include "journal/lost_settings.h"

/* Ports not reached are unchanged: only entries of an earlier run still need recovery. */
void run_forget_not_reached(struct run *r, const struct task *t)
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
bool run_record_result(struct run *r, const struct task *t, struct err *err)
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
	if (in_sync && e && !r->rolling_back && !(r->repairing && !r->recovering) &&
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
bool run_finish(struct run *r, struct err *err)
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
