#include "profile.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "classes_derive.h"
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
		return err_policy(
			err, at,
			"expected the name of a knob in quotes, or a glob such as \"roce.*\"");
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		if (fnmatch(near.word, settings[i].path, 0) == 0)
			found |= SETTING(i);
		suggest_offer(&near, settings[i].path);
	}
	*set |= found;
	if (found)
		return true;
	err_policy(err, at, "no knob is named \"%s\"", near.word);
	return near.best ? err_fix(err, "did you mean \"%s\"?", near.best) : false;
}

static bool optional_from_json(setting_set *set, const json_t *list, const struct json_path *at,
			       struct err *err)
{
	size_t i;
	json_t *item;

	if (list && !json_is_array(list))
		return err_policy(err, at, "expected a list of knobs");
	json_array_foreach (list, i, item) {
		struct json_path here = { at, NULL, i };

		if (!optional_word_from_json(set, item, &here, err))
			return false;
	}
	return true;
}

static bool conditional_from_json(struct conditional *ret, json_t *entry,
				  const struct json_path *at, struct err *err)
{
	const char *known[MATCH_COUNT + 3] = { "set", "comment" };
	json_t *set = json_object_get(entry, "set");
	struct json_path set_at = { at, "set", 0 };
	size_t n = 2, given = 0;

	for (size_t i = 0; i < MATCH_COUNT; i++)
		if (match_keys[i].in_when) {
			known[n++] = match_keys[i].name;
			given += json_object_get(entry, match_keys[i].name) != NULL;
		}
	if (!json_is_object(entry))
		return err_policy(err, at, "expected an object with a condition and a \"set\"");
	if (!json_only_keys(entry, known, at, err) || !json_check_comment(entry, at, err))
		return false;
	if (!given)
		return err_policy(err, at,
				  "an entry of \"when\" needs \"speed_mbps\" or \"firmware\"");
	if (!set)
		return err_policy(err, at, "an entry of \"when\" needs a \"set\"");
	return match_from_when(&ret->when, entry, at, err) &&
	       overlay_from_json(&ret->set, set, &set_at, err);
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

	if (list && !json_is_array(list)) {
		err_policy(err, at, "expected a list of conditions, each with its \"set\"");
		return err_fix(err, "[{\"speed_mbps\": \">=100000\", \"set\": {…}}]");
	}
	if (json_array_size(list) > WHEN_MAX)
		return err_policy(err, at, "more than %d entries", WHEN_MAX);
	json_array_foreach (list, i, entry) {
		struct json_path here = { at, NULL, i };

		if (!conditional_from_json(&conditionals[i], entry, &here, err))
			return false;
	}
	return true;
}

static bool is_listed(const char *const *list, size_t count, const char *word)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i], word) == 0)
			return true;
	return false;
}

/* Passes all valid keys to json_only_keys(), so that "did you mean" suggests any of them. */
static bool only_known(json_t *profile, const struct json_path *at, struct err *err)
{
	const char *known[OTHER_KEYS + SETTING_COUNT + 1] = { NULL };
	char groups[SETTING_COUNT][GROUP_MAX];
	size_t n = 0;

	for (; n < OTHER_KEYS; n++)
		known[n] = other_keys[n];
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		const char *word =
			setting_group(&settings[i], groups[i])[0] ? groups[i] : settings[i].path;

		if (!is_listed(known, n, word))
			known[n++] = word;
	}
	return json_only_keys(profile, known, at, err);
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

static bool settings_from_json(struct profile *p, json_t *profile, const struct json_path *at,
			       struct err *err)
{
	json_auto_t *settings_only = json_copy(profile);
	struct overlay own;

	for (size_t i = 0; i < OTHER_KEYS; i++)
		json_object_del(settings_only, other_keys[i]);
	if (!overlay_from_json(&own, settings_only, at, err))
		return false;
	p->own = own.replaced.has;
	overlay_apply(&p->base, &own);
	return true;
}

bool profile_from_json(struct profile *ret, struct conditional *conditionals, json_t *profile,
		       const struct json_path *at, struct err *err)
{
	struct json_path optional_at = { at, "optional", 0 }, classes_at = { at, "classes", 0 },
			 when_at = { at, "when", 0 };
	struct profile p = { .when = conditionals, .when_count = profile_when_count(profile) };

	if (strlen(at->key) >= sizeof(p.name)) {
		err_policy(err, at, "longer than %zu bytes", sizeof(p.name) - 1);
		err->at.of_key = true;
		return false;
	}
	snprintf(p.name, sizeof(p.name), "%s", at->key);
	if (!json_is_object(profile))
		return err_policy(err, at, "expected an object of knobs");
	if (!only_known(profile, at, err) || !json_check_comment(profile, at, err) ||
	    !optional_from_json(&p.optional, json_object_get(profile, "optional"), &optional_at,
				err) ||
	    !classes_key_from_json(&p, json_object_get(profile, "classes"), &classes_at, err) ||
	    !settings_from_json(&p, profile, at, err) ||
	    !when_from_json(conditionals, json_object_get(profile, "when"), &when_at, err))
		return false;
	*ret = p;
	return true;
}
