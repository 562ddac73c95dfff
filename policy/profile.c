#include "profile.h"

#include <fnmatch.h>
#include <string.h>

#include "dscp.h"
#include "json.h"
#include "keys.h"
#include "knob.h"
#include "match.h"

/* One word of "optional": the knobs that it names. */
static bool take_optional_word(knobset *set, const json_t *j, const struct at *at, struct err *err)
{
	struct suggestion near = suggest_for(json_is_string(j) ? json_string_value(j) : "");
	knobset found = 0;

	if (!json_is_string(j))
		return err_policy(
			err, at,
			"expected the name of a knob in quotes, or a glob such as \"roce.*\"");
	for (size_t i = 0; i < KNOB_COUNT; i++) {
		if (fnmatch(near.word, knobs[i].path, 0) == 0)
			found |= KNOB(i);
		suggest_offer(&near, knobs[i].path);
	}
	*set |= found;
	if (found)
		return true;
	err_policy(err, at, "no knob is named \"%s\"", near.word);
	return near.best ? err_hint(err, "did you mean \"%s\"?", near.best) : false;
}

static bool take_optional(knobset *set, const json_t *list, const struct at *at, struct err *err)
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

bool profile_take(struct config *want, knobset *optional, const json_t *profile,
		  const struct at *at, struct err *err)
{
	struct at here = { at, "optional", 0 };
	json_auto_t *knobs_only = json_copy((json_t *)profile);

	if (!json_is_object(profile))
		return err_policy(err, at, "expected an object of knobs");
	if (!take_optional(optional, json_object_get(profile, "optional"), &here, err))
		return false;
	json_object_del(knobs_only, "optional");
	return config_amend(want, knobs_only, at, err);
}

bool profile_complete(struct config *want, const struct at *at, struct err *err)
{
	struct at here = { at, want->has & KNOB(KNOB_DSCP_PRIO) ? "dscp" : "trust", 0 };

	if (dscp_complete(want, err))
		return true;
	if (!err->at.pointer[0])
		at_pointer(&here, err->at.pointer, sizeof(err->at.pointer));
	return false;
}

bool profiles_check(json_t *profiles, const struct at *at, struct err *err)
{
	const char *key;
	json_t *profile;

	if (profiles && !json_is_object(profiles))
		return err_policy(err, at, "expected an object of profiles");
	json_object_foreach (profiles, key, profile) {
		struct at here = { at, key, 0 };
		struct config want = { 0 };
		knobset optional = 0;

		if (strlen(key) >= ID_MAX)
			return err_policy(err, &here, "longer than %d bytes", ID_MAX - 1);
		if (!profile_take(&want, &optional, profile, &here, err))
			return false;
	}
	return true;
}
