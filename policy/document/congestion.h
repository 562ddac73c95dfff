/* The key "congestion_control" of a policy, and what it does to profiles and rules. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_CONGESTION_H
#define LOSSLESSCTL_POLICY_DOCUMENT_CONGESTION_H

#include "../model/congestion_control.h"
#include "resolve.h"

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
