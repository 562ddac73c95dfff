/* Profiles: named desired settings, with overlays that depend on the port. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_PROFILE_H
#define LOSSLESSCTL_POLICY_DOCUMENT_PROFILE_H

#include "classes.h"
#include "match.h"
#include "overlay.h"

#define WHEN_MAX 32 /* entries of one profile; a 32-bit mask selects among them */

/* An entry of "when": an overlay for ports that match its condition. */
struct conditional {
	struct match when;
	struct overlay set;
};

struct profile {
	char name[ID_MAX]; /* "" in a show document */
	struct classes classes;
	struct config base; /* settings derived from the classes, overlaid with the profile's own */
	setting_set own;    /* settings of `base` that no class gives */
	setting_set asserted; /* settings of `base` that the policy's congestion control gives */
	setting_set optional; /* settings that a port may lack */
	const struct conditional *when; /* in document order; borrowed */
	size_t when_count;
	bool broken; /* has errors; only while a policy is loaded */
};

/*
 * Reads the profile at `at`, whose key is its name. The entries of its "when" go to `conditionals`,
 * which must have space for profile_when_count() of them. A profile with errors has a name and
 * `broken`, so that rules may refer to it.
 */
bool profile_from_json(struct profile *ret, struct conditional *conditionals, json_t *profile,
		       const struct json_path *at, struct err *err) must_check;

/* The keys of a profile that are not settings. */
extern const struct key_object profile_object;

/* The number of entries in the profile's "when". */
size_t profile_when_count(const json_t *profile);

#endif
