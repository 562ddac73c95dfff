#include "loaded_policy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Holds the SHA-256 of the policy, the time of its last load and that of its first. */
#define PATH "/run/losslessctl/agent-policy"

/* False if another policy or none was loaded. */
static bool read_times(struct host *h, const struct policy *p, uint64_t *ret_since,
		       uint64_t *ret_first)
{
	char text[160], sha256[65];
	struct err quiet = { 0 };

	return host_read_file(h, text, sizeof(text), &quiet, PATH) &&
	       sscanf(text, "%64s %" SCNu64 " %" SCNu64, sha256, ret_since, ret_first) == 3 &&
	       strcmp(sha256, p->sha256) == 0;
}

uint64_t loaded_policy_first(struct host *h, const struct policy *p)
{
	uint64_t since, first;

	return read_times(h, p, &since, &first) ? first : h->now_ms(h);
}

uint64_t loaded_policy_anew(struct host *h, const struct policy *p)
{
	uint64_t now = h->now_ms(h);
	char text[160];
	struct err quiet = { 0 };

	snprintf(text, sizeof(text), "%s %" PRIu64 " %" PRIu64 "\n", p->sha256, now,
		 loaded_policy_first(h, p));
	(void)!host_save_file(h, PATH, text, &quiet);
	return now;
}

uint64_t loaded_policy_since(struct host *h, const struct policy *p)
{
	uint64_t since, first;

	return read_times(h, p, &since, &first) ? since : loaded_policy_anew(h, p);
}
