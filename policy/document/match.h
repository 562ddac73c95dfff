/* Matches ports: for the "match" of a rule and the "when" of a profile. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_MATCH_H
#define LOSSLESSCTL_POLICY_DOCUMENT_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../util/json_location.h"
#include "../util/keys.h"

/* ---- patterns ---- */

/* Patterns of "match" keys: globs, ranges of numbers and comparisons of versions. */

/* True if the glob matches the text; "" never matches. */
bool glob_matches(const char *pattern, const char *text);

/*
 * True if every text that `narrow` matches is known to match `wide`; false if that cannot be
 * proven.
 */
bool glob_covers(const char *wide, const char *narrow);

/* True if the pattern is not a single literal text. */
bool glob_is_wild(const char *pattern);

/* Parses ">=100000", "<40000" or "25000..100000" into a range within 1 to UINT32_MAX. */
bool span_from_text(const char *text, uint32_t *ret_min, uint32_t *ret_max);

/* The reverse of span_from_text(). Returns `buf`. */
#define SPAN_TEXT_MAX 24
const char *span_to_text(uint32_t min, uint32_t max, char buf[SPAN_TEXT_MAX]);

/* True for a comparison such as ">=28.39", false for a glob. */
bool version_is_comparison(const char *pattern);

/* True if a comparison is well formed. `pattern` must be a comparison. */
bool version_is_well_formed(const char *pattern);

/*
 * True if a version such as "28.41.1000 (MT_0000000834)" satisfies a comparison. Only as many
 * numbers as the pattern has are compared: 28.39.1002 satisfies "<=28.39".
 */
bool version_satisfies(const char *pattern, const char *version);

/* Checks the glob of a key, such as "name" or "mac". */
bool pattern_can_match(const char *key, const char *pattern, const struct json_path *at,
		       struct err *err) must_check;

/* ---- match ---- */

/*
 * Alternative names of an interface (IFLA_ALT_IFNAME): the kernel takes them wherever it takes the
 * name.
 */
#define ALT_NAME_MAX 128 /* ALTIFNAMSIZ of the kernel */

/* Texts, each with its NUL; an empty one ends them. There is room for four of the longest. */
struct alt_names {
	char text[4 * ALT_NAME_MAX + 1];
};

/* Adds a name; "" and one without room are left out. */
void alt_names_add(struct alt_names *to, const char *name);

/* True if one of them is exactly this name. */
bool alt_names_have(const struct alt_names *all, const char *name);

/* True if the glob matches one of them. */
bool alt_names_match(const struct alt_names *all, const char *pattern);

/* The caller owns the array. */
json_t *alt_names_to_json(const struct alt_names *all);

/* Reads an array of names; none if it is absent. */
bool alt_names_from_json(struct alt_names *ret, const json_t *array, const struct json_path *at,
			 struct err *err) must_check;

#define ID_MAX	    64
#define PATTERN_MAX ALT_NAME_MAX

/* The properties that identify a port; missing ones are "" or 0. */
struct identity {
	char name[ID_MAX];
	char pci[ID_MAX]; /* such as 0000:3b:00.0 */
	char driver[ID_MAX];
	char rdma[ID_MAX];	/* such as mlx5_0 */
	char mac[ID_MAX];	/* lower case, with colons */
	char firmware[ID_MAX];	/* such as 28.41.1000 (MT_0000000834): version, then board */
	char bond[ID_MAX];	/* the bond that the port is a member of */
	char bond_rdma[ID_MAX]; /* the RDMA device that another member of the bond has for both */
	uint32_t speed_mbps;	/* without carrier: the highest supported speed */
	struct alt_names alt_names, bond_alt_names;
};

/* The keys of one rule, or of one entry of "when". */
struct match {
	struct patterns {
		char name[PATTERN_MAX], pci[PATTERN_MAX], driver[PATTERN_MAX], rdma[PATTERN_MAX],
			mac[PATTERN_MAX], firmware[PATTERN_MAX];
	} pattern; /* "" for absent keys */
	struct span {
		uint32_t min, max; /* max 0: absent */
	} speed_mbps;
};

/* A port matches or not; UNKNOWN if the port does not report a property that a key needs. */
enum match_result { MATCH_NO, MATCH_YES, MATCH_UNKNOWN };

/* A key of "match" and its operations. */
struct match_key {
	const char *name;
	size_t offset;	/* in struct identity */
	size_t pattern; /* in struct patterns */
	bool in_when;	/* also valid in "when" */
	bool (*from_json)(struct match *m, const struct match_key *k, const json_t *j,
			  const struct json_path *at, struct err *err);
	enum match_result (*evaluate)(const struct match *m, const struct match_key *k,
				      const struct identity *id);
	bool (*covers)(const struct match *wide, const struct match *narrow,
		       const struct match_key *k);
	json_t *(*schema)(const struct key *k);
	const char *doc;
};

#define MATCH_TEXTS 5 /* the first rows are texts, matched by globs */
#define MATCH_COUNT 7
extern const struct match_key match_keys[MATCH_COUNT];

/* The keys of "match", which is read into a struct match. */
extern const struct key_object match_object;

/* The row of a key of an entry of "when"; false past the last. */
bool match_when_row(size_t i, struct key *ret);

/* Reads the "match" of a rule, which has a key. */
bool match_from_json(const struct key *k, void *field, json_t *object, const struct json_path *at,
		     struct err *err) must_check;

/*
 * MATCH_YES if all keys present match. A bond's name and its RDMA device match its members; an
 * alternative name is as good as the name.
 */
enum match_result match_evaluate(const struct match *m, const struct identity *id);

/*
 * The key that needs a property that the port does not report; NULL if none does. Explains
 * MATCH_UNKNOWN.
 */
const struct match_key *match_unknown_key(const struct match *m, const struct identity *id);

/* True if the key is present. */
bool match_has_key(const struct match *m, const struct match_key *k);

/* The glob of row `i`, which must be a text. */
const char *match_text(const struct match *m, size_t i);

/* True if the patterns prove that every port that matches `narrow` also matches `wide`. */
bool match_covers(const struct match *wide, const struct match *narrow);

/* The keys as text: "speed_mbps >=100000, firmware 22.*". Returns `buf`. */
#define MATCH_TEXT_MAX 1024
const char *match_to_text(const struct match *m, char buf[MATCH_TEXT_MAX]);

/* The keys present, as in a policy. The caller owns the result. */
json_t *match_to_json(const struct match *m);

#endif
