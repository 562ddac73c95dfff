#include "overlay.h"

#include <stdio.h>

/* The settings below `group` that are null. The object has been accepted as a "set" before. */
static setting_set removed_in(json_t *object, const char *group)
{
	setting_set set = 0;
	const char *key;
	json_t *v;

	json_object_foreach (object, key, v) {
		char path[2 * GROUP_MAX];

		if (!group[0] && json_is_object(v))
			set |= removed_in(v, key);
		if (!json_is_null(v))
			continue;
		snprintf(path, sizeof(path), "%s%s%s", group, group[0] ? "." : "", key);
		set |= SETTING(setting_find(path) - settings);
	}
	return set;
}

bool overlay_from_json(struct overlay *ret, json_t *set, const struct json_path *at,
		       struct err *err)
{
	*ret = (struct overlay){ 0 };
	if (!config_amend(&ret->replaced, set, at, err))
		return false;
	ret->removed = removed_in(set, "");
	return true;
}

bool overlay_from_observed(struct overlay *ret, json_t *config, const struct json_path *at,
			   struct err *err)
{
	*ret = (struct overlay){ 0 };
	return config_amend_observed(&ret->replaced, config, at, err);
}

void overlay_apply(struct config *c, const struct overlay *l)
{
	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if (l->replaced.has & SETTING(i))
			setting_copy_bytes(&settings[i], c, &l->replaced);
	c->has = (c->has & ~l->removed) | l->replaced.has;
}
