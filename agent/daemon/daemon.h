/*
 * The agent keeps ports in sync with a policy. It checks them when the kernel announces a change
 * and periodically, samples their counters, reports drift and symptoms, and repairs if the policy
 * allows it.
 */
#ifndef LOSSLESSCTL_AGENT_DAEMON_DAEMON_H
#define LOSSLESSCTL_AGENT_DAEMON_DAEMON_H

#include "../host/host.h"
#include "daemon_options.h"

/* ---- the loop ---- */

/*
 * The agent's main loop: timers, and events between them. It knows neither ports nor settings. Time
 * is the host's monotonic clock.
 */

/* A periodic task. Missed runs are not repeated. */
struct loop_timer {
	const char *name;
	unsigned every_ms; /* 0: never */
	void (*perform)(void *arg);
	uint64_t due_ms; /* set by the loop; 0: at once */
};

struct loop {
	struct host *h;
	struct loop_timer *timers;
	size_t count;
	void (*on_event)(const struct event *e, void *arg);
	bool (*keep_running)(void *arg); /* called after each event and each round of timers */
	void *arg;
};

/* Runs until keep_running() returns false. Fails if the host can no longer be listened to. */
bool loop_run(struct loop *l, struct err *err) must_check;

/* ---- daemon ---- */

/*
 * Runs until SIGTERM or SIGINT; SIGHUP reloads the policy. Takes ownership of `*policy`. Handles
 * these signals for the whole process. Fails if the agent cannot start, or can no longer listen for
 * events.
 */
bool daemon_run(const struct daemon_options *o, struct policy **policy, struct err *err) must_check;

#endif
