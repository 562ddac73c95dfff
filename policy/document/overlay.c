#include "overlay.h"

#include <stdio.h>

/* The settings below `group` that are null. The object has been accepted as a "set" before. */
static settingset dropped(json_t *object, const char *group)
{
	settingset set = 0;
	const char *key;
	json_t *v;

	json_object_foreach (object, key, v) {
		char path[2 * GROUP_MAX];

		if (!group[0] && json_is_object(v))
			set |= dropped(v, key);
		if (!json_is_null(v))
			continue;
		snprintf(path, sizeof(path), "%s%s%s", group, group[0] ? "." : "", key);
		set |= SETTING(setting_find(path) - settings);
	}
	return set;
}

bool layer_take(struct layer *ret, json_t *set, const struct at *at, struct err *err)
{
	*ret = (struct layer){ 0 };
	if (!config_amend(&ret->over, set, at, err))
		return false;
	ret->dropped = dropped(set, "");
	return true;
}

bool layer_take_seen(struct layer *ret, json_t *config, const struct at *at, struct err *err)
{
	*ret = (struct layer){ 0 };
	return config_amend_seen(&ret->over, config, at, err);
}

void layer_put(struct config *c, const struct layer *l)
{
	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if (l->over.has & SETTING(i))
			setting_move(&settings[i], c, &l->over);
	c->has = (c->has & ~l->dropped) | l->over.has;
}
