#include "layer.h"

#include <stdio.h>

/* The knobs below `group` that are null; the object was accepted as a `set`. */
static knobset dropped(json_t *object, const char *group)
{
	knobset set = 0;
	const char *key;
	json_t *v;

	json_object_foreach (object, key, v) {
		char path[2 * GROUP_MAX];

		snprintf(path, sizeof(path), "%s%s%s", group, group[0] ? "." : "", key);
		if (json_is_null(v))
			set |= KNOB(knob_find(path) - knobs);
		else if (!group[0] && !knob_find(key))
			set |= dropped(v, key);
	}
	return set;
}

bool layer_take(struct layer *ret, json_t *set, const struct at *at, struct err *err)
{
	struct config over = { 0 };

	if (!config_amend(&over, set, at, err))
		return false;
	*ret = (struct layer){ over, dropped(set, "") };
	return true;
}

bool layer_take_seen(struct layer *ret, json_t *config, const struct at *at, struct err *err)
{
	struct config over = { 0 };

	if (!config_amend_seen(&over, config, at, err))
		return false;
	*ret = (struct layer){ over, 0 };
	return true;
}

void layer_put(struct config *c, const struct layer *l)
{
	for (unsigned i = 0; i < KNOB_COUNT; i++)
		if (l->over.has & KNOB(i))
			knob_move(&knobs[i], c, &l->over);
	c->has = (c->has & ~l->dropped) | l->over.has;
}
