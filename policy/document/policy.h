/*
 * A policy: profiles, and rules that give ports a profile. Loading it settles
 * everything that needs no port; resolve.h says what it comes to on one.
 */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_POLICY_H
#define LOSSLESSCTL_POLICY_DOCUMENT_POLICY_H

#include "../lint/severities.h"
#include "../model/switch_map.h"
#include "../util/sha256.h"
#include "profile.h"
#include "thresholds.h"

#define POLICY_MAX_BYTES (2u << 20)
#define RULES_MAX	 65536
#define PROFILES_MAX	 1024
#define PORTS_COUNT_MAX	 1024 /* of "count" in a rule */

enum policy_mode { MODE_REPORT, MODE_ENFORCE };

/* What the agent may do of its own accord: "enforce". */
struct enforcement {
	bool link_flap; /* repair what takes the link down; only where it enforces at all */
	bool headroom;	/* send PFC again when the link comes, so that headroom fits its speed */
};

struct port_rule {
	struct match match;
	const struct profile *profile;
	const struct layer *set; /* NULL: none */
	bool required;		 /* some port must match */
	bool may_match_none;	 /* "required": false: a host without its ports is right */
	uint16_t ports_count;	 /* so many ports must match; 0: any number */
};

/* The largest integer that every reader of JSON keeps exactly (RFC 8259, section 6). */
#define GENERATION_MAX 9007199254740991

/* One block of memory: free() frees it, and what the rules point to. */
struct policy {
	char name[ID_MAX];
	char source[256]; /* the file, or "standard input" */
	char sha256[SHA256_HEX];
	char signer[128];    /* who signed it; "": nobody who was looked for */
	uint64_t generation; /* 1 to GENERATION_MAX; 0: it has none */
	enum policy_mode mode;
	struct enforcement enforce;
	struct limits limits;
	struct severities severities;
	const struct fabric *fabric; /* a row of fabrics[], or own_fabric; NULL: none named */
	struct fabric own_fabric;
	struct profile *profiles;
	size_t profiles_count;
	bool is_shown; /* a show document: what a port was seen to have */
	size_t count;
	struct port_rule rules[]; /* in the order of the document */
};

/*
 * Parses a policy, or a losslessctl/show/1 document, from `size` bytes at
 * `text`, which is NUL-terminated. `source` is named in messages. On success
 * the caller owns *ret and frees it with free(). Errors: ERR_POLICY, with
 * line, column and JSON pointer in err->at and "source:line:column" in err->where.
 */
bool policy_parse(struct policy **ret, const char *text, size_t size, const char *source,
		  struct err *err) must_check;

#endif
