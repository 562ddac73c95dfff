/*
 * The heartbeat of the agent: duties that come round, and events in between.
 * It knows neither ports nor settings. Time is the host's, which does not jump.
 */
#ifndef LOSSLESSCTL_AGENT_DAEMON_LOOP_H
#define LOSSLESSCTL_AGENT_DAEMON_LOOP_H

#include "../host/host.h"

/* Something that is done every so often; what was missed is not made up for. */
struct duty {
	const char *name;
	unsigned every_ms; /* 0: never */
	void (*perform)(void *arg);
	uint64_t due_ms; /* the loop's own; 0: at once */
};

struct loop {
	struct host *h;
	struct duty *duties;
	size_t count;
	void (*on_event)(const struct event *e, void *arg);
	bool (*goes_on)(void *arg); /* asked after each event and each round of duties */
	void *arg;
};

/* Runs until goes_on() says no. Fails when the host can no longer be listened to. */
bool loop_run(struct loop *l, struct err *err) must_check;

#endif
