/*
 * The whole program on a platform with the fake kernel, in a new process for each call. It writes
 * its files below a directory in /tmp.
 */
#ifndef LOSSLESSCTL_TESTS_INTEGRATION_WHOLE_H
#define LOSSLESSCTL_TESTS_INTEGRATION_WHOLE_H

#include "tests/integration/fake.h"
#include "tests/support/unit.h"

#define SAYS_MAX 65536

/* The memory that the test and the program share. */
extern struct whole {
	struct fake fake;
	unsigned rounds; /* the agent's, counted by the test's next_event() */
	unsigned counted;
	bool holds;	      /* a watchdog's time does not pass (second_host.c) */
	bool is_held;	      /* it makes no calls until then */
	bool holds_retry;     /* nor does it try again */
	bool waits_to_retry;  /* it is about to */
	char rate_object[16]; /* devlink's, with a share of class 3; empty: none */
} * whole;

/* The directory of the program's files. */
extern char whole_root[];

/* One call of the program. */
struct call {
	const char *input;
	char *words[8];
	void (*begins)(void *arg), (*ended)(void *arg); /* in its process; NULL: nothing */
	void *arg;
};

struct end {
	int code; /* the exit code; -1: killed */
	char out[SAYS_MAX], err[SAYS_MAX];
};

typedef bool next_event_fn(struct host *h, unsigned wait_ms, struct event *ret, struct err *err);

/* Runs the tests of a suite on a port with its defaults; its agent gets these events. */
int whole_tests(const char *name, const struct suite *s, next_event_fn *next_event);

void whole_run(const struct call *call, struct end *ret);

/* Delivers a signal, as ppoll() does; signals are blocked otherwise. */
void whole_let_signal_in(int number);

/* Reads a file that the program wrote; false: there is none. */
bool whole_document(const char *path, char ret[SAYS_MAX]);

#endif
