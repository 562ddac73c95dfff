#include "config_json.h"

#include <stdio.h>
#include <string.h>

#include "../model/type.h"

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
	err_policy(err, at, "unknown key \"%s\"", at->key);
	err->at.of_key = true;
	return err_fix(err, "write it as \"%s\": {\"%s\": ...}", setting_group(k, groups[0]),
		       setting_leaf(k));
}

/* Reports an unknown key and the nearest valid one. */
static bool unknown_key(const struct json_path *at, const char *group, struct err *err)
{
	struct suggestion near = suggest_for(at->key);

	return err_unknown_setting(err, at, group, &near);
}

static const struct setting *find_in_group(const char *group, const char *leaf)
{
	size_t n = strlen(group);

	if (n == 0)
		return strchr(leaf, '.') ? NULL : setting_find(leaf);
	for (const struct setting *k = settings; k < settings + SETTING_COUNT; k++)
		if (strncmp(k->path, group, n) == 0 && k->path[n] == '.' &&
		    strcmp(k->path + n + 1, leaf) == 0)
			return k;
	return NULL;
}

static bool is_group(const char *key)
{
	size_t n = strlen(key);

	for (const struct setting *k = settings; k < settings + SETTING_COUNT; k++)
		if (strncmp(k->path, key, n) == 0 && k->path[n] == '.')
			return n > 0;
	return false;
}

bool config_has_key(const char *key)
{
	return is_group(key) || find_in_group("", key);
}

bool err_misplaced(struct err *err, const struct json_path *at, const struct suggestion *near,
		   const char *move)
{
	char fix[sizeof(err->fix)];

	if (!config_has_key(at->key))
		return err_unknown_key(err, at, near);
	snprintf(fix, sizeof(fix), "%.*s%s%s", (int)strcspn(move, "%"), move, at->key,
		 move + strcspn(move, "%") + 2);
	err_policy(err, at, "\"%s\" is a setting, which does not belong here", at->key);
	err->at.of_key = true;
	return err_fix(err, "%s", fix);
}

/* The target of an amendment; `observed` marks values read from a port, not from a policy. */
struct amendment {
	struct config *c;
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

static bool value_from_json(const struct amendment *a, const struct setting *k, json_t *v,
			    const struct json_path *here, struct err *err)
{
	struct setting wide = without_limits(k);

	return type_of(k)->from_json(a->observed ? &wide : k, a->c, v, here, err);
}

static bool amend(const struct amendment *a, json_t *object, const char *group,
		  const struct json_path *at, struct err *err);

/* The example is the group's first setting. */
static bool err_no_group(struct err *err, const struct json_path *at, const json_t *found)
{
	size_t n = strlen(at->key);
	const struct setting *k = settings;

	while (strncmp(k->path, at->key, n) != 0 || k->path[n] != '.')
		k++;
	return err_expected(err, at, found, "an object of settings, such as {\"%s\": ...}",
			    setting_leaf(k));
}

static bool amend_member(const struct amendment *a, const char *group, json_t *v,
			 const struct json_path *here, struct err *err)
{
	const struct setting *k = find_in_group(group, here->key);

	if (!k && !group[0] && is_group(here->key))
		return json_is_object(v) ? amend(a, v, here->key, here, err)
					 : err_no_group(err, here, v);
	if (!k)
		return unknown_key(here, group, err);
	if (json_is_null(v)) {
		a->c->has &= ~SETTING(k - settings);
		return true;
	}
	a->c->has |= SETTING(k - settings);
	return value_from_json(a, k, v, here, err);
}

static bool amend(const struct amendment *a, json_t *object, const char *group,
		  const struct json_path *at, struct err *err)
{
	json_t *v;
	bool ok = true;

	json_member_foreach (object, at, here, v)
		ok = err_part(err, amend_member(a, group, v, &here, err)) && ok;
	return ok;
}

static bool amend_copy(struct config *c, bool observed, const json_t *object,
		       const struct json_path *at, struct err *err)
{
	struct config out = *c;
	struct amendment a = { &out, observed };

	if (!json_is_object(object))
		return err_expected(err, at, object,
				    "an object of settings, such as {\"mtu\": 9000}");
	if (!amend(&a, (json_t *)object, "", at, err))
		return false;
	*c = out;
	return true;
}

bool config_amend(struct config *c, const json_t *object, const struct json_path *at,
		  struct err *err)
{
	return amend_copy(c, false, object, at, err);
}

bool config_amend_observed(struct config *c, const json_t *object, const struct json_path *at,
			   struct err *err)
{
	return amend_copy(c, true, object, at, err);
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
