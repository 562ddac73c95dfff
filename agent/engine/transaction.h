/*
 * Runs that write: several ports in order, each a transaction, under the lock and with a journal on
 * disk before the first write.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_TRANSACTION_H
#define LOSSLESSCTL_AGENT_ENGINE_TRANSACTION_H

#include "run.h"

/*
 * Takes the lock and looks for an interrupted run; one of another boot only has files restored. The
 * caller sets r->h, r->all and the options before, and always calls run_close(). Fails with
 * ERR_LOCKED if another run is in progress, or if an apply waits for confirmation and this run is
 * not to roll it back. An apply whose watchdog is gone counts as interrupted.
 */
bool run_open(struct run *r, unsigned timeout_s, struct err *err) must_check;
/* Frees the run and releases the lock. */
void run_close(struct run *r);

/* Plans a task; settings that are verified only are left out. */
void task_plan(struct task *t, struct features all, const struct config *actual);

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
