/* Explains why perftest did not end well, from its messages. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_PROBE_PERFTEST_FAILURE_H
#define LOSSLESSCTL_AGENT_ENGINE_PROBE_PERFTEST_FAILURE_H

#include <stdbool.h>
#include <stddef.h>

#define PERFTEST_WHY_MAX 256

/* How a run of perftest went. */
enum perftest_state {
	PERFTEST_NO_CONNECTION, /* it failed */
	PERFTEST_CONNECTED,	/* it ended well at the end that begins */
	PERFTEST_UNKNOWN,	/* somebody ended it: this says nothing about the path */
	PERFTEST_UNSUPPORTED,	/* the installed perftest cannot make it */
	PERFTEST_STATES
};

extern const char *const perftest_state_names[PERFTEST_STATES]; /* "no_connection" */

/* True if the other end's perftest did not listen yet, or not any more. */
bool perftest_must_wait(const char *output);

/*
 * True if both ends have to start anew: the client of perftest 4.5 makes its second connection of
 * rdma_cm without asking whether the server listens for it, and does not survive a rejection.
 */
bool perftest_was_too_early(const char *output);

/* Judges a failure by the messages of both ends; writes its reason and what to do about it. */
enum perftest_state perftest_explain(const char *near, const char *far, char why[PERFTEST_WHY_MAX],
				     char fix[PERFTEST_WHY_MAX]);

#endif
