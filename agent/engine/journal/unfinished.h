/* Finds interrupted runs and an apply that waits for confirmation, for read-only runs. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_JOURNAL_UNFINISHED_H
#define LOSSLESSCTL_AGENT_ENGINE_JOURNAL_UNFINISHED_H

#include "../../host/host.h"
#include "journal.h"
#include "lock.h"

/*
 * The public state of an apply that waits for confirmation, in a file below /run. The journal of
 * the run, which has not ended, holds the data to roll back; `confirm` ends the run.
 */

struct pending_confirm {
	bool there;
	bool watched;	      /* its confirm watchdog is alive */
	unsigned pid;	      /* the process ID of the watchdog */
	bool not_rolled_back; /* the rollback of a port failed: the apply cannot be confirmed */
	char policy_name[ID_MAX];
	char started_at[32]; /* RFC 3339 */
	char expires_at[32]; /* RFC 3339; "" while the apply is still writing */
	uint64_t expires_ms; /* the same on CLOCK_BOOTTIME, which cannot be set */
};

/* Saves the state; not durably, because it need not survive a boot. */
bool pending_confirm_save(struct host *h, const struct pending_confirm *w,
			  struct err *err) must_check;

/* Loads the state of this boot; ret->there is false if no apply waits. */
bool pending_confirm_load(struct host *h, struct pending_confirm *ret, struct err *err) must_check;

/* Removes the state; no error if there is none. */
bool pending_confirm_end(struct host *h, struct err *err) must_check;

/*
 * Ends the wait before a rollback. The file gets another name, so that the watchdog does not take
 * it for lost and makes it again: half a rollback could be confirmed.
 */
bool pending_confirm_withdraw(struct host *h, struct err *err) must_check;

/* True if a rollback has ended the wait of this apply. */
bool pending_confirm_is_withdrawn(struct host *h, const struct pending_confirm *w);

/* Refuses a run while this apply, which a watchdog watches, waits: ERR_LOCKED. */
bool pending_confirm_refuse(struct host *h, const struct pending_confirm *w,
			    struct err *err) must_check;

/* True in the confirm watchdog of this apply. */
bool pending_confirm_is_ours(const struct pending_confirm *w);

/* True once the deadline has passed. */
bool pending_confirm_is_over(struct host *h, const struct pending_confirm *w);

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
