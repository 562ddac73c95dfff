/* Runs on the fake kernel, whose lock is in a directory of the test's. */
#ifndef LOSSLESSCTL_TESTS_INTEGRATION_RUNS_H
#define LOSSLESSCTL_TESTS_INTEGRATION_RUNS_H

#include "agent/engine/transaction.h"
#include "tests/integration/fake.h"

#define FIRST	"/var/lib/losslessctl/journal/apply-1.json"
#define PENDING "/var/lib/losslessctl/journal/pending.json"

/* Makes the directory of the lock. */
int make_run_root(void **s);

/* Removes it. */
int remove_run_root(void **s);

/* A port of which no run was recorded. */
struct fake fresh_run(void);

/* Applies; true if the run ended. */
bool run_apply(struct fake *f, const struct config *desired);

/* The same in a process that is killed at its n-th write; false: it ended before that. */
bool killed(struct fake *f, const struct config *desired, unsigned n, bool after);

/* Another policy than the first. */
extern const char second_policy[];

/* A run that did not end has left the port and one that is gone. */
void leave_two(struct fake *f);

/* Only the port that is gone is left, and it is the earlier run's. */
void is_left_by_earlier_run(struct fake *f);

/* Two ports, of which the first one's setting is refused; returns what became of the second. */
enum outcome second_of_two(struct fake *f, bool keep_going);

#define UNTIL_MS 60000

/* An apply that waits for confirmation, as the command line makes one; *watch is who watches. */
struct hardware apply_unconfirmed(struct fake *f, const struct config *desired, int *watch);

#endif
