/*
 * Runs that write: several ports in order, each a transaction, under the lock and with a journal on
 * disk before the first write.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_WRITE_RUN_H
#define LOSSLESSCTL_AGENT_ENGINE_WRITE_RUN_H

#include "../journal/applies.h"
#include "../journal/journal.h"
#include "../journal/pending_confirm.h"
#include "../observe.h"
#include "../task.h"

/* ---- runs ---- */

/* A run that writes: its ports, each with a plan and a result, and its journals. */

struct engine;

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

/* ---- transaction ---- */

/*
 * Takes the lock and looks for an interrupted run; one of another boot only has files restored. The
 * caller sets r->h, r->all and the options before, and always calls run_close(). Fails with
 * ERR_LOCKED if another run is in progress, or if an apply waits for confirmation and this run is
 * not to roll it back. An apply whose watchdog is gone counts as interrupted.
 */
bool run_open(struct run *r, unsigned timeout_s, struct err *err) must_check;
/* Frees the run and releases the lock. */
void run_close(struct run *r);

/*
 * Plans a task from the port's actual settings. After an interrupted run, the settings that it
 * touched and this one does not set are restored; if this run fails, all of them are.
 */
void run_plan(const struct run *r, struct task *t, const struct observation *seen);

/*
 * Carries out the tasks in order and fills in each result. `policy` and `time` name the run in the
 * journal. The error is that of the journal, or else of the first port that failed.
 */
bool run_tasks(struct run *r, struct task *const *tasks, size_t count, const char *policy,
	       const char *time, struct err *err) must_check;

/*
 * True while another process changes this port: its journal names the port, and the lock is taken.
 * Only root can tell; always false for others.
 */
bool run_is_changing(struct host *h, const struct port *port);

#endif
