/* A run that writes: its ports, each with a plan and a result, and its journals. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_RUN_H
#define LOSSLESSCTL_AGENT_ENGINE_RUN_H

#include "journal/applies.h"
#include "journal/journal.h"
#include "journal/unfinished.h"
#include "outcome.h"

struct engine;

struct task {
	struct port port;
	struct config desired;
	setting_set verified_only; /* desired settings of another controller, never written */
	struct plan plan;
	struct result result;
	bool left_behind;	 /* an interrupted run left its journal entry */
	unsigned before_apply;	 /* rollback: as in struct journal_entry */
	setting_set left_out;	 /* rollback: settings that cannot be read now */
	setting_set unreachable; /* rollback: settings that no write restores with the others */
};

struct run {
	struct host *h;
	struct features all;
	struct journal pending;	    /* entries of an interrupted run, then also of this one */
	struct journal roll_back;   /* apply: the changes, with the data to roll them back */
	struct journal undone;	    /* rolled-back entries, listed as such */
	struct applies applies;	    /* the last applies; not loaded by a repair */
	const char *user;	    /* the user who runs it; NULL: unknown */
	bool by_watchdog;	    /* rollback: the copy of the journal is enough */
	const struct engine *warns; /* rollback: gets the warnings; NULL: nobody does */
	struct err unlocked;	    /* rollback: why it goes on without the lock */
	bool recovering;	    /* an earlier run was interrupted */
	struct err set_aside;	    /* its journal was damaged, and is JOURNAL_DAMAGED now */
	bool keep_going;	    /* continue after a port that fails */
	bool rolling_back;	    /* rollback: marks the result in `applies` */
	bool repairing;		    /* repair of drift, which does not count as an apply */
	bool unconfirmed;	    /* changes stay in `pending` until confirmed */
	struct pending_confirm pending_confirm; /* an apply that waits for confirmation */
	size_t recorded;			/* entries of `pending` on disk */
	int lock;
};

#endif
