/*
 * The whole program on a platform with the fake kernel, in a process of its own each time. The
 * files that it writes lie below a folder in /tmp.
 */
#ifndef LOSSLESSCTL_TESTS_INTEGRATION_WHOLE_H
#define LOSSLESSCTL_TESTS_INTEGRATION_WHOLE_H

#include "tests/integration/fake.h"
#include "tests/support/unit.h"

#define SAYS_MAX 65536

/* What both processes see. */
extern struct whole {
	struct fake fake;
	unsigned rounds; /* of the agent, counted by who plays its events */
	unsigned counted;
	bool holds;	      /* a watchdog's time does not pass (second_host.c) */
	char rate_object[16]; /* of devlink, with a share of class 3; empty: none */
} * whole;

/* The folder of its files. */
extern char whole_root[];

/* One call of it. */
struct call {
	const char *input;
	char *words[8];
	void (*begins)(void *arg), (*ended)(void *arg); /* in its process; NULL: nothing */
	void *arg;
};

struct end {
	int code; /* of the exit; -1: killed */
	char out[SAYS_MAX], err[SAYS_MAX];
};

typedef bool next_event_fn(struct host *h, unsigned wait_ms, struct event *ret, struct err *err);

/* Runs the tests of a suite, whose port is as it comes, and whose agent hears these events. */
int whole_tests(const char *name, const struct suite *s, next_event_fn *next_event);

void whole_run(const struct call *call, struct end *ret);

/* As ppoll() does; signals wait otherwise. */
void whole_let_signal_in(int number);

/* What it wrote to a file; false: it is not there. */
bool whole_paper(const char *path, char ret[SAYS_MAX]);

#endif
