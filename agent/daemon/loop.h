/*
 * The agent's main loop: timers, and events between them. It knows neither ports nor settings. Time
 * is the host's monotonic clock.
 */
#ifndef LOSSLESSCTL_AGENT_DAEMON_LOOP_H
#define LOSSLESSCTL_AGENT_DAEMON_LOOP_H

#include "../host/host.h"

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

#endif
