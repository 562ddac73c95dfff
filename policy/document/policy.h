/*
 * A policy: profiles, and rules that assign them to ports. Loading checks everything that does not
 * depend on a port; resolve.h computes the desired settings of one port.
 */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_POLICY_H
#define LOSSLESSCTL_POLICY_DOCUMENT_POLICY_H

#include "../lint/finding.h"
#include "../model/congestion_control.h"
#include "../model/switch_map.h"
#include "../util/sha256.h"
#include "job_json.h"
#include "probe_json.h"
#include "ready_check_table.h"
#include "resolve.h"
#include "thresholds.h"

#define POLICY_MAX_BYTES (2u << 20)
#define RULES_MAX	 65536
#define PROFILES_MAX	 1024

enum policy_mode { MODE_REPORT, MODE_ENFORCE };

/* Actions that the agent may take by itself: the key "enforce". */
struct enforcement {
	bool allow_link_flap; /* repairs that flap the link; only in mode enforce */
};

/* The largest integer that every JSON parser keeps exactly (RFC 8259, section 6). */
#define GENERATION_MAX 9007199254740991

/* A single block of memory: free() releases it with everything that its pointers refer to. */
struct policy {
	char name[ID_MAX];
	char source[256]; /* the file, or "standard input" */
	char sha256[SHA256_HEX];
	char signer[128];    /* verified signer; "" if unsigned or not checked */
	uint64_t generation; /* 1 to GENERATION_MAX; 0: absent */
	enum policy_mode mode;
	struct enforcement enforce;
	bool refresh_headroom; /* send PFC again after link up, so that headroom fits its speed */
	struct thresholds thresholds;
	struct job_policy job;
	struct probe_policy probe;
	struct severities severities;
	struct ready_expectations ready;
	const struct switch_map
		*switch_map; /* a row of switch_maps[], or own_switch_map; NULL: absent */
	struct switch_map own_switch_map;
	const struct congestion_control *congestion_control; /* NULL: absent */
	struct profile *profiles;
	size_t profiles_count;
	bool is_show_document;	 /* a show document: actual values of ports */
	struct json_index index; /* the document's text and the places of its values, for origins */
	size_t count;
	struct port_rule rules[]; /* in document order */
};

/*
 * Parses a policy, or a losslessctl/show/1 document, from `size` bytes at `text`, which must be
 * NUL-terminated. `source` names the document in messages. On success the caller owns *ret and
 * frees it with free(). Errors are ERR_POLICY with line, column and JSON pointer in err->at and
 * "source:line:column" in err->where; or ERR_SYSTEM with ENOMEM. With err->all, that list has all
 * errors in document order, and *err is the first.
 */
bool policy_parse(struct policy **ret, const char *text, size_t size, const char *source,
		  struct err *err) must_check;

/* The keys of a policy. */
extern const struct key_object policy_object;

/* The JSON Schema (draft 2020-12) of a policy. The caller owns it. */
json_t *policy_schema(void);

#endif
