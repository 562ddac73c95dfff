/* The keys of a policy other than settings, as rows for `explain`. */
#ifndef LOSSLESSCTL_CLI_EXPLAIN_POLICY_KEYS_H
#define LOSSLESSCTL_CLI_EXPLAIN_POLICY_KEYS_H

#include <stddef.h>

struct policy_key {
	const char *key;
	const char *says; /* one sentence */
	const char *more;
};

extern const struct policy_key policy_keys[];
extern const size_t policy_keys_count;

#endif
