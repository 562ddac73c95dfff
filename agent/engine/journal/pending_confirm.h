/*
 * The public state of an apply that waits for confirmation, in a file below /run. The journal of
 * the run, which has not ended, holds the data to roll back; `confirm` ends the run.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_JOURNAL_PENDING_CONFIRM_H
#define LOSSLESSCTL_AGENT_ENGINE_JOURNAL_PENDING_CONFIRM_H

#include "../../host/host.h"
#include "journal.h"

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

#endif
