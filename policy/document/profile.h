/* Profiles: what ports are given by name, and what of it depends on the port. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_PROFILE_H
#define LOSSLESSCTL_POLICY_DOCUMENT_PROFILE_H

#include "classes.h"
#include "match.h"
#include "overlay.h"

#define WHEN_MAX 32 /* entries of one profile: a bit each */

/* An entry of "when": laid over the profile on ports for which it holds. */
struct conditional {
	struct match when;
	struct layer set;
};

struct profile {
	char name[ID_MAX]; /* "": of a show document */
	struct classes classes;
	struct config base;		/* what the classes mean, with its own settings over it */
	settingset optional;		/* settings that a port may lack */
	const struct conditional *when; /* in the order of the document; borrowed */
	size_t when_count;
};

/*
 * Reads the profile that stands at `at`, whose key is its name. The entries of
 * its "when" go into `room`, which has space for as many as it lists.
 */
bool profile_take(struct profile *ret, struct conditional *room, json_t *profile,
		  const struct at *at, struct err *err) must_check;

/* How many entries its "when" lists. */
size_t profile_when_count(const json_t *profile);

#endif
