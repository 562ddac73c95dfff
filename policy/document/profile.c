#include "loading.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "../util/unknown_key.h"

/* Reads one entry of "optional" and adds the settings that it names. */
static bool optional_word_from_json(setting_set *set, const json_t *j, const struct json_path *at,
				    struct err *err)
{
	struct suggestion near = suggest_for(json_is_string(j) ? json_string_value(j) : "");
	setting_set found = 0;

	if (!json_is_string(j))
		return err_expected(err, at, j,
				    "the name of a setting, or a glob such as \"roce.*\"");
	for (size_t i = 0; i < SETTING_COUNT; i++)
		if (fnmatch(near.word, settings[i].path, 0) == 0)
			found |= SETTING(i);
	*set |= found;
	if (found)
		return true;
	for (size_t i = 0; i < SETTING_COUNT; i++)
		suggest_offer(&near, settings[i].path);
	return err_unknown_name(err, at, "setting", &near);
}

static bool optional_from_json(const struct key *k, void *field, json_t *list,
			       const struct json_path *at, struct err *err)
{
	json_t *item;
	bool ok = true;

	(void)k;
	if (!json_is_array(list))
		return err_expected(err, at, list, "a list of settings, such as [\"ecn.*\"]");
	json_item_foreach (list, at, here, item)
		ok = err_part(err, optional_word_from_json(field, item, &here, err)) && ok;
	return ok;
}

/* The name of a setting, or a glob; a schema cannot check whether a glob matches any setting. */
static json_t *optional_schema(const struct key *k)
{
	(void)k;
	return json_pack("{s:s, s:{s:[{s:o}, {s:s, s:s}]}}", "type", "array", "items", "anyOf",
			 "enum", setting_paths_to_json(EVERY_SETTING), "type", "string", "pattern",
			 "[*?\\[\\\\]");
}

/* ---- when ---- */

static bool when_set_from_json(const struct key *k, void *field, json_t *set,
			       const struct json_path *at, struct err *err)
{
	(void)k;
	return overlay_from_json(field, set, at, err);
}

static const struct key when_set = {
	.name = "set",
	.type = KEY_OTHER,
	KEY_FIELD(struct conditional, set),
	.from_json = when_set_from_json,
	.schema = set_schema,
	.missing = "an entry of \"when\" needs a \"set\"",
};

/* The conditions, then the set. */
static bool when_row(size_t i, struct key *ret)
{
	struct key before;

	if (match_when_row(i, ret)) {
		ret->offset += offsetof(struct conditional, when);
		return true;
	}
	*ret = when_set;
	return i == 0 || match_when_row(i - 1, &before);
}

/* Each `required` has its property beside it, as strict schema validators demand. */
static void require_a_condition(json_t *schema)
{
	json_t *given = json_array();
	struct key k;

	for (size_t i = 0; match_when_row(i, &k); i++)
		json_array_append_new(given, json_pack("{s:{s:b}, s:[s]}", "properties", k.name, 1,
						       "required", k.name));
	json_object_set_new(schema, "anyOf", given);
}

static const struct key_object when_object = {
	.row = when_row,
	.expected = "an object with a condition and a \"set\"",
	.add_to_schema = require_a_condition,
};

static bool has_condition(json_t *entry)
{
	struct key k;

	for (size_t i = 0; match_when_row(i, &k); i++)
		if (json_object_get(entry, k.name))
			return true;
	return false;
}

static bool conditional_from_json(struct conditional *ret, json_t *entry,
				  const struct json_path *at, struct err *err)
{
	bool ok = err_part(err, object_from_json(&when_object, ret, entry, at, err));

	return err_part(err, !json_is_object(entry) || has_condition(entry) ||
				     err_policy(err, at,
						"an entry of \"when\" needs \"speed_mbps\" or "
						"\"firmware\"")) &&
	       ok;
}

size_t profile_when_count(const json_t *profile)
{
	return json_array_size(json_object_get(profile, "when"));
}

static bool when_from_json(struct conditional *conditionals, const json_t *list,
			   const struct json_path *at, struct err *err)
{
	json_t *entry;
	bool ok = true;

	if (list && !json_is_array(list)) {
		err_record_expected(err, at, list, "a list of conditions, each with its \"set\"");
		return err_fix(err, "[{\"speed_mbps\": \">=100000\", \"set\": {...}}]");
	}
	if (json_array_size(list) > WHEN_MAX)
		return err_policy(err, at, "more than %d entries", WHEN_MAX);
	json_item_foreach (list, at, here, entry)
		ok = err_part(err, conditional_from_json(&conditionals[here.index], entry, &here,
							 err)) &&
		     ok;
	return ok;
}

/* ---- profile ---- */

static bool is_setting(const struct json_path *at, struct suggestion *near, struct err *err)
{
	return settings_have_key(at->key) || err_unknown_setting(err, at, "", near);
}

static void add_settings(json_t *schema)
{
	json_auto_t *settings_schema = set_schema(NULL);

	json_object_update(json_object_get(schema, "properties"),
			   json_object_get(settings_schema, "properties"));
}

/* clang-format off */
static const struct key profile_keys[] = {
	{ "classes", NULL, KEY_LIST, .min = 1, .max = PRIOS, .objects = &class_object,
	  .doc = "In a profile: traffic classes, from which settings are derived.",
	  .more = "A class has a name and a priority, and may have dscp, lossless, bandwidth "
		  "or strict, ecn, cnp. One class may omit dscp: it gets all other traffic. A "
		  "setting beside the classes overrides the derived one." },
	{ "when", NULL, KEY_LIST, .max = WHEN_MAX, .objects = &when_object,
	  .doc = "In a profile: settings for ports of a certain speed or firmware.",
	  .more = "A list of {speed_mbps or firmware, set}. The entries that match override "
		  "the profile, in order." },
	{ "optional", NULL, KEY_OTHER, KEY_FIELD(struct profile, optional),
	  .from_json = optional_from_json, .schema = optional_schema,
	  .doc = "In a profile: settings that a port may lack.",
	  .more = "Names or globs, as in [\"ecn.*\", \"roce.traffic_class\"]. A setting that "
		  "the port lacks is reported as skipped." },
	{ .name = NULL },
};
/* clang-format on */

const struct key_object profile_object = {
	.keys = profile_keys,
	.expected = "an object of settings, such as {\"mtu\": 9000}",
	.other = is_setting,
	.add_to_schema = add_settings,
};

static bool classes_key_from_json(struct profile *p, json_t *list, const struct json_path *at,
				  struct err *err)
{
	if (!list)
		return true;
	if (!classes_from_json(&p->classes, list, at, err))
		return false;
	p->base = classes_derive(&p->classes);
	return true;
}

/* Reads the settings of a profile, whose other keys have been checked before. */
static bool settings_from_json(struct profile *p, json_t *profile, const struct json_path *at,
			       struct err *err)
{
	json_auto_t *settings_only = json_copy(profile);
	struct overlay own;
	const char *key;
	json_t *v;

	json_object_foreach (profile, key, v)
		if (!settings_have_key(key))
			json_object_del(settings_only, key);
	if (!overlay_from_json(&own, settings_only, at, err))
		return false;
	p->own = own.replaced.has | own.removed;
	overlay_apply(&p->base, &own);
	return true;
}

static bool read_profile(struct profile *p, struct conditional *conditionals, json_t *profile,
			 const struct json_path *at, struct err *err)
{
	struct json_path classes_at = { at, "classes", 0 }, when_at = { at, "when", 0 };
	bool ok = err_part(err, object_from_json(&profile_object, p, profile, at, err));

	if (!json_is_object(profile))
		return false;
	ok = err_part(err, classes_key_from_json(p, json_object_get(profile, "classes"),
						 &classes_at, err)) &&
	     ok;
	ok = err_part(err, settings_from_json(p, profile, at, err)) && ok;
	return err_part(err, when_from_json(conditionals, json_object_get(profile, "when"),
					    &when_at, err)) &&
	       ok;
}

bool profile_from_json(struct profile *ret, struct conditional *conditionals, json_t *profile,
		       const struct json_path *at, struct err *err)
{
	struct profile p = { .when = conditionals, .when_count = profile_when_count(profile) };

	snprintf(p.name, sizeof(p.name), "%s", at->key);
	*ret = p;
	ret->broken = true;
	if (strlen(at->key) >= sizeof(p.name)) {
		err_policy(err, at, "longer than %zu bytes", sizeof(p.name) - 1);
		err->at.of_key = true;
		return false;
	}
	if (!read_profile(&p, conditionals, profile, at, err))
		return false;
	*ret = p;
	return true;
}
