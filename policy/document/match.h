/* Which ports a rule speaks of, and which a part of a profile. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_MATCH_H
#define LOSSLESSCTL_POLICY_DOCUMENT_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include "../util/json_util.h"

#define ID_MAX 64

/* What a port is known by; a field that it does not have is "" or 0. */
struct identity {
	char name[ID_MAX];
	char pci[ID_MAX]; /* 0000:3b:00.0 */
	char driver[ID_MAX];
	char rdma[ID_MAX];     /* mlx5_0 */
	char mac[ID_MAX];      /* lower case, with colons */
	char firmware[ID_MAX]; /* 28.41.1000 (MT_0000000834): the version comes first */
	char bond[ID_MAX];     /* the bond that it is a member of */
	uint32_t speed_mbps;   /* without carrier the highest that it supports */
};

/* The keys of one rule, or of one entry of "when". */
struct match {
	struct identity pattern; /* "" where a key is not given; bond and speed_mbps are not used */
	struct span {
		uint32_t min, max; /* max 0: not given */
	} speed_mbps;
};

/* Whether a port is meant; UNKNOWN when it does not tell what a key asks for. */
enum meant { MEANT_NO, MEANT_YES, MEANT_UNKNOWN };

/* A key of `match`, as a row. */
struct match_key {
	const char *name;
	size_t offset; /* in struct identity */
	bool in_when;  /* "when" knows it, too */
	bool (*take)(struct match *m, const struct match_key *k, const json_t *j,
		     const struct at *at, struct err *err);
	enum meant (*holds)(const struct match *m, const struct match_key *k,
			    const struct identity *id);
	bool (*covers)(const struct match *wide, const struct match *narrow,
		       const struct match_key *k);
	json_t *(*schema)(void);
	const char *doc;
};

#define MATCH_TEXTS 5 /* the first rows are texts, which globs match */
#define MATCH_COUNT 7
extern const struct match_key match_keys[MATCH_COUNT];

/* Reads the keys of a rule's `match`. */
bool match_take(struct match *ret, json_t *object, const struct at *at, struct err *err) must_check;

/* Reads those of an entry of "when", which has other keys beside them. */
bool match_take_when(struct match *ret, json_t *entry, const struct at *at,
		     struct err *err) must_check;

/* Do all keys given hold? A bond's name means its members. */
enum meant match_holds(const struct match *m, const struct identity *id);

/* When they are MEANT_UNKNOWN: the key that asks for what the port does not tell. */
const struct match_key *match_unknown(const struct match *m, const struct identity *id);

/* Is a key given? */
bool match_gives(const struct match *m, const struct match_key *k);

/* The glob of the i-th row, which is a text. */
const char *match_text(const struct match *m, size_t i);

/* Does every port that `narrow` can match also match `wide`, as far as the patterns alone tell? */
bool match_covers(const struct match *wide, const struct match *narrow);

/* "speed_mbps >=100000, firmware 22.*". Returns `buf`. */
#define MATCH_TEXT_MAX 640
const char *match_to_text(const struct match *m, char buf[MATCH_TEXT_MAX]);

/* The keys given, as in a policy. The caller owns the result. */
json_t *match_to_json(const struct match *m);

#endif
