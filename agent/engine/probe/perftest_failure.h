/* Explains why perftest did not end well, from its messages. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_PROBE_PERFTEST_FAILURE_H
#define LOSSLESSCTL_AGENT_ENGINE_PROBE_PERFTEST_FAILURE_H

#include <stdbool.h>
#include <stddef.h>

#define PERFTEST_WHY_MAX 256

/* True if the other end's perftest did not listen yet, or not any more. */
bool perftest_must_wait(const char *output);

/* Writes the reason and what to do about it, from the messages of both ends. */
void perftest_explain(const char *near, const char *far, char why[PERFTEST_WHY_MAX],
		      char fix[PERFTEST_WHY_MAX]);

#endif
