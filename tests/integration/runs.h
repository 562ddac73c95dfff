/* Runs on the fake kernel, with the lock in a directory of the test. */
#ifndef LOSSLESSCTL_TESTS_INTEGRATION_RUNS_H
#define LOSSLESSCTL_TESTS_INTEGRATION_RUNS_H

#include "agent/engine/write/run.h"
#include "tests/integration/fake.h"

#define FIRST	"/var/lib/losslessctl/journal/apply-1.json"
#define PENDING "/var/lib/losslessctl/journal/pending.json"

/* Makes the directory of the lock. */
int make_run_root(void **s);

/* Removes the directory of the lock. */
int remove_run_root(void **s);

/* A port without a recorded run. */
struct fake fresh_run(void);

/* Applies `desired`, or rolls back if it is NULL; true if the run succeeded. */
bool run_apply(struct fake *f, const struct config *desired);

/* The same as a repair of the agent. */
bool run_repair(struct fake *f, const struct config *desired);

/* Calls run_apply() in a process that is killed at its n-th write; false: it ended earlier. */
bool killed(struct fake *f, const struct config *desired, unsigned n, bool after);

/* A policy that differs from the first. */
extern const char second_policy[];

/* Leaves the journal of an interrupted run with the port and a port that is gone. */
void leave_two(struct fake *f);

/* Asserts that the journal has only the port that is gone, from the earlier run. */
void is_left_by_earlier_run(struct fake *f);

/* Applies to two ports, of which the first refuses a setting; returns the second's outcome. */
enum outcome second_of_two(struct fake *f, bool keep_going);

#define UNTIL_MS 60000

/* Starts an unconfirmed apply, as the command line does; *watch holds the watchdog's lock. */
struct hardware apply_unconfirmed(struct fake *f, const struct config *desired, int *watch);

#endif
