#include "profile.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "classes.h"
#include "config_json.h"

/* The keys of a profile that are not settings. */
static const char *const other_keys[] = { "comment", "classes", "when", "optional" };

#define OTHER_KEYS (sizeof(other_keys) / sizeof(other_keys[0]))

/* Reads one entry of "optional" and adds the settings that it names. */
static bool optional_word_from_json(setting_set *set, const json_t *j, const struct json_path *at,
				    struct err *err)
{
	struct suggestion near = suggest_for(json_is_string(j) ? json_string_value(j) : "");
	setting_set found = 0;

	if (!json_is_string(j))
		return err_expected(err, at, j,
				    "the name of a setting, or a glob such as \"roce.*\"");
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		if (fnmatch(near.word, settings[i].path, 0) == 0)
			found |= SETTING(i);
		suggest_offer(&near, settings[i].path);
	}
	*set |= found;
	if (found)
		return true;
	err_policy(err, at, "no setting is named \"%s\"", near.word);
	return near.best ? err_fix(err, "did you mean \"%s\"?", near.best) : false;
}

static bool optional_from_json(setting_set *set, const json_t *list, const struct json_path *at,
			       struct err *err)
{
	size_t i;
	json_t *item;
	bool ok = true;

	if (list && !json_is_array(list))
		return err_expected(err, at, list, "a list of settings, such as [\"ecn.*\"]");
	json_array_foreach (list, i, item) {
		struct json_path here = { at, NULL, i };

		ok = err_part(err, optional_word_from_json(set, item, &here, err)) && ok;
	}
	return ok;
}

static bool conditional_from_json(struct conditional *ret, json_t *entry,
				  const struct json_path *at, struct err *err)
{
	const char *known[MATCH_COUNT + 3] = { "set", "comment" };
	json_t *set = json_object_get(entry, "set");
	struct json_path set_at = { at, "set", 0 };
	size_t n = 2, given = 0;
	bool ok;

	for (size_t i = 0; i < MATCH_COUNT; i++)
		if (match_keys[i].in_when) {
			known[n++] = match_keys[i].name;
			given += json_object_get(entry, match_keys[i].name) != NULL;
		}
	if (!json_is_object(entry))
		return err_expected(err, at, entry, "an object with a condition and a \"set\"");
	ok = err_part(err, json_only_keys(entry, known, at, err));
	ok = err_part(err, json_check_comment(entry, at, err)) && ok;
	ok = err_part(err, given || err_policy(err, at,
					       "an entry of \"when\" needs \"speed_mbps\" or "
					       "\"firmware\"")) &&
	     ok;
	ok = err_part(err, set || err_policy(err, at, "an entry of \"when\" needs a \"set\"")) &&
	     ok;
	ok = err_part(err, match_from_when(&ret->when, entry, at, err)) && ok;
	return err_part(err, !set || overlay_from_json(&ret->set, set, &set_at, err)) && ok;
}

size_t profile_when_count(const json_t *profile)
{
	return json_array_size(json_object_get(profile, "when"));
}

static bool when_from_json(struct conditional *conditionals, const json_t *list,
			   const struct json_path *at, struct err *err)
{
	size_t i;
	json_t *entry;
	bool ok = true;

	if (list && !json_is_array(list)) {
		err_record_expected(err, at, list, "a list of conditions, each with its \"set\"");
		return err_fix(err, "[{\"speed_mbps\": \">=100000\", \"set\": {...}}]");
	}
	if (json_array_size(list) > WHEN_MAX)
		return err_policy(err, at, "more than %d entries", WHEN_MAX);
	json_array_foreach (list, i, entry) {
		struct json_path here = { at, NULL, i };

		ok = err_part(err, conditional_from_json(&conditionals[i], entry, &here, err)) &&
		     ok;
	}
	return ok;
}

static bool is_listed(const char *const *list, size_t count, const char *word)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i], word) == 0)
			return true;
	return false;
}

/* Fails with each key that is neither a setting nor one of other_keys. */
static bool only_known(json_t *profile, const struct json_path *at, struct err *err)
{
	const char *key;
	json_t *v;
	bool ok = true;

	json_object_foreach (profile, key, v) {
		struct suggestion near = suggest_for(key);
		struct json_path here = { at, key, 0 };

		for (size_t i = 0; i < OTHER_KEYS; i++)
			suggest_offer(&near, other_keys[i]);
		ok = err_part(err, is_listed(other_keys, OTHER_KEYS, key) || config_has_key(key) ||
					   err_unknown_setting(err, &here, "", &near)) &&
		     ok;
	}
	return ok;
}

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
		if (is_listed(other_keys, OTHER_KEYS, key) || !config_has_key(key))
			json_object_del(settings_only, key);
	if (!overlay_from_json(&own, settings_only, at, err))
		return false;
	p->own = own.replaced.has;
	overlay_apply(&p->base, &own);
	return true;
}

static bool read_profile(struct profile *p, struct conditional *conditionals, json_t *profile,
			 const struct json_path *at, struct err *err)
{
	struct json_path optional_at = { at, "optional", 0 }, classes_at = { at, "classes", 0 },
			 when_at = { at, "when", 0 };
	bool ok;

	if (!json_is_object(profile))
		return err_expected(err, at, profile,
				    "an object of settings, such as {\"mtu\": 9000}");
	ok = err_part(err, only_known(profile, at, err));
	ok = err_part(err, json_check_comment(profile, at, err)) && ok;
	ok = err_part(err, optional_from_json(&p->optional, json_object_get(profile, "optional"),
					      &optional_at, err)) &&
	     ok;
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
