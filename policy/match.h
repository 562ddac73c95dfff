/* Which ports a rule speaks of. */
#ifndef LOSSLESSCTL_POLICY_MATCH_H
#define LOSSLESSCTL_POLICY_MATCH_H

#include <stdbool.h>
#include <stddef.h>

#define ID_MAX 64

/* What a port is known by; a field that it does not have is "". */
struct identity {
	char name[ID_MAX];
	char pci[ID_MAX]; /* 0000:3b:00.0 */
	char driver[ID_MAX];
	char rdma[ID_MAX]; /* mlx5_0 */
	char mac[ID_MAX];  /* lower case, with colons */
	char bond[ID_MAX]; /* the bond that it is a member of */
};

/* A key of `match`, as a row. */
struct match_key {
	const char *name;
	size_t offset; /* in struct identity */
	const char *doc;
};

#define MATCH_COUNT 5
extern const struct match_key match_keys[MATCH_COUNT];

/* The patterns of one rule: globs, "" where a key is not given; bond is not used. */
struct match {
	struct identity pattern;
};

/* Do all keys given hold? A bond's name means its members. */
bool match_holds(const struct match *m, const struct identity *id);

/* Does every port that `narrow` can match also match `wide`, as far as the patterns alone tell? */
bool match_covers(const struct match *wide, const struct match *narrow);

#endif
