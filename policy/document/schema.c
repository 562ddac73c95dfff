#include "schema.h"

#include "../model/type.h"
#include "config_json.h"
#include "congestion.h"
#include "policy.h"
#include "switch_map_json.h"

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
static json_t *nullable(json_t *schema)
{
	return json_pack("{s:[o, {s:s}]}", "anyOf", schema, "type", "null");
}

static json_t *config_schema(bool may_be_null)
{
	json_t *root = closed_object();

	for (size_t i = 0; i < SETTING_COUNT; i++) {
		json_t *into = json_object_get(root, "properties"),
		       *value = setting_to_schema(&settings[i]);
		char group[GROUP_MAX];

		if (setting_group(&settings[i], group)[0]) {
			if (!json_object_get(into, group))
				json_object_set_new(into, group, closed_object());
			into = json_object_get(json_object_get(into, group), "properties");
		}
		json_object_set_new(into, setting_leaf(&settings[i]),
				    may_be_null ? nullable(value) : value);
	}
	return root;
}

static json_t *described(json_t *schema, const char *doc)
{
	json_object_set_new(schema, "description", json_string(doc));
	return schema;
}

static void add_property(json_t *object, const char *name, json_t *schema, const char *doc)
{
	json_object_set_new(json_object_get(object, "properties"), name, described(schema, doc));
}

static void add_comment(json_t *object)
{
	add_property(object, "comment", json_pack("{s:s}", "type", "string"),
		     "A comment: any text, for readers only.");
}

static void require(json_t *object, const char *name)
{
	if (!json_object_get(object, "required"))
		json_object_set_new(object, "required", json_array());
	json_array_append_new(json_object_get(object, "required"), json_string(name));
}

/* Approximate: JSON Schema counts characters, the parser bytes. */
static json_t *id_schema(int least)
{
	return json_pack("{s:s, s:i, s:i}", "type", "string", "minLength", least, "maxLength",
			 ID_MAX - 1);
}

static json_t *class_key_schema(const struct class_key *k)
{
	switch (k->type) {
	case CLASS_NAME:
		return json_pack("{s:s, s:s}", "type", "string", "pattern", CLASS_NAME_PATTERN);
	case CLASS_NUMBER:
		return json_pack("{s:s, s:i, s:i}", "type", "integer", "minimum", 0, "maximum",
				 (int)k->max);
	case CLASS_BOOL:
		return json_pack("{s:s}", "type", "boolean");
	case CLASS_DSCPS:
		return json_pack("{s:s, s:b, s:i, s:{s:s, s:i, s:i}}", "type", "array",
				 "uniqueItems", 1, "minItems", 1, "items", "type", "integer",
				 "minimum", 0, "maximum", (int)k->max);
	}
	return NULL;
}

static json_t *classes_schema(void)
{
	json_t *class = closed_object();

	for (size_t i = 0; i < CLASS_KEYS; i++) {
		add_property(class, class_keys[i].name, class_key_schema(&class_keys[i]),
			     class_keys[i].doc);
		if (class_keys[i].required)
			require(class, class_keys[i].name);
	}
	add_comment(class);
	return json_pack("{s:s, s:i, s:i, s:o}", "type", "array", "minItems", 1, "maxItems", PRIOS,
			 "items", class);
}

/* Each `required` has its property beside it, as strict schema validators demand. */
static json_t *when_schema(void)
{
	json_t *entry = closed_object(), *given = json_array();

	for (size_t i = 0; i < MATCH_COUNT; i++)
		if (match_keys[i].in_when) {
			add_property(entry, match_keys[i].name, match_keys[i].schema(),
				     match_keys[i].doc);
			json_array_append_new(given, json_pack("{s:{s:b}, s:[s]}", "properties",
							       match_keys[i].name, 1, "required",
							       match_keys[i].name));
		}
	json_object_set_new(json_object_get(entry, "properties"), "set", config_schema(true));
	add_comment(entry);
	require(entry, "set");
	json_object_set_new(entry, "anyOf", given);
	return json_pack("{s:s, s:i, s:o}", "type", "array", "maxItems", WHEN_MAX, "items", entry);
}

/* The name of a setting, or a glob; a schema cannot check whether a glob matches any setting. */
static json_t *optional_schema(void)
{
	json_t *names = json_array();

	for (size_t i = 0; i < SETTING_COUNT; i++)
		json_array_append_new(names, json_string(settings[i].path));
	return json_pack("{s:s, s:{s:[{s:o}, {s:s, s:s}]}}", "type", "array", "items", "anyOf",
			 "enum", names, "type", "string", "pattern", "[*?\\[\\\\]");
}

static json_t *profile_schema(void)
{
	json_t *profile = config_schema(true);

	add_property(profile, "classes", classes_schema(),
		     "Classes of traffic, from which settings are derived; a setting beside them "
		     "overrides what is derived.");
	add_property(
		profile, "when", when_schema(),
		"Entries that override the profile on ports for which all their conditions hold, "
		"in order.");
	add_property(profile, "optional", optional_schema(),
		     "Settings, by name or glob, that a port may lack without being wrong.");
	add_comment(profile);
	return profile;
}

static json_t *match_schema(void)
{
	json_t *match = closed_object();

	for (size_t i = 0; i < MATCH_COUNT; i++)
		add_property(match, match_keys[i].name, match_keys[i].schema(), match_keys[i].doc);
	json_object_set_new(match, "minProperties", json_integer(1));
	return match;
}

static json_t *rule_schema(void)
{
	json_t *rule = closed_object(), *properties = json_object_get(rule, "properties");

	json_object_set_new(properties, "match", match_schema());
	json_object_set_new(properties, "profile", id_schema(1));
	json_object_set_new(properties, "set", config_schema(true));
	add_property(rule, "required", json_pack("{s:s}", "type", "boolean"),
		     "true: a port must match. false: a host without such a port is right.");
	add_property(rule, "count",
		     json_pack("{s:s, s:i, s:i}", "type", "integer", "minimum", 1, "maximum",
			       PORTS_COUNT_MAX),
		     "How many ports of the host must match; not with \"required\": false.");
	json_object_set_new(rule, "not",
			    json_pack("{s:[s, s], s:{s:{s:o}, s:b}}", "required", "count",
				      "required", "properties", "required", "const", json_false(),
				      "count", 1));
	add_comment(rule);
	require(rule, "match");
	require(rule, "profile");
	return rule;
}

static json_t *enforce_schema(void)
{
	json_t *enforce = closed_object();

	add_property(enforce, "allow_link_flap", json_pack("{s:s}", "type", "boolean"),
		     "The agent may make repairs that flap the link.");
	add_comment(enforce);
	return enforce;
}

/* Adds the keys that decide what is judged, and how severely. */
static void add_judging(json_t *root)
{
	add_property(root, "job", job_schema(),
		     "Expectations about the environment of jobs, for `losslessctl env`.");
	add_property(root, "probe", probe_schema(),
		     "The paths that `losslessctl probe` proves, and what is in class.");
	add_property(root, "thresholds", thresholds_schema(),
		     "From when on what is counted is called a symptom.");
	add_property(
		root, "severity", severities_schema(),
		"The severity of lints and symptoms, by identifier; the others keep their own.");
	add_property(root, "ready", ready_schema(),
		     "Expectations of `losslessctl ready` about the host and its ports, by check.");
}

json_t *policy_schema(void)
{
	json_t *root = closed_object(), *profiles = json_pack("{s:s}", "type", "object"),
	       *rules = json_pack("{s:s, s:i}", "type", "array", "maxItems", RULES_MAX);
	json_t *properties =
		json_pack("{s:{s:s}, s:{s:i}, s:o, s:{s:[s, s]}, s:o, s:o, s:o, s:o}", "$schema",
			  "type", "string", "version", "const", 1, "name", id_schema(1), "mode",
			  "enum", "report", "enforce", "profiles", profiles, "rules", rules,
			  "fabric", switch_map_schema(), "congestion_control",
			  congestion_control_schema());

	json_object_set_new(profiles, "maxProperties", json_integer(PROFILES_MAX));
	json_object_set_new(profiles, "propertyNames", id_schema(0));
	json_object_set_new(profiles, "additionalProperties", profile_schema());
	json_object_set_new(rules, "items", rule_schema());
	json_object_update_new(json_object_get(root, "properties"), properties);
	add_property(root, "generation",
		     json_pack("{s:s, s:i, s:I}", "type", "integer", "minimum", 1, "maximum",
			       (json_int_t)GENERATION_MAX),
		     "Counts up with each version of a signed policy; an older one is refused.");
	add_property(root, "enforce", enforce_schema(), "What the agent may do of its own accord.");
	add_property(root, "refresh_headroom", json_pack("{s:s}", "type", "boolean"),
		     "The agent sends the unchanged PFC again when the link comes up, in either "
		     "mode, so that headroom fits the link's speed.");
	add_judging(root);
	json_object_set_new(root, "$schema",
			    json_string("https://json-schema.org/draft/2020-12/schema"));
	json_object_set_new(root, "$id", json_string("urn:losslessctl:policy:1"));
	json_object_set_new(root, "title", json_string("losslessctl policy"));
	add_comment(root);
	require(root, "version");
	require(root, "rules");
	return root;
}
