#include "unreachable_rule.h"

#include <stdlib.h>

#include "../util/oom.h"
#include "match.h"

#define HASH_BITS (64 / MATCH_TEXTS)
#define HASH_MASK ((UINT64_C(1) << HASH_BITS) - 1)

/*
 * Rejects most pairs of rules without a look at their texts: a literal text covers only an equal
 * one. Each text of a match has HASH_BITS in both words.
 */
struct digest {
	uint64_t hashes;
	uint64_t literal; /* all bits of the texts that are literal */
};

static uint64_t hash(const char *text)
{
	uint32_t h = 2166136261u; /* FNV-1a */

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 16777619u;
	return h & HASH_MASK;
}

static struct digest digest_of(const struct match *m)
{
	struct digest d = { 0, 0 };

	for (unsigned i = 0; i < MATCH_TEXTS; i++) {
		const char *pattern = match_text(m, i);

		d.hashes |= hash(pattern) << (i * HASH_BITS);
		if (pattern[0] && !glob_is_wild(pattern))
			d.literal |= HASH_MASK << (i * HASH_BITS);
	}
	return d;
}

static const struct port_rule *find(const struct port_rule *rules, size_t count,
				    const struct digest *digests, size_t i)
{
	for (size_t j = i + 1; j < count; j++)
		if (!((digests[i].hashes ^ digests[j].hashes) & digests[j].literal) &&
		    match_covers(&rules[j].match, &rules[i].match))
			return &rules[j];
	return NULL;
}

bool unreachable_rules_find(const struct port_rule *rules, size_t count,
			    const struct port_rule ***ret, struct err *err)
{
	struct digest *digests = calloc(count + 1, sizeof(*digests));
	const struct port_rule **by = digests ? calloc(count + 1, sizeof(*by)) : NULL;

	for (size_t i = count; by && i-- > 0;) {
		digests[i] = digest_of(&rules[i].match);
		by[i] = find(rules, count, digests, i);
	}
	free(digests);
	*ret = by;
	return by || err_no_memory(err);
}
