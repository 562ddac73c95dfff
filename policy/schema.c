#include "schema.h"

#include "json.h"
#include "match.h"

static json_t *names_schema(const struct knob *k)
{
	json_t *names = json_array();

	for (size_t i = 0; k->names[i]; i++)
		json_array_append_new(names, json_string(k->names[i]));
	return json_pack("{s:o}", "enum", names);
}

static json_t *int_schema(const struct knob *k)
{
	return json_pack("{s:s, s:I, s:I}", "type", "integer", "minimum", (json_int_t)k->min,
			 "maximum", (json_int_t)k->max);
}

static json_t *scalar_schema(const struct knob *k)
{
	if (k->type == T_BOOL)
		return json_pack("{s:s}", "type", "boolean");
	if (k->type == T_ENUM)
		return names_schema(k);
	if (k->type == T_REST)
		return json_pack("{s:[o, o]}", "anyOf", int_schema(k), names_schema(k));
	return int_schema(k);
}

static json_t *value_schema(const struct knob *k)
{
	if (k->type == T_DSCPMAP)
		return json_pack("{s:s, s:{s:o}, s:b}", "type", "object", "patternProperties",
				 "^([0-9]|[1-5][0-9]|6[0-3])$", scalar_schema(k),
				 "additionalProperties", 0);
	if (k->type == T_PRIOSET)
		return json_pack("{s:s, s:b, s:o}", "type", "array", "uniqueItems", 1, "items",
				 scalar_schema(k));
	if (k->count > 1)
		return json_pack("{s:s, s:i, s:i, s:o}", "type", "array", "minItems", (int)k->count,
				 "maxItems", (int)k->count, "items", scalar_schema(k));
	return scalar_schema(k);
}

json_t *knob_to_schema(const struct knob *k)
{
	json_t *s = value_schema(k);

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
		"s:{s:s, s:o}}, s:[s, s], s:b}",
		"$schema", "https://json-schema.org/draft/2020-12/schema", "$id",
		"urn:losslessctl:policy:1", "title", "losslessctl policy", "type", "object",
		"properties", "$schema", "type", "string", "version", "const", 1, "name", "type",
		"string", "mode", "enum", "report", "enforce", "profiles", "type", "object",
		"additionalProperties", profile_schema(), "ports", "type", "array", "items",
		rule_schema(), "required", "version", "ports", "additionalProperties", 0);
}
