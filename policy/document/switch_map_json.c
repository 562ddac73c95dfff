#include "switch_map_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../model/type.h"
#include "../util/json_util.h"

static bool number_from_key(const char *key, int count, int *ret)
{
	char canonical[16];

	*ret = (int)strtol(key, NULL, 10);
	snprintf(canonical, sizeof(canonical), "%d", *ret);
	return *ret >= 0 && *ret < count && strcmp(canonical, key) == 0;
}

static bool mark_from_json(char *digits, int count, const json_t *item, const struct json_path *at,
			   struct err *err)
{
	int64_t tc;
	int mark;

	if (!number_from_key(at->key, count, &mark))
		return err_expected_key(err, at,
					count == DSCPS ? "a DSCP, 0 to 63" : "a PCP, 0 to 7");
	if (!number_from_json(item, 0, PRIOS - 1, &tc, at, err))
		return false;
	digits[mark] = (char)('0' + tc);
	return true;
}

/* Reads {"26": 3}: the traffic class of each DSCP or PCP. */
static bool map_from_json(char *digits, int count, json_t *j, const struct json_path *at,
			  struct err *err)
{
	const char *key;
	json_t *item;
	bool ok = true;

	memset(digits, '-', (size_t)count);
	if (j && !json_is_object(j))
		return err_expected(err, at, j, "an object, such as {\"3\": 3}");
	json_object_foreach (j, key, item) {
		struct json_path here = { at, key, 0 };

		ok = err_part(err, mark_from_json(digits, count, item, &here, err)) && ok;
	}
	return ok;
}

static bool lossless_from_json(uint8_t *mask, const json_t *j, const struct json_path *at,
			       struct err *err)
{
	size_t i;
	json_t *item;
	bool ok = true;

	if (!json_is_array(j))
		return err_expected(err, at, j, "a list of traffic classes, such as [3]");
	json_array_foreach (j, i, item) {
		struct json_path here = { at, NULL, i };
		int64_t tc = 0;

		ok = err_part(err, number_from_json(item, 0, PRIOS - 1, &tc, &here, err)) && ok;
		*mask |= (uint8_t)(1u << tc);
	}
	return ok;
}

static bool trust_from_json(enum trust *trust, const json_t *j, const struct json_path *at,
			    struct err *err)
{
	const char *word = json_string_value(j);

	if (!word || (strcmp(word, "dscp") != 0 && strcmp(word, "pcp") != 0))
		return err_expected(err, at, j, "\"pcp\" or \"dscp\"");
	*trust = strcmp(word, "pcp") == 0 ? TRUST_PCP : TRUST_DSCP;
	return true;
}

static bool watchdog_from_json(uint32_t *ms, const json_t *j, const struct json_path *at,
			       struct err *err)
{
	int64_t n = 0;

	if (j && !number_from_json(j, 1, WATCHDOG_MS_MAX, &n, at, err))
		return false;
	*ms = (uint32_t)n;
	return true;
}

/* A custom map has no name to look up; the document's "name" becomes its display name. */
static bool custom_from_json(struct switch_map *f, json_t *j, const struct json_path *at,
			     struct err *err)
{
	static const char *const known[] = { "name",   "trust",	      "lossless", "dscp_tc",
					     "pcp_tc", "watchdog_ms", NULL };
	struct json_path trust_at = { at, "trust", 0 }, lossless_at = { at, "lossless", 0 };
	struct json_path dscp_at = { at, "dscp_tc", 0 }, pcp_at = { at, "pcp_tc", 0 };
	struct json_path watchdog_at = { at, "watchdog_ms", 0 };
	bool ok;

	*f = (struct switch_map){ .name = "custom", .display_name = "the custom map" };
	if (!json_object_get(j, "trust") || !json_object_get(j, "lossless"))
		return err_expected(err, at, j, "an object with \"trust\" and \"lossless\"");
	ok = err_part(err, json_only_keys(j, known, at, err));
	ok = err_part(err, json_read_string(j, "name", f->display_name, sizeof(f->display_name), at,
					    err)) &&
	     ok;
	ok = err_part(err,
		      trust_from_json(&f->trust, json_object_get(j, "trust"), &trust_at, err)) &&
	     ok;
	ok = err_part(err, lossless_from_json(&f->lossless, json_object_get(j, "lossless"),
					      &lossless_at, err)) &&
	     ok;
	ok = err_part(err, map_from_json(f->dscp_tc, DSCPS, json_object_get(j, "dscp_tc"), &dscp_at,
					 err)) &&
	     ok;
	ok = err_part(err, watchdog_from_json(&f->watchdog_ms, json_object_get(j, "watchdog_ms"),
					      &watchdog_at, err)) &&
	     ok;
	return err_part(err, map_from_json(f->pcp_tc, PRIOS, json_object_get(j, "pcp_tc"), &pcp_at,
					   err)) &&
	       ok;
}

static bool known_from_name(const struct switch_map **ret, const char *name,
			    const struct json_path *at, struct err *err)
{
	struct suggestion near = suggest_for(name);

	*ret = switch_map_find(name);
	if (*ret)
		return true;
	for (const struct switch_map *f = switch_maps; f->name[0]; f++)
		suggest_offer(&near, f->name);
	err_policy(err, at, "no fabric is named \"%s\"", name);
	return near.best ? err_fix(err, "did you mean \"%s\"?", near.best)
			 : err_fix(err, "run `losslessctl explain` to list them, or describe "
					"another: {\"custom\": {...}}");
}

bool switch_map_from_json(const struct switch_map **ret, struct switch_map *own, json_t *j,
			  const struct json_path *at, struct err *err)
{
	static const char *const known[] = { "custom", NULL };
	struct json_path custom_at = { at, "custom", 0 };
	json_t *custom = json_object_get(j, "custom");

	if (!j)
		return true;
	if (json_is_string(j))
		return known_from_name(ret, json_string_value(j), at, err);
	if (json_is_object(j) && !json_only_keys(j, known, at, err))
		return false;
	if (!custom)
		return err_expected(err, at, j, "the name of a fabric, or {\"custom\": {...}}");
	*ret = own;
	return custom_from_json(own, custom, &custom_at, err);
}

static json_t *class_schema(void)
{
	return json_pack("{s:s, s:i, s:i}", "type", "integer", "minimum", 0, "maximum", PRIOS - 1);
}

static json_t *map_schema(const char *keys)
{
	return json_pack("{s:s, s:{s:o}, s:b}", "type", "object", "patternProperties", keys,
			 class_schema(), "additionalProperties", 0);
}

static json_t *custom_schema(void)
{
	return json_pack("{s:s, s:{s:{s:s, s:i, s:i}, s:{s:[s, s]}, s:{s:s, s:o}, s:o, s:o, "
			 "s:{s:s, s:i, s:i}}, s:[s, s], s:b}",
			 "type", "object", "properties", "name", "type", "string", "minLength", 1,
			 "maxLength", SWITCH_MAP_NAME_MAX - 1, "trust", "enum", "pcp", "dscp",
			 "lossless", "type", "array", "items", class_schema(), "dscp_tc",
			 map_schema("^([0-9]|[1-5][0-9]|6[0-3])$"), "pcp_tc", map_schema("^[0-7]$"),
			 "watchdog_ms", "type", "integer", "minimum", 1, "maximum", WATCHDOG_MS_MAX,
			 "required", "trust", "lossless", "additionalProperties", 0);
}

json_t *switch_map_schema(void)
{
	json_t *names = json_array();

	for (const struct switch_map *f = switch_maps; f->name[0]; f++)
		json_array_append_new(names, json_string(f->name));
	return json_pack("{s:s, s:[{s:o}, {s:s, s:{s:o}, s:[s], s:b}]}", "description",
			 "The switches that the ports are plugged into.", "anyOf", "enum", names,
			 "type", "object", "properties", "custom", custom_schema(), "required",
			 "custom", "additionalProperties", 0);
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
