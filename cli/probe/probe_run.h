/*
 * Carries out a probe, round by round. All pairs of a round go the same way at the same time: one
 * question is sent to all of their hosts, and then all answers are read.
 */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_RUN_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_RUN_H

#include "probe_plan.h"

/*
 * Carries out the runs of a plan, and judges them. A run that does not connect is no error; a host
 * that leaves is given up, and the pairs that it has left say why. Errors: ERR_INTERRUPTED, or out
 * of memory.
 */
bool probe_plan_run(struct probe_plan *p, struct host *h, struct err *err) must_check;

#endif
