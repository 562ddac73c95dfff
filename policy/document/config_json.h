/* Settings in and out of JSON. A config becomes plain data here and the tree is dropped. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_CONFIG_JSON_H
#define LOSSLESSCTL_POLICY_DOCUMENT_CONFIG_JSON_H

#include <jansson.h>

#include "../model/setting.h"
#include "../util/json_location.h"

/*
 * Puts what `object` says over *c, leaf by leaf: an array or a map is one
 * leaf, and null un-mentions it. *c is unchanged on failure. Errors are
 * ERR_POLICY with the place.
 */
bool config_amend(struct config *c, const json_t *object, const struct at *at,
		  struct err *err) must_check;

/* The same for what a port was seen to have, which may be more than a policy may ask for. */
bool config_amend_seen(struct config *c, const json_t *object, const struct at *at,
		       struct err *err) must_check;

/* The settings of `which` that c has, grouped as in a policy. The caller owns the result. */
json_t *config_to_json(const struct config *c, settingset which);

/* One setting's value, or null where c lacks it. The caller owns the result. */
json_t *setting_to_json(const struct setting *k, const struct config *c);

/* The last word of a path: "cable_m" of "pfc.cable_m". */
const char *setting_leaf(const struct setting *k);

/* The group of a dotted path ("pfc" of "pfc.cable_m"), or "" for a bare one. */
#define GROUP_MAX 24
const char *setting_group(const struct setting *k, char group[GROUP_MAX]);

#endif
