#include "settings_json.h"

#include <stdio.h>
#include <string.h>

#include "../model/type.h"
#include "../util/unknown_key.h"

const char *setting_group(const struct setting *k, char group[GROUP_MAX])
{
	const char *dot = strchr(k->path, '.');
	size_t n = dot ? (size_t)(dot - k->path) : 0;

	n = n < GROUP_MAX ? n : GROUP_MAX - 1;
	memcpy(group, k->path, n);
	group[n] = '\0';
	return group;
}

const char *setting_leaf(const struct setting *k)
{
	const char *dot = strchr(k->path, '.');

	return dot ? dot + 1 : k->path;
}

/* The setting with this leaf in another group, if there is exactly one; else NULL. */
static const struct setting *find_leaf(const char *leaf)
{
	const struct setting *found = NULL;

	for (const struct setting *k = settings; k < settings + SETTING_COUNT; k++) {
		if (strcmp(setting_leaf(k), leaf) != 0 || !strchr(k->path, '.'))
			continue;
		if (found)
			return NULL;
		found = k;
	}
	return found;
}

bool err_unknown_setting(struct err *err, const struct json_path *at, const char *group,
			 struct suggestion *near)
{
	const struct setting *k = setting_find(at->key);
	char groups[SETTING_COUNT][GROUP_MAX];

	for (size_t i = 0; i < SETTING_COUNT; i++) {
		if (strcmp(setting_group(&settings[i], groups[i]), group) == 0)
			suggest_offer(near, setting_leaf(&settings[i]));
		else if (!group[0])
			suggest_offer(near, groups[i]);
	}
	if (!k && !near->best)
		k = find_leaf(at->key);
	if (!k || !strchr(k->path, '.'))
		return err_unknown_key(err, at, near);
	err_unknown_key(err, at, NULL);
	return err_fix(err, "write it as \"%s\": {\"%s\": ...}", setting_group(k, groups[0]),
		       setting_leaf(k));
}

/* Reports an unknown key and the nearest valid one. */
static bool unknown_key(const struct json_path *at, const char *group, struct err *err)
{
	struct suggestion near = suggest_for(at->key);

	return err_unknown_setting(err, at, group, &near);
}

/* The setting of a group with this leaf, or the first one if that is NULL; "" is no group. */
static const struct setting *find_in_group(const char *group, const char *leaf)
{
	size_t n = strlen(group);

	for (const struct setting *k = settings; n && k < settings + SETTING_COUNT; k++)
		if (strncmp(k->path, group, n) == 0 && k->path[n] == '.' &&
		    (!leaf || strcmp(k->path + n + 1, leaf) == 0))
			return k;
	return n || !leaf || strchr(leaf, '.') ? NULL : setting_find(leaf);
}

bool settings_have_key(const char *key)
{
	return find_in_group(key, NULL) || find_in_group("", key);
}

bool err_misplaced(struct err *err, const struct json_path *at, const struct suggestion *near,
		   const char *move)
{
	char fix[sizeof(err->fix)];

	if (!settings_have_key(at->key))
		return err_unknown_key(err, at, near);
	snprintf(fix, sizeof(fix), "%.*s%s%s", (int)strcspn(move, "%"), move, at->key,
		 move + strcspn(move, "%") + 2);
	err_policy(err, at, "\"%s\" is a setting, which does not belong here", at->key);
	err->at.of_key = true;
	return err_fix(err, "%s", fix);
}

/* Settings that are read; `observed` marks values read from a port, not from a policy. */
struct amendment {
	struct config *c;
	setting_set removed; /* those that are null */
	bool observed;
};

/* A port may report values that a policy may not set: only the width of the field limits them. */
static struct setting without_limits(const struct setting *k)
{
	struct setting wide = *k;

	if (k->type == T_INT && !k->index) {
		wide.min = 0;
		wide.max = k->size == 1 ? UINT8_MAX : k->size == 2 ? UINT16_MAX : UINT32_MAX;
	}
	wide.min_above_zero = 0;
	return wide;
}

static bool amend(struct amendment *a, json_t *object, const char *group,
		  const struct json_path *at, struct err *err);

static bool amend_member(struct amendment *a, const char *group, json_t *v,
			 const struct json_path *here, struct err *err)
{
	const struct setting *k = find_in_group(group, here->key);
	const struct setting *first = k || group[0] ? NULL : find_in_group(here->key, NULL);
	struct setting wide;

	if (first && json_is_object(v))
		return amend(a, v, here->key, here, err);
	if (first)
		return err_expected(err, here, v, "an object of settings, such as {\"%s\": ...}",
				    setting_leaf(first));
	if (!k)
		return unknown_key(here, group, err);
	if (json_is_null(v)) {
		a->c->has &= ~SETTING(k - settings);
		a->removed |= SETTING(k - settings);
		return true;
	}
	a->c->has |= SETTING(k - settings);
	wide = without_limits(k);
	return type_of(k)->from_json(a->observed ? &wide : k, a->c, v, here, err);
}

static bool amend(struct amendment *a, json_t *object, const char *group,
		  const struct json_path *at, struct err *err)
{
	json_t *v;
	bool ok = true;

	json_member_foreach (object, at, here, v)
		ok = err_part(err, amend_member(a, group, v, &here, err)) && ok;
	return ok;
}

/* Settings that are null are removed from the config, and listed unless `ret_removed` is NULL. */
static bool amend_copy(struct config *c, setting_set *ret_removed, bool observed,
		       const json_t *object, const struct json_path *at, struct err *err)
{
	struct config out = *c;
	struct amendment a = { &out, 0, observed };

	if (!json_is_object(object))
		return err_expected(err, at, object,
				    "an object of settings, such as {\"mtu\": 9000}");
	if (!amend(&a, (json_t *)object, "", at, err))
		return false;
	*c = out;
	if (ret_removed)
		*ret_removed = a.removed;
	return true;
}

bool config_amend(struct config *c, const json_t *object, const struct json_path *at,
		  struct err *err)
{
	return amend_copy(c, NULL, false, object, at, err);
}

bool config_amend_observed(struct config *c, const json_t *object, const struct json_path *at,
			   struct err *err)
{
	return amend_copy(c, NULL, true, object, at, err);
}

json_t *setting_to_json(const struct setting *k, const struct config *c)
{
	return c->has & SETTING(k - settings) ? type_of(k)->to_json(k, c) : json_null();
}

/* The object of a setting's group, which is made with its first setting. */
static json_t *group_of(json_t *root, const struct setting *k)
{
	char group[GROUP_MAX];
	json_t *object;

	if (!setting_group(k, group)[0])
		return root;
	object = json_object_get(root, group);
	if (object)
		return object;
	object = json_object();
	return json_object_set_new_nocheck(root, group, object) == 0 ? object : NULL;
}

json_t *config_to_json(const struct config *c, setting_set which)
{
	json_t *root = json_object();

	for (size_t i = 0; i < SETTING_COUNT; i++)
		if (c->has & which & SETTING(i))
			json_object_set_new_nocheck(group_of(root, &settings[i]),
						    setting_leaf(&settings[i]),
						    setting_to_json(&settings[i], c));
	return root;
}

json_t *setting_paths_to_json(setting_set which)
{
	json_t *list = json_array();

	for (size_t i = 0; i < SETTING_COUNT; i++)
		if (which & SETTING(i))
			json_array_append_new(list, json_string(settings[i].path));
	return list;
}

/* ---- schema ---- */

json_t *setting_to_schema(const struct setting *k)
{
	json_t *s = type_of(k)->schema(k);

	json_object_set_new(s, "description", json_string(k->doc));
	if (k->unit)
		json_object_set_new(s, "$comment", json_sprintf("unit: %s", k->unit));
	return s;
}

static json_t *closed_object(void)
{
	return json_pack("{s:s, s:{}, s:b}", "type", "object", "properties", "additionalProperties",
			 0);
}

/* In a "set", null removes a setting. */
json_t *set_schema(const struct key *row)
{
	json_t *root = closed_object();

	(void)row;
	for (const struct setting *k = settings; k < settings + SETTING_COUNT; k++) {
		json_t *into = json_object_get(root, "properties");
		char group[GROUP_MAX];

		if (setting_group(k, group)[0]) {
			if (!json_object_get(into, group))
				json_object_set_new(into, group, closed_object());
			into = json_object_get(json_object_get(into, group), "properties");
		}
		json_object_set_new(into, setting_leaf(k),
				    json_pack("{s:[o, {s:s}]}", "anyOf", setting_to_schema(k),
					      "type", "null"));
	}
	return root;
}

/* ---- overlays ---- */

bool overlay_from_json(struct overlay *ret, json_t *set, const struct json_path *at,
		       struct err *err)
{
	*ret = (struct overlay){ 0 };
	return amend_copy(&ret->replaced, &ret->removed, false, set, at, err);
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

#define CLASSES_MAX 16 /* TC_QOPT_MAX_QUEUE, mqprio's */

json_t *mqprio_to_json(const struct mqprio *m)
{
	json_t *list = m->there ? json_array() : json_null();

	for (int p = 0; m->there && p < PRIOS; p++)
		json_array_append_new(list, json_integer(m->class[p]));
	return list;
}

bool mqprio_from_json(const json_t *list, struct mqprio *ret)
{
	struct mqprio m = { .there = json_array_size(list) == PRIOS };

	for (size_t p = 0; m.there && p < PRIOS; p++) {
		const json_t *class = json_array_get(list, p);
		json_int_t n = json_integer_value(class);

		m.there = json_is_integer(class) && n >= 0 && n < CLASSES_MAX;
		m.class[p] = (uint8_t)n;
	}
	*ret = m;
	return m.there;
}
