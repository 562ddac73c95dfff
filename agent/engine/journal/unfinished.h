/* Finds interrupted runs and an apply that waits for confirmation, for read-only runs. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_JOURNAL_UNFINISHED_H
#define LOSSLESSCTL_AGENT_ENGINE_JOURNAL_UNFINISHED_H

#include "../../host/host.h"
#include "journal.h"
#include "lock.h"
#include "pending_confirm.h"

/* Owned by the caller; unfinished_free() frees. */
struct unfinished {
	bool waits; /* an apply waits for confirmation or is still writing */
	struct pending_confirm pending_confirm;
	bool readable;	/* the journal is readable to this user */
	struct err why; /* the reason why it is not */
	struct journal pending;
	enum lock_work work; /* done by the holder of the lock */
};

void unfinished_free(struct unfinished *u);
#define _unfinished_ __attribute__((cleanup(unfinished_free)))

/* Reads the state of both. */
void unfinished_find(struct host *h, struct unfinished *ret);

/*
 * True if a run was interrupted or is in progress, or the journal is unreadable. False for an apply
 * that only waits for confirmation.
 */
bool unfinished_is(struct host *h);

/* True if a run was interrupted, or the journal is damaged: nobody ends it. */
bool unfinished_is_left(struct host *h);

/* True if a rollback was interrupted: an apply would write again what was to be left. */
bool unfinished_is_rollback(struct host *h);

/* The state of a run in the pending journal. */
enum run_state {
	RUN_INCOMPLETE, /* it was killed, or a rollback failed, or a port was gone */
	RUN_APPLYING,
	RUN_ROLLING_BACK,
	RUN_AWAITS_CONFIRMATION,
};

/* Returns the state of a run of u->pending. */
enum run_state unfinished_state(struct host *h, const struct unfinished *u,
				const struct journal_run *run);

/* Returns the name in JSON: "rolling_back". */
const char *run_state_name(enum run_state s);

struct engine;

/*
 * Warns of each interrupted run, with its consequence `then`. Without `own`, only of runs that left
 * entries in another run's journal.
 */
void unfinished_warn_runs(const struct engine *e, const struct journal *pending, bool own,
			  const char *then);

/* Warns of everything unfinished, for a read-only run. */
void unfinished_warn(const struct engine *e);

/*
 * The same for a plan: also warns of a run that holds the lock. Fails if apply would fail: the
 * journal cannot be read.
 */
bool unfinished_allows_apply(const struct engine *e, struct err *err) must_check;

#endif
