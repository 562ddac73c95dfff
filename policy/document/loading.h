/* Reads the profiles and rules of a policy while it is loaded. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_LOADING_H
#define LOSSLESSCTL_POLICY_DOCUMENT_LOADING_H

#include "../model/congestion_control.h"
#include "resolve.h"

/* State of loading a policy: the document, and the memory that is still unused. */
struct loading {
	const struct profile *profiles; /* complete */
	size_t profiles_count;
	json_t *profiles_json;
	struct conditional *conditionals;
	struct overlay *overlays;
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

/* The keys of a rule. */
extern const struct key_object rule_object;

/* Reads a rule and checks the settings that result, without and with each entry of "when". */
bool port_rule_from_json(struct port_rule *r, struct loading *l, json_t *rule,
			 const struct json_path *at, struct err *err) must_check;

/*
 * Reads a port of a show document as a rule: it matches the port by name, and its config becomes
 * the desired settings.
 */
bool port_rule_from_show(struct port_rule *r, struct loading *l, json_t *port,
			 const struct json_path *at, struct err *err) must_check;

/* For the row of the key; the field is a pointer to a struct congestion_control. */
bool congestion_control_from_json(const struct key *k, void *field, json_t *j,
				  const struct json_path *at, struct err *err) must_check;
json_t *congestion_control_schema(const struct key *k);

/*
 * Gives each profile the settings that the policy's congestion control asserts, unless the profile
 * has them. Fails with each setting that contradicts it, at its place.
 */
bool congestion_apply_to_profiles(const struct congestion_control *c, struct profile *profiles,
				  size_t count, struct err *err) must_check;

/* Fails with each setting of a rule's "set" that contradicts the congestion control. */
bool congestion_check_rules(const struct congestion_control *c, const struct port_rule *rules,
			    size_t count, struct err *err) must_check;

#endif
