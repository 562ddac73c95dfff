#include "json.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keys.h"

const char *knob_group(const struct knob *k, char group[GROUP_MAX])
{
	const char *dot = strchr(k->path, '.');

	snprintf(group, GROUP_MAX, "%.*s", dot ? (int)(dot - k->path) : 0, k->path);
	return group;
}

const char *knob_leaf(const struct knob *k)
{
	const char *dot = strchr(k->path, '.');

	return dot ? dot + 1 : k->path;
}

/* ---- in ---- */

static bool word_from_json(const struct knob *k, const char *s, int64_t first, int64_t *ret,
			   const struct at *at, struct err *err)
{
	char list[128] = "";

	for (size_t i = 0; k->names[i]; i++) {
		if (strcmp(s, k->names[i]) == 0) {
			*ret = first + (int64_t)i;
			return true;
		}
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s\"%s\"",
			 i ? ", " : "", k->names[i]);
	}
	err_policy(err, at, "\"%s\" is not one of %s", s, list);
	return false;
}

static bool int_from_json(const struct knob *k, const json_t *j, int64_t *ret, const struct at *at,
			  struct err *err)
{
	json_int_t n = json_integer_value(j);

	if (!json_is_integer(j))
		return err_policy(err, at, "expected a whole number %u to %u%s%s", k->min, k->max,
				  k->unit ? " " : "", k->unit ? k->unit : "");
	if (n < k->min || n > k->max)
		return err_policy(err, at, "%lld is outside %u to %u%s%s", (long long)n, k->min,
				  k->max, k->unit ? " " : "", k->unit ? k->unit : "");
	*ret = n;
	return true;
}

static bool scalar_from_json(const struct knob *k, const json_t *j, int64_t *ret,
			     const struct at *at, struct err *err)
{
	if (k->type == T_BOOL) {
		*ret = json_is_true(j);
		return json_is_boolean(j) || err_policy(err, at, "expected true or false");
	}
	if (k->type == T_ENUM && !json_is_string(j))
		return err_policy(err, at, "expected a word in quotes, such as \"%s\"",
				  k->names[0]);
	if (json_is_string(j) && k->names)
		return word_from_json(k, json_string_value(j), k->type == T_REST ? k->max + 1 : 0,
				      ret, at, err);
	return int_from_json(k, j, ret, at, err);
}

static bool prioset_from_json(const struct knob *k, struct config *c, const json_t *j,
			      const struct at *at, struct err *err)
{
	unsigned mask = 0;
	size_t i;
	json_t *item;

	if (!json_is_array(j))
		return err_policy(err, at, "expected a list of priorities, such as [3]");
	json_array_foreach (j, i, item) {
		struct at here = { at, NULL, i };
		int64_t p;

		if (!int_from_json(k, item, &p, &here, err))
			return false;
		if (mask & (1u << p))
			return err_policy(err, &here, "priority %d is named twice", (int)p);
		mask |= 1u << p;
	}
	knob_set_element(k, c, 0, mask);
	return true;
}

static bool dscp_from_key(const char *key, unsigned *ret)
{
	size_t n = strlen(key);

	/* "03" and "+3" are other spellings of one DSCP: two keys must never mean one entry. */
	if (n < 1 || n > 2 || !isdigit((unsigned char)key[0]) ||
	    (n == 2 && !isdigit((unsigned char)key[1])) || (n == 2 && key[0] == '0'))
		return false;
	*ret = (unsigned)strtoul(key, NULL, 10);
	return *ret < DSCPS;
}

static bool dscpmap_from_json(const struct knob *k, struct config *c, json_t *j,
			      const struct at *at, struct err *err)
{
	const char *key;
	json_t *item;

	if (!json_is_object(j))
		return err_policy(err, at,
				  "expected an object of DSCP: priority, such as {\"26\": 3}");
	for (size_t d = 0; d < DSCPS; d++)
		knob_set_element(k, c, d, DSCP_KEEP);
	json_object_foreach (j, key, item) {
		struct at here = { at, key, 0 };
		unsigned dscp;
		int64_t prio;

		if (!dscp_from_key(key, &dscp))
			return err_policy(err, &here,
					  "\"%s\" is not a DSCP: expected a number 0 to 63", key);
		if (!int_from_json(k, item, &prio, &here, err))
			return false;
		knob_set_element(k, c, dscp, prio);
	}
	return true;
}

static bool list_from_json(const struct knob *k, struct config *c, const json_t *j,
			   const struct at *at, struct err *err)
{
	size_t i;
	json_t *item;

	if (!json_is_array(j) || json_array_size(j) != k->count)
		return err_policy(err, at, "expected a list of %u", k->count);
	json_array_foreach (j, i, item) {
		struct at here = { at, NULL, i };
		int64_t v;

		if (!scalar_from_json(k, item, &v, &here, err))
			return false;
		knob_set_element(k, c, i, v);
	}
	return true;
}

static bool knob_from_json(const struct knob *k, struct config *c, json_t *j, const struct at *at,
			   struct err *err)
{
	int64_t v;

	if (k->type == T_DSCPMAP)
		return dscpmap_from_json(k, c, j, at, err);
	if (k->type == T_PRIOSET)
		return prioset_from_json(k, c, j, at, err);
	if (k->count > 1)
		return list_from_json(k, c, j, at, err);
	if (!scalar_from_json(k, j, &v, at, err))
		return false;
	knob_set_element(k, c, 0, v);
	return true;
}

/* Nothing by this name here; the nearest that would do. */
static bool unknown_key(const struct at *at, const char *group, struct err *err)
{
	struct suggestion near = suggest_for(at->key);
	char groups[KNOB_COUNT][GROUP_MAX];

	for (size_t i = 0; i < KNOB_COUNT; i++) {
		if (strcmp(knob_group(&knobs[i], groups[i]), group) == 0)
			suggest_offer(&near, knob_leaf(&knobs[i]));
		else if (!group[0])
			suggest_offer(&near, groups[i]);
	}
	return err_unknown_key(err, at, &near);
}

static bool is_group(const char *key)
{
	char g[GROUP_MAX];

	for (size_t i = 0; i < KNOB_COUNT; i++)
		if (strcmp(knob_group(&knobs[i], g), key) == 0 && g[0])
			return true;
	return false;
}

static bool amend(struct config *c, json_t *object, const char *group, const struct at *at,
		  struct err *err);

static bool amend_member(struct config *c, const char *group, json_t *v, const struct at *here,
			 struct err *err)
{
	char path[2 * GROUP_MAX];
	const struct knob *k;

	snprintf(path, sizeof(path), "%s%s%s", group, group[0] ? "." : "", here->key);
	k = strchr(here->key, '.') ? NULL : knob_find(path);
	if (!k && !group[0] && is_group(here->key))
		return json_is_object(v) ? amend(c, v, here->key, here, err)
					 : err_policy(err, here, "expected an object");
	if (!k)
		return unknown_key(here, group, err);
	if (json_is_null(v)) {
		c->has &= ~KNOB(k - knobs);
		return true;
	}
	c->has |= KNOB(k - knobs);
	return knob_from_json(k, c, v, here, err);
}

static bool amend(struct config *c, json_t *object, const char *group, const struct at *at,
		  struct err *err)
{
	const char *key;
	json_t *v;

	json_object_foreach (object, key, v) {
		struct at here = { at, key, 0 };

		if (!amend_member(c, group, v, &here, err))
			return false;
	}
	return true;
}

bool config_amend(struct config *c, const json_t *object, const struct at *at, struct err *err)
{
	struct config out = *c;

	if (!json_is_object(object))
		return err_policy(err, at, "expected an object");
	if (!amend(&out, (json_t *)object, "", at, err))
		return false;
	*c = out;
	return true;
}

/* ---- out ---- */

static json_t *scalar_to_json(const struct knob *k, int64_t v)
{
	if (k->type == T_BOOL)
		return json_boolean(v);
	if (k->type == T_ENUM)
		return json_string(k->names[v]);
	if (k->type == T_REST && v > k->max)
		return json_string(k->names[v - k->max - 1]);
	return json_integer(v);
}

static json_t *prioset_to_json(unsigned mask)
{
	json_t *out = json_array();

	for (int p = 0; p < PRIOS; p++)
		if (mask & (1u << p))
			json_array_append_new(out, json_integer(p));
	return out;
}

/* Entries that are not judged are left out; entries that do not exist are null. */
static json_t *dscpmap_to_json(const struct knob *k, const struct config *c)
{
	json_t *out = json_object();

	for (size_t d = 0; d < k->count; d++) {
		int64_t prio = knob_element(k, c, d);
		char key[24];

		if (prio == DSCP_KEEP)
			continue;
		snprintf(key, sizeof(key), "%zu", d);
		json_object_set_new(out, key, prio == DSCP_NONE ? json_null() : json_integer(prio));
	}
	return out;
}

json_t *knob_to_json(const struct knob *k, const struct config *c)
{
	json_t *out;

	if (!(c->has & KNOB(k - knobs)))
		return json_null();
	if (k->type == T_PRIOSET)
		return prioset_to_json((unsigned)knob_element(k, c, 0));
	if (k->type == T_DSCPMAP)
		return dscpmap_to_json(k, c);
	if (k->count == 1)
		return scalar_to_json(k, knob_element(k, c, 0));
	out = json_array();
	for (size_t i = 0; i < k->count; i++)
		json_array_append_new(out, scalar_to_json(k, knob_element(k, c, i)));
	return out;
}

json_t *config_to_json(const struct config *c, knobset which)
{
	json_t *root = json_object();

	for (size_t i = 0; i < KNOB_COUNT; i++) {
		char group[GROUP_MAX];
		json_t *into = root;

		if (!(c->has & which & KNOB(i)))
			continue;
		if (knob_group(&knobs[i], group)[0]) {
			into = json_object_get(root, group);
			if (!into) {
				into = json_object();
				json_object_set_new(root, group, into);
			}
		}
		json_object_set_new(into, knob_leaf(&knobs[i]), knob_to_json(&knobs[i], c));
	}
	return root;
}
