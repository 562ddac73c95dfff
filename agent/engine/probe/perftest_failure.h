/* Explains why perftest did not end well, from its messages. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_PROBE_PERFTEST_FAILURE_H
#define LOSSLESSCTL_AGENT_ENGINE_PROBE_PERFTEST_FAILURE_H

#include <stdbool.h>
#include <stddef.h>

#define PERFTEST_WHY_MAX 256

/* True if the other end's perftest did not listen yet, or not any more. */
bool perftest_must_wait(const char *output);

/*
 * True if both ends have to start anew: the client of perftest 4.5 makes its second connection of
 * rdma_cm without asking whether the server listens for it, and does not survive a rejection.
 */
bool perftest_was_too_early(const char *output);

/* Writes the reason and what to do about it, from the messages of both ends. */
void perftest_explain(const char *near, const char *far, char why[PERFTEST_WHY_MAX],
		      char fix[PERFTEST_WHY_MAX]);

#endif
