#include "profile.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "classes_derive.h"
#include "config_json.h"

/* The keys of a profile that are not settings. */
static const char *const words[] = { "about", "classes", "when", "optional" };

#define WORDS (sizeof(words) / sizeof(words[0]))

/* Reads one entry of "optional" and adds the settings that it names. */
static bool take_optional_word(settingset *set, const json_t *j, const struct at *at,
			       struct err *err)
{
	struct suggestion near = suggest_for(json_is_string(j) ? json_string_value(j) : "");
	settingset found = 0;

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
	return near.best ? err_hint(err, "did you mean \"%s\"?", near.best) : false;
}

static bool take_optional(settingset *set, const json_t *list, const struct at *at, struct err *err)
{
	size_t i;
	json_t *item;

	if (list && !json_is_array(list))
		return err_policy(err, at, "expected a list of knobs");
	json_array_foreach (list, i, item) {
		struct at here = { at, NULL, i };

		if (!take_optional_word(set, item, &here, err))
			return false;
	}
	return true;
}

static bool take_conditional(struct conditional *ret, json_t *entry, const struct at *at,
			     struct err *err)
{
	const char *known[MATCH_COUNT + 3] = { "set", "about" };
	json_t *set = json_object_get(entry, "set");
	struct at set_at = { at, "set", 0 };
	size_t n = 2, given = 0;

	for (size_t i = 0; i < MATCH_COUNT; i++)
		if (match_keys[i].in_when) {
			known[n++] = match_keys[i].name;
			given += json_object_get(entry, match_keys[i].name) != NULL;
		}
	if (!json_is_object(entry))
		return err_policy(err, at, "expected an object with a condition and a \"set\"");
	if (!json_only_keys(entry, known, at, err) || !json_check_about(entry, at, err))
		return false;
	if (!given)
		return err_policy(err, at,
				  "an entry of \"when\" needs \"speed_mbps\" or \"firmware\"");
	if (!set)
		return err_policy(err, at, "an entry of \"when\" needs a \"set\"");
	return match_take_when(&ret->when, entry, at, err) &&
	       layer_take(&ret->set, set, &set_at, err);
}

size_t profile_when_count(const json_t *profile)
{
	return json_array_size(json_object_get(profile, "when"));
}

static bool take_when(struct conditional *room, const json_t *list, const struct at *at,
		      struct err *err)
{
	size_t i;
	json_t *entry;

	if (list && !json_is_array(list)) {
		err_policy(err, at, "expected a list of conditions, each with its \"set\"");
		return err_hint(err, "[{\"speed_mbps\": \">=100000\", \"set\": {…}}]");
	}
	if (json_array_size(list) > WHEN_MAX)
		return err_policy(err, at, "more than %d entries", WHEN_MAX);
	json_array_foreach (list, i, entry) {
		struct at here = { at, NULL, i };

		if (!take_conditional(&room[i], entry, &here, err))
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
static bool only_known(json_t *profile, const struct at *at, struct err *err)
{
	const char *known[WORDS + SETTING_COUNT + 1] = { NULL };
	char groups[SETTING_COUNT][GROUP_MAX];
	size_t n = 0;

	for (; n < WORDS; n++)
		known[n] = words[n];
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		const char *word =
			setting_group(&settings[i], groups[i])[0] ? groups[i] : settings[i].path;

		if (!is_listed(known, n, word))
			known[n++] = word;
	}
	return json_only_keys(profile, known, at, err);
}

static bool take_classes(struct profile *p, json_t *list, const struct at *at, struct err *err)
{
	if (!list)
		return true;
	if (!classes_take(&p->classes, list, at, err))
		return false;
	p->base = classes_derive(&p->classes);
	return true;
}

static bool take_settings(struct config *base, json_t *profile, const struct at *at,
			  struct err *err)
{
	json_auto_t *settings_only = json_copy(profile);
	struct layer own;

	for (size_t i = 0; i < WORDS; i++)
		json_object_del(settings_only, words[i]);
	if (!layer_take(&own, settings_only, at, err))
		return false;
	layer_put(base, &own);
	return true;
}

bool profile_take(struct profile *ret, struct conditional *room, json_t *profile,
		  const struct at *at, struct err *err)
{
	struct at optional_at = { at, "optional", 0 }, classes_at = { at, "classes", 0 },
		  when_at = { at, "when", 0 };
	struct profile p = { .when = room, .when_count = profile_when_count(profile) };

	if (strlen(at->key) >= sizeof(p.name)) {
		err_policy(err, at, "longer than %zu bytes", sizeof(p.name) - 1);
		err->at.of_key = true;
		return false;
	}
	snprintf(p.name, sizeof(p.name), "%s", at->key);
	if (!json_is_object(profile))
		return err_policy(err, at, "expected an object of knobs");
	if (!only_known(profile, at, err) || !json_check_about(profile, at, err) ||
	    !take_optional(&p.optional, json_object_get(profile, "optional"), &optional_at, err) ||
	    !take_classes(&p, json_object_get(profile, "classes"), &classes_at, err) ||
	    !take_settings(&p.base, profile, at, err) ||
	    !take_when(room, json_object_get(profile, "when"), &when_at, err))
		return false;
	*ret = p;
	return true;
}
