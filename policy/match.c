#include "match.h"

#include <fnmatch.h>
#include <string.h>

#define KEY(field, sentence) \
	{ \
#field, offsetof(struct identity, field), sentence \
	}

const struct match_key match_keys[MATCH_COUNT] = {
	KEY(name, "Name of the port, or of the bond that it is a member of; * and ? match."),
	KEY(pci, "PCI address, as in 0000:3b:00.0; * and ? match."),
	KEY(driver, "Kernel driver, as in mlx5_core; * and ? match."),
	KEY(rdma, "RDMA device, as in mlx5_0; * and ? match."),
	KEY(mac, "MAC address in lower case, as in 02:00:00:00:00:01; * and ? match."),
};

static const char *field(const struct identity *id, const struct match_key *k)
{
	return (const char *)id + k->offset;
}

static bool glob(const char *pattern, const char *value)
{
	return value[0] && fnmatch(pattern, value, 0) == 0;
}

bool match_holds(const struct match *m, const struct identity *id)
{
	for (size_t i = 0; i < MATCH_COUNT; i++) {
		const char *pattern = field(&m->pattern, &match_keys[i]);

		if (!pattern[0] || glob(pattern, field(id, &match_keys[i])))
			continue;
		if (match_keys[i].offset != offsetof(struct identity, name) ||
		    !glob(pattern, id->bond))
			return false;
	}
	return true;
}

bool match_covers(const struct match *wide, const struct match *narrow)
{
	for (size_t i = 0; i < MATCH_COUNT; i++) {
		const char *w = field(&wide->pattern, &match_keys[i]);
		const char *n = field(&narrow->pattern, &match_keys[i]);
		bool literal = n[0] && !strpbrk(n, "*?[\\");

		if (w[0] && strcmp(w, n) != 0 && !(literal && fnmatch(w, n, 0) == 0))
			return false;
	}
	return true;
}
