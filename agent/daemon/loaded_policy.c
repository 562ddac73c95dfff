#include "loaded_policy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define PATH "/run/losslessctl/agent-policy" /* its SHA-256, and when */

uint64_t loaded_policy_anew(struct host *h, const struct policy *p)
{
	uint64_t now = h->now_ms(h);
	char text[128];
	struct err quiet = { 0 };

	snprintf(text, sizeof(text), "%s %" PRIu64 "\n", p->sha256, now);
	(void)!host_save_file(h, PATH, text, &quiet);
	return now;
}

uint64_t loaded_policy_since(struct host *h, const struct policy *p)
{
	char text[128], sha256[65];
	uint64_t since_ms;
	struct err quiet = { 0 };

	if (host_read_file(h, text, sizeof(text), &quiet, PATH) &&
	    sscanf(text, "%64s %" SCNu64, sha256, &since_ms) == 2 && strcmp(sha256, p->sha256) == 0)
		return since_ms;
	return loaded_policy_anew(h, p);
}
