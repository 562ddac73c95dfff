/* Converts settings from and to JSON. A config is plain data: it keeps nothing of the JSON tree. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_SETTINGS_JSON_H
#define LOSSLESSCTL_POLICY_DOCUMENT_SETTINGS_JSON_H

#include <jansson.h>

#include "../model/marking.h"
#include "../model/setting.h"
#include "../util/keys.h"

/*
 * Copies the settings in `object` over *c. An array or a map replaces the whole value; null removes
 * the setting. On failure *c is unchanged; errors are ERR_POLICY with the location.
 */
bool config_amend(struct config *c, const json_t *object, const struct json_path *at,
		  struct err *err) must_check;

/* The same for values read from a port, which may exceed the ranges of a policy. */
bool config_amend_observed(struct config *c, const json_t *object, const struct json_path *at,
			   struct err *err) must_check;

/* The settings in both `which` and `c`, grouped as in a policy. The caller owns the result. */
json_t *config_to_json(const struct config *c, setting_set which);

/* True if a profile may have this key at its top: a setting, or a group of settings. */
bool settings_have_key(const char *key);

/*
 * Records a key that is no setting of `group`, with the nearest key of the group or of those
 * already offered; always false.
 */
bool err_unknown_setting(struct err *err, const struct json_path *at, const char *group,
			 struct suggestion *near);

/*
 * Records an unknown key where settings do not belong; for a setting the fix is `move`, a format
 * with the key. Always false.
 */
bool err_misplaced(struct err *err, const struct json_path *at, const struct suggestion *near,
		   const char *move);

/* The paths of settings. The caller owns the result. */
json_t *setting_paths_to_json(setting_set which);

/* One setting's value, or null if `c` lacks it. The caller owns the result. */
json_t *setting_to_json(const struct setting *k, const struct config *c);

/* The schemas of one setting's value and of a "set". The caller owns the result. */
json_t *setting_to_schema(const struct setting *k);
json_t *set_schema(const struct key *k);

/* Reads and writes the class of each priority of the kernel; null: there is no mqprio. */
json_t *mqprio_to_json(const struct mqprio *m);
bool mqprio_from_json(const json_t *list, struct mqprio *ret);

/* The last part of a path: "cable_m" of "pfc.cable_m". */
const char *setting_leaf(const struct setting *k);

/* The group of a dotted path ("pfc" of "pfc.cable_m"), or "" for a path without a dot. */
#define GROUP_MAX 24
const char *setting_group(const struct setting *k, char group[GROUP_MAX]);

/* The content of a "set": it replaces some settings, and removes those that are null. */
struct overlay {
	struct config replaced;
	setting_set removed;
};

/*
 * Read a "set", or the "config" of a show document, whose values may exceed the ranges of a policy.
 */
bool overlay_from_json(struct overlay *ret, json_t *set, const struct json_path *at,
		       struct err *err) must_check;
bool overlay_from_observed(struct overlay *ret, json_t *config, const struct json_path *at,
			   struct err *err) must_check;

/* Applies the overlay. A list or a map replaces the whole value. */
void overlay_apply(struct config *c, const struct overlay *l);

#endif
