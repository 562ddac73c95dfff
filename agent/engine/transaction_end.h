/* Ends a run in the journal: entries to recover, applied ones, rolled-back ones. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_TRANSACTION_END_H
#define LOSSLESSCTL_AGENT_ENGINE_TRANSACTION_END_H

#include "run.h"

/* Drops the entry of a task that the run did not reach. */
void run_forget_not_reached(struct run *r, const struct task *t);

/* Records a result in the journals. */
bool run_record_result(struct run *r, const struct task *t, struct err *err) must_check;

/* Writes the journals once all results are in. */
bool run_finish(struct run *r, struct err *err) must_check;

#endif
