#include "schema.h"

#include "fabric_json.h"
#include "json.h"
#include "match.h"
#include "shape.h"

json_t *knob_to_schema(const struct knob *k)
{
	json_t *s = shape_of(k)->schema(k);

	json_object_set_new(s, "description", json_string(k->doc));
	if (k->unit)
		json_object_set_new(s, "x-unit", json_string(k->unit));
	return s;
}

static json_t *closed_object(void)
{
	return json_pack("{s:s, s:{}, s:b}", "type", "object", "properties", "additionalProperties",
			 0);
}

/* In `set` a leaf may be null, which un-mentions it. */
static json_t *nullable(json_t *schema)
{
	return json_pack("{s:[o, {s:s}]}", "anyOf", schema, "type", "null");
}

static json_t *config_schema(bool may_be_null)
{
	json_t *root = closed_object();

	for (size_t i = 0; i < KNOB_COUNT; i++) {
		json_t *into = json_object_get(root, "properties"),
		       *value = knob_to_schema(&knobs[i]);
		char group[GROUP_MAX];

		if (knob_group(&knobs[i], group)[0]) {
			if (!json_object_get(into, group))
				json_object_set_new(into, group, closed_object());
			into = json_object_get(json_object_get(into, group), "properties");
		}
		json_object_set_new(into, knob_leaf(&knobs[i]),
				    may_be_null ? nullable(value) : value);
	}
	return root;
}

static json_t *profile_schema(void)
{
	json_t *profile = config_schema(false);

	json_object_set_new(
		json_object_get(profile, "properties"), "optional",
		json_pack("{s:s, s:{s:s}, s:s}", "type", "array", "items", "type", "string",
			  "description",
			  "Knobs, by name or glob, that a port may lack without being wrong."));
	return profile;
}

static json_t *match_schema(void)
{
	json_t *match = closed_object();

	for (size_t i = 0; i < MATCH_COUNT; i++)
		json_object_set_new(json_object_get(match, "properties"), match_keys[i].name,
				    json_pack("{s:s, s:s}", "type", "string", "description",
					      match_keys[i].doc));
	json_object_set_new(match, "minProperties", json_integer(1));
	return match;
}

static json_t *rule_schema(void)
{
	return json_pack("{s:s, s:{s:o, s:{s:s}, s:o, s:{s:s, s:s}}, s:[s, s], s:b}", "type",
			 "object", "properties", "match", match_schema(), "profile", "type",
			 "string", "set", config_schema(true), "required", "type", "boolean",
			 "description", "A port must match, or the run fails.", "required", "match",
			 "profile", "additionalProperties", 0);
}

json_t *policy_schema(void)
{
	return json_pack(
		"{s:s, s:s, s:s, s:s, s:{s:{s:s}, s:{s:i}, s:{s:s}, s:{s:[s, s]}, s:{s:s, s:o}, "
		"s:{s:s, s:o}, s:o}, s:[s, s], s:b}",
		"$schema", "https://json-schema.org/draft/2020-12/schema", "$id",
		"urn:losslessctl:policy:1", "title", "losslessctl policy", "type", "object",
		"properties", "$schema", "type", "string", "version", "const", 1, "name", "type",
		"string", "mode", "enum", "report", "enforce", "profiles", "type", "object",
		"additionalProperties", profile_schema(), "ports", "type", "array", "items",
		rule_schema(), "fabric", fabric_schema(), "required", "version", "ports",
		"additionalProperties", 0);
}
