#include "switch_map_json.h"

#include <stdio.h>
#include <string.h>

#include "../util/keys.h"
#include "../util/unknown_key.h"

static bool mark_from_json(char *digits, unsigned count, const json_t *item,
			   const struct json_path *at, struct err *err)
{
	int64_t tc;
	unsigned mark;

	if (!json_number_of_key(at->key, count, &mark))
		return err_expected_key(err, at,
					count == DSCPS ? "a DSCP, 0 to 63" : "a PCP, 0 to 7");
	if (!number_from_json(item, 0, PRIOS - 1, &tc, at, err))
		return false;
	digits[mark] = (char)('0' + tc);
	return true;
}

/* Reads {"26": 3}: the traffic class of each of the k->max DSCPs or PCPs. */
static bool map_from_json(const struct key *k, void *field, json_t *j, const struct json_path *at,
			  struct err *err)
{
	json_t *item;
	bool ok = true;

	if (!json_is_object(j))
		return err_expected(err, at, j, "an object, such as {\"3\": 3}");
	json_member_foreach (j, at, here, item)
		ok = err_part(err, mark_from_json(field, (unsigned)k->max, item, &here, err)) && ok;
	return ok;
}

static json_t *tc_schema(void)
{
	return json_pack("{s:s, s:i, s:i}", "type", "integer", "minimum", 0, "maximum", PRIOS - 1);
}

static json_t *map_schema(const struct key *k)
{
	return json_pack("{s:s, s:{s:o}, s:b}", "type", "object", "patternProperties",
			 k->max == DSCPS ? "^([0-9]|[1-5][0-9]|6[0-3])$" : "^[0-7]$", tc_schema(),
			 "additionalProperties", 0);
}

static bool lossless_from_json(const struct key *k, void *field, json_t *j,
			       const struct json_path *at, struct err *err)
{
	uint8_t *mask = field;
	json_t *item;
	bool ok = true;

	(void)k;
	if (!json_is_array(j))
		return err_expected(err, at, j, "a list of traffic classes, such as [3]");
	json_item_foreach (j, at, here, item) {
		int64_t tc = 0;

		ok = err_part(err, number_from_json(item, 0, PRIOS - 1, &tc, &here, err)) && ok;
		*mask |= (uint8_t)(1u << tc);
	}
	return ok;
}

static json_t *lossless_schema(const struct key *k)
{
	(void)k;
	return json_pack("{s:s, s:o}", "type", "array", "items", tc_schema());
}

#define MAP(member) KEY_FIELD(struct switch_map, member)

/* clang-format off */
static const struct key custom_keys[] = {
	{ "name", NULL, KEY_TEXT, MAP(display_name) },
	{ "trust", NULL, KEY_WORD, MAP(trust),
	  .words = (const char *const[]){ "pcp", "dscp", NULL }, .required = true },
	{ "lossless", NULL, KEY_OTHER, MAP(lossless), .from_json = lossless_from_json,
	  .schema = lossless_schema, .required = true },
	{ "dscp_tc", NULL, KEY_OTHER, MAP(dscp_tc), .max = DSCPS, .from_json = map_from_json,
	  .schema = map_schema },
	{ "watchdog_ms", NULL, KEY_NUMBER, MAP(watchdog_ms), 1, WATCHDOG_MS_MAX },
	{ "pcp_tc", NULL, KEY_OTHER, MAP(pcp_tc), .max = PRIOS, .from_json = map_from_json,
	  .schema = map_schema },
	{ .name = NULL },
};
/* clang-format on */

static const struct key_object custom_object = {
	.keys = custom_keys,
	.no_comment = true,
};

/* A custom map has no name to look up; the document's "name" becomes its display name. */
static bool custom_from_json(const struct key *k, void *field, json_t *j,
			     const struct json_path *at, struct err *err)
{
	struct switch_map *f = field;

	(void)k;
	*f = (struct switch_map){ .name = "custom", .display_name = "the custom map" };
	memset(f->dscp_tc, '-', DSCPS);
	memset(f->pcp_tc, '-', PRIOS);
	if (!json_object_get(j, "trust") || !json_object_get(j, "lossless"))
		return err_expected(err, at, j, "an object with \"trust\" and \"lossless\"");
	return object_from_json(&custom_object, f, j, at, err);
}

static json_t *custom_schema(const struct key *k)
{
	(void)k;
	return object_schema(&custom_object);
}

/* clang-format off */
static const struct key described_keys[] = {
	{ "custom", NULL, KEY_OTHER, .from_json = custom_from_json, .schema = custom_schema,
	  .required = true },
	{ .name = NULL },
};
/* clang-format on */

static const struct key_object described = {
	.keys = described_keys,
	.no_comment = true,
};

static bool known_from_name(const struct switch_map **ret, const char *name,
			    const struct json_path *at, struct err *err)
{
	struct suggestion near = suggest_for(name);

	*ret = switch_map_find(name);
	if (*ret)
		return true;
	for (const struct switch_map *f = switch_maps; f->name[0]; f++)
		suggest_offer(&near, f->name);
	err_unknown_name(err, at, "fabric", &near);
	return err_fix(err, "run `losslessctl explain` to list them, or describe another: "
			    "{\"custom\": {...}}");
}

bool switch_map_from_json(const struct switch_map **ret, struct switch_map *own, json_t *j,
			  const struct json_path *at, struct err *err)
{
	if (json_is_string(j))
		return known_from_name(ret, json_string_value(j), at, err);
	if (!json_object_size(j))
		return err_expected(err, at, j, "the name of a fabric, or {\"custom\": {...}}");
	*ret = own;
	return object_from_json(&described, own, j, at, err);
}

json_t *switch_map_schema(const struct key *k)
{
	json_t *names = json_array();

	(void)k;
	for (const struct switch_map *f = switch_maps; f->name[0]; f++)
		json_array_append_new(names, json_string(f->name));
	return json_pack("{s:[{s:o}, o]}", "anyOf", "enum", names, object_schema(&described));
}

static json_t *map_to_json(const char *digits)
{
	json_t *map = json_object();

	for (size_t i = 0; digits[i]; i++) {
		char key[8];

		snprintf(key, sizeof(key), "%u", (unsigned)i & 63u);
		if (digits[i] != '-')
			json_object_set_new(map, key, json_integer(digits[i] - '0'));
	}
	return map;
}

json_t *switch_map_to_json(const struct switch_map *f)
{
	json_t *lossless = json_array();

	for (int tc = 0; tc < PRIOS; tc++)
		if (f->lossless & (1u << tc))
			json_array_append_new(lossless, json_integer(tc));
	return json_pack("{s:s, s:o, s:o, s:o, s:o*}", "trust",
			 f->trust == TRUST_PCP ? "pcp" : "dscp", "lossless", lossless, "dscp_tc",
			 map_to_json(f->dscp_tc), "pcp_tc", map_to_json(f->pcp_tc), "watchdog_ms",
			 f->watchdog_ms ? json_integer(f->watchdog_ms) : NULL);
}
