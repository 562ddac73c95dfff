/* "Did you mean": the nearest of some known words. */
#ifndef LOSSLESSCTL_POLICY_UTIL_SUGGEST_H
#define LOSSLESSCTL_POLICY_UTIL_SUGGEST_H

#include <stddef.h>

struct suggestion {
	const char *word; /* what was typed; borrowed */
	const char *best; /* the nearest word so far, or NULL; borrowed */
	size_t distance;
};

/* Begins a search; words farther than a third of the length are never offered. */
struct suggestion suggest_for(const char *word);

/* Offers one candidate, which must outlive the suggestion. */
void suggest_offer(struct suggestion *s, const char *candidate);

#endif
