/* A driver with a list of counters that may change between two calls. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_STATS_KERNEL_H
#define LOSSLESSCTL_TESTS_SUPPORT_STATS_KERNEL_H

#include "agent/host/host.h"
#include "tests/support/unit.h"

#define LISTS_MAX 8

/* A list of counters; the value of each is a hash of its name. */
struct list {
	const char *const *names;
	uint32_t count; /* may exceed the names: the rest is called "filler" */
};

/* A kernel whose list may change at each call. */
struct stats_kernel {
	struct host host;
	struct list lists[LISTS_MAX]; /* the n-th call's; the last with a count stays */
	unsigned calls;
	bool checks;   /* as since 2026: a count that does not match gets the answer 0 */
	bool restless; /* the first two lists, in turn */
	int refuses;   /* the errno of every call; 0: success */
	uint32_t most; /* the largest number of values in an answer */
};

/* A list without PFC. */
extern const char *const plain[3];

/* A list with PFC counters. */
extern const char *const with_pfc[5];

/* A list of the same length with other PFC counters. */
extern const char *const with_other_pfc[5];

#define LIST(names) \
	{ \
		names, COUNT(names) \
	}

/* The three lists. */
extern const struct list types[];

/* The value of a counter, never 0. */
uint64_t value_of(const char *name);

/* Answers ETHTOOL_GSTRINGS and ETHTOOL_GSTATS with the list of this call. */
bool answer_stats(struct host *h, const char *port, void *command, struct err *err);

#endif
