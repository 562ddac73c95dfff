/* "Did you mean": finds the known word nearest to a mistyped one. */
#ifndef LOSSLESSCTL_POLICY_UTIL_SUGGEST_H
#define LOSSLESSCTL_POLICY_UTIL_SUGGEST_H

#include <stddef.h>

struct suggestion {
	const char *word; /* as typed; borrowed */
	const char *best; /* nearest candidate so far, or NULL; borrowed */
	size_t distance;
};

/*
 * Starts a search. Candidates are never suggested at an edit distance of more than 0 for a word of
 * one or two letters, 1 for one of up to five, and 1 + a third of its length for others.
 */
struct suggestion suggest_for(const char *word);

/* Offers one candidate, which must outlive the suggestion. */
void suggest_offer(struct suggestion *s, const char *candidate);

#endif
