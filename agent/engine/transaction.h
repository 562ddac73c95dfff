/*
 * A run that writes: several ports, one after another, each a transaction,
 * under the lock and with a journal on disk before the first write.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_TRANSACTION_H
#define LOSSLESSCTL_AGENT_ENGINE_TRANSACTION_H

#include "run.h"

/*
 * Takes the lock and looks for a run that did not end; of one of another boot only files are put
 * back. The caller fills r->h, r->all and the wishes before, and calls run_close() in any case.
 * ERR_LOCKED: another run is under way, or an apply waits for confirmation and this run is not to
 * take it back. Once nobody watches over such an apply, it is a run that did not end.
 */
bool run_open(struct run *r, unsigned wait_s, struct err *err) must_check;
void run_close(struct run *r);

/*
 * Plans a task from what its port has. After an interrupted run, what that
 * run touched and this one does not want goes back to what it was, and so
 * does everything if this run fails.
 */
void run_plan(const struct run *r, struct task *t, const struct observation *seen);

/*
 * Carries out the tasks in order and fills each result. `policy` and `time`
 * name the run in the journal. The error is that of the journal, or else of
 * the first port that failed.
 */
bool run_tasks(struct run *r, struct task *const *tasks, size_t count, const char *policy,
	       const char *time, struct err *err) must_check;

/*
 * Is a run of another process changing this port right now? Its journal names the port, and its
 * lock is taken. Only root can find out; for others none is.
 */
bool run_is_changing(struct host *h, const struct port *port);

/* The worst outcome of all. */
enum outcome run_outcome(struct task *const *tasks, size_t count);

#endif
