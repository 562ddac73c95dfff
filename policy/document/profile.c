#include "loading.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

/* Reads one entry of "optional" and adds the settings that it names. */
static bool optional_word_from_json(setting_set *set, const json_t *j, const struct json_path *at,
				    struct err *err)
{
	struct suggestion near = suggest_for(json_is_string(j) ? json_string_value(j) : "");
	setting_set found = 0;

	if (!json_is_string(j))
		return err_expected(err, at, j,
				    "the name of a setting, or a glob such as \"roce.*\"");
	for (size_t i = 0; i < SETTING_COUNT; i++)
		if (fnmatch(near.word, settings[i].path, 0) == 0)
			found |= SETTING(i);
	*set |= found;
	if (found)
		return true;
	for (size_t i = 0; i < SETTING_COUNT; i++)
		suggest_offer(&near, settings[i].path);
	return err_unknown_name(err, at, "setting", &near);
}

static bool optional_from_json(const struct key *k, void *field, json_t *list,
			       const struct json_path *at, struct err *err)
{
	json_t *item;
	bool ok = true;

	(void)k;
	if (!json_is_array(list))
		return err_expected(err, at, list, "a list of settings, such as [\"ecn.*\"]");
	json_item_foreach (list, at, here, item)
		ok = err_part(err, optional_word_from_json(field, item, &here, err)) && ok;
	return ok;
}

/* The name of a setting, or a glob; a schema cannot check whether a glob matches any setting. */
static json_t *optional_schema(const struct key *k)
{
	(void)k;
	return json_pack("{s:s, s:{s:[{s:o}, {s:s, s:s}]}}", "type", "array", "items", "anyOf",
			 "enum", setting_paths_to_json(EVERY_SETTING), "type", "string", "pattern",
			 "[*?\\[\\\\]");
}

/* ---- when ---- */

static bool when_set_from_json(const struct key *k, void *field, json_t *set,
			       const struct json_path *at, struct err *err)
{
	(void)k;
	return overlay_from_json(field, set, at, err);
}

static const struct key when_set = {
	.name = "set",
	.type = KEY_OTHER,
	KEY_FIELD(struct conditional, set),
	.from_json = when_set_from_json,
	.schema = set_schema,
	.missing = "an entry of \"when\" needs a \"set\"",
};

/* The conditions, then the set. */
static bool when_row(size_t i, struct key *ret)
{
	struct key before;

	if (match_when_row(i, ret)) {
		ret->offset += offsetof(struct conditional, when);
		return true;
	}
	*ret = when_set;
	return i == 0 || match_when_row(i - 1, &before);
}

/* Each `required` has its property beside it, as strict schema validators demand. */
static void require_a_condition(json_t *schema)
{
	json_t *given = json_array();
	struct key k;

	for (size_t i = 0; match_when_row(i, &k); i++)
		json_array_append_new(given, json_pack("{s:{s:b}, s:[s]}", "properties", k.name, 1,
						       "required", k.name));
	json_object_set_new(schema, "anyOf", given);
}

static const struct key_object when_object = {
	.row = when_row,
	.expected = "an object with a condition and a \"set\"",
	.add_to_schema = require_a_condition,
};

static bool has_condition(json_t *entry)
{
	struct key k;

	for (size_t i = 0; match_when_row(i, &k); i++)
		if (json_object_get(entry, k.name))
			return true;
	return false;
}

static bool conditional_from_json(struct conditional *ret, json_t *entry,
				  const struct json_path *at, struct err *err)
{
	bool ok = err_part(err, object_from_json(&when_object, ret, entry, at, err));

	return err_part(err, !json_is_object(entry) || has_condition(entry) ||
				     err_policy(err, at,
						"an entry of \"when\" needs \"speed_mbps\" or "
						"\"firmware\"")) &&
	       ok;
}

size_t profile_when_count(const json_t *profile)
{
	return json_array_size(json_object_get(profile, "when"));
}

static bool when_from_json(struct conditional *conditionals, const json_t *list,
			   const struct json_path *at, struct err *err)
{
	json_t *entry;
	bool ok = true;

	if (list && !json_is_array(list)) {
		err_record_expected(err, at, list, "a list of conditions, each with its \"set\"");
		return err_fix(err, "[{\"speed_mbps\": \">=100000\", \"set\": {...}}]");
	}
	if (json_array_size(list) > WHEN_MAX)
		return err_policy(err, at, "more than %d entries", WHEN_MAX);
	json_item_foreach (list, at, here, entry)
		ok = err_part(err, conditional_from_json(&conditionals[here.index], entry, &here,
							 err)) &&
		     ok;
	return ok;
}

/* ---- profile ---- */

static bool is_setting(const struct json_path *at, struct suggestion *near, struct err *err)
{
	return config_has_key(at->key) || err_unknown_setting(err, at, "", near);
}

static void add_settings(json_t *schema)
{
	json_auto_t *settings_schema = set_schema(NULL);

	json_object_update(json_object_get(schema, "properties"),
			   json_object_get(settings_schema, "properties"));
}

/* clang-format off */
static const struct key profile_keys[] = {
	{ "classes", NULL, KEY_LIST, .min = 1, .max = PRIOS, .objects = &class_object,
	  .doc = "In a profile: traffic classes, from which settings are derived.",
	  .more = "A class has a name and a priority, and may have dscp, lossless, bandwidth "
		  "or strict, ecn, cnp. One class may omit dscp: it gets all other traffic. A "
		  "setting beside the classes overrides the derived one." },
	{ "when", NULL, KEY_LIST, .max = WHEN_MAX, .objects = &when_object,
	  .doc = "In a profile: settings for ports of a certain speed or firmware.",
	  .more = "A list of {speed_mbps or firmware, set}. The entries that match override "
		  "the profile, in order." },
	{ "optional", NULL, KEY_OTHER, KEY_FIELD(struct profile, optional),
	  .from_json = optional_from_json, .schema = optional_schema,
	  .doc = "In a profile: settings that a port may lack.",
	  .more = "Names or globs, as in [\"ecn.*\", \"roce.traffic_class\"]. A setting that "
		  "the port lacks is reported as skipped." },
	{ .name = NULL },
};
/* clang-format on */

const struct key_object profile_object = {
	.keys = profile_keys,
	.expected = "an object of settings, such as {\"mtu\": 9000}",
	.other = is_setting,
	.add_to_schema = add_settings,
};

static bool classes_key_from_json(struct profile *p, json_t *list, const struct json_path *at,
				  struct err *err)
{
	if (!list)
		return true;
	if (!classes_from_json(&p->classes, list, at, err))
		return false;
	p->base = classes_derive(&p->classes);
	return true;
}

/* Reads the settings of a profile, whose other keys have been checked before. */
static bool settings_from_json(struct profile *p, json_t *profile, const struct json_path *at,
			       struct err *err)
{
	json_auto_t *settings_only = json_copy(profile);
	struct overlay own;
	const char *key;
	json_t *v;

	json_object_foreach (profile, key, v)
		if (!config_has_key(key))
			json_object_del(settings_only, key);
	if (!overlay_from_json(&own, settings_only, at, err))
		return false;
	p->own = own.replaced.has;
	overlay_apply(&p->base, &own);
	return true;
}

static bool read_profile(struct profile *p, struct conditional *conditionals, json_t *profile,
			 const struct json_path *at, struct err *err)
{
	struct json_path classes_at = { at, "classes", 0 }, when_at = { at, "when", 0 };
	bool ok = err_part(err, object_from_json(&profile_object, p, profile, at, err));

	if (!json_is_object(profile))
		return false;
	ok = err_part(err, classes_key_from_json(p, json_object_get(profile, "classes"),
						 &classes_at, err)) &&
	     ok;
	ok = err_part(err, settings_from_json(p, profile, at, err)) && ok;
	return err_part(err, when_from_json(conditionals, json_object_get(profile, "when"),
					    &when_at, err)) &&
	       ok;
}

bool profile_from_json(struct profile *ret, struct conditional *conditionals, json_t *profile,
		       const struct json_path *at, struct err *err)
{
	struct profile p = { .when = conditionals, .when_count = profile_when_count(profile) };

	snprintf(p.name, sizeof(p.name), "%s", at->key);
	*ret = p;
	ret->broken = true;
	if (strlen(at->key) >= sizeof(p.name)) {
		err_policy(err, at, "longer than %zu bytes", sizeof(p.name) - 1);
		err->at.of_key = true;
		return false;
	}
	if (!read_profile(&p, conditionals, profile, at, err))
		return false;
	*ret = p;
	return true;
}

/* ---- rules ---- */

static bool no_such_profile(json_t *profiles, const char *name, const struct json_path *at,
			    struct err *err)
{
	struct suggestion near = suggest_for(name);
	const char *key;
	json_t *v;

	json_object_foreach (profiles, key, v)
		suggest_offer(&near, key);
	return err_unknown_name(err, at, "profile", &near);
}

static bool no_profile(json_t *profiles, const struct json_path *at, struct err *err)
{
	const char *first = json_object_iter_key(json_object_iter(profiles));

	err_policy(err, at, "the rule has no \"profile\"");
	return err_fix(err, "add \"profile\": \"%s\"", first ? first : "NAME");
}

/* Only trust and the DSCP map can contradict each other: returns the one that is applied last. */
static unsigned contradicting(const struct because *because)
{
	unsigned last = SETTING_DSCP_PRIO;

	if (because[SETTING_TRUST].part > because[last].part)
		last = SETTING_TRUST;
	return because[SETTING_DSCP_REST].part > because[last].part ? SETTING_DSCP_REST : last;
}

/* Locates a contradiction. `set_at` is the place of the rule's own settings. */
static bool locate_contradiction(const struct port_rule *r, const struct because *because,
				 const struct json_path *set_at, struct err *err)
{
	unsigned setting = contradicting(because);
	const struct because *last = &because[setting];
	struct json_path profiles_at = { NULL, "profiles", 0 },
			 profile_at = { &profiles_at, r->profile->name, 0 },
			 when_at = { &profile_at, "when", 0 },
			 entry_at = { &when_at, NULL, last->when },
			 entry_set_at = { &entry_at, "set", 0 };
	struct json_path here = { last->part == PART_RULE   ? set_at
				  : last->part == PART_WHEN ? &entry_set_at
							    : &profile_at,
				  setting == SETTING_TRUST ? "trust" : "dscp", 0 };

	json_path_to_pointer(&here, err->at.pointer, sizeof(err->at.pointer));
	return false;
}

/*
 * Checks that the settings are consistent without the profile's entries of "when" and with each
 * single one.
 */
static bool check_consistency(const struct port_rule *r, const struct json_path *set_at,
			      struct err *err)
{
	struct because because[SETTING_COUNT];
	struct config desired;

	for (size_t i = 0; i <= r->profile->when_count; i++)
		if (!rule_desired_of(r, i ? 1u << (i - 1) : 0, &desired, because, err))
			return locate_contradiction(r, because, set_at, err);
	return true;
}

static const struct profile *find_profile(const struct loading *l, const char *name)
{
	for (size_t i = 0; i < l->profiles_count; i++)
		if (strcmp(l->profiles[i].name, name) == 0)
			return &l->profiles[i];
	return NULL;
}

static bool profile_name_from_json(struct port_rule *r, const struct loading *l, json_t *rule,
				   const struct json_path *at, struct err *err)
{
	struct json_path here = { at, "profile", 0 };
	char name[ID_MAX] = "";

	if (!json_read_string(rule, "profile", name, sizeof(name), at, err))
		return false;
	if (!name[0])
		return no_profile(l->profiles_json, at, err);
	r->profile = find_profile(l, name);
	if (!r->profile && l->profiles_json && !json_is_object(l->profiles_json))
		return false; /* the error is at "profiles" */
	return r->profile || no_such_profile(l->profiles_json, name, &here, err);
}

static bool set_from_json(struct port_rule *r, struct loading *l, json_t *set,
			  const struct json_path *at, struct err *err)
{
	if (!set)
		return true;
	r->set = l->overlays;
	return overlay_from_json(l->overlays++, set, at, err);
}

static bool required_from_json(const struct key *k, void *field, json_t *j,
			       const struct json_path *at, struct err *err)
{
	struct port_rule *r = field;

	(void)k;
	r->required = json_is_true(j);
	r->may_match_none = json_is_false(j);
	return json_is_boolean(j) || err_expected_bool(err, at, j);
}

static json_t *required_schema(const struct key *k)
{
	(void)k;
	return json_pack("{s:s}", "type", "boolean");
}

static json_t *match_schema(const struct key *k)
{
	(void)k;
	return object_schema(&match_object);
}

static json_t *profile_name_schema(const struct key *k)
{
	return json_pack("{s:s, s:i, s:I}", "type", "string", "minLength", 1, "maxLength",
			 (json_int_t)k->size - 1);
}

static bool is_misplaced(const struct json_path *at, struct suggestion *near, struct err *err)
{
	return err_misplaced(err, at, near, "move it into \"set\": {\"%s\": ...}");
}

static void exclude_count_of_none(json_t *schema)
{
	json_object_set_new(schema, "not",
			    json_pack("{s:[s, s], s:{s:{s:o}, s:b}}", "required", "count",
				      "required", "properties", "required", "const", json_false(),
				      "count", 1));
}

/* clang-format off */
static const struct key rule_keys[] = {
	{ "match", NULL, KEY_OTHER, KEY_FIELD(struct port_rule, match),
	  .from_json = match_from_json, .schema = match_schema,
	  .missing = "the rule has no \"match\"",
	  .missing_fix = "for all ports: \"match\": {\"name\": \"*\"}",
	  .doc = "In a rule: the conditions on a port; all of them must hold.",
	  .more = "name, pci, driver, rdma and mac are globs, firmware a glob or a comparison, "
		  "and speed_mbps a number or a comparison." },
	{ "profile", NULL, KEY_OTHER, .size = ID_MAX, .schema = profile_name_schema,
	  .required = true,
	  .doc = "In a rule: the name of the profile.",
	  .more = "One of \"profiles\"." },
	{ "set", NULL, KEY_OTHER, .schema = set_schema,
	  .doc = "In a rule or an entry of when: settings that override the profile.",
	  .more = "An array or a map is replaced as a whole. null removes a setting from the "
		  "profile." },
	{ "required", NULL, KEY_OTHER, .from_json = required_from_json, .schema = required_schema,
	  .doc = "In a rule: true if a port must match, false if none need match.",
	  .more = "A required rule without a port makes the run unknown (exit 3). Without this "
		  "key it is a warning. A run in which no rule matches any port exits 3 as "
		  "well, unless every rule has false." },
	{ "count", NULL, KEY_NUMBER, KEY_FIELD(struct port_rule, ports_count), 1, PORTS_COUNT_MAX,
	  .doc = "In a rule: the number of ports of the host that must match, 1 to 1024.",
	  .more = "Any other number of ports makes the run unknown (exit 3): an adapter is "
		  "lost, or the policy does not expect it. Ports that a later rule takes "
		  "count; virtual functions do not. If the command line names ports, "
		  "losslessctl does not check the count." },
	{ .name = NULL },
};
/* clang-format on */

const struct key_object rule_object = {
	.keys = rule_keys,
	.expected = "an object with \"match\" and \"profile\"",
	.other = is_misplaced,
	.add_to_schema = exclude_count_of_none,
};

static bool count_may_be(const struct port_rule *r, const struct json_path *at, struct err *err)
{
	if (!r->may_match_none || !r->ports_count)
		return true;
	err_policy(err, &(struct json_path){ at, "count", 0 },
		   "\"count\" and \"required\": false contradict each other");
	return err_fix(err, "remove one of the two");
}

/* Reads the parts of a rule; one with a profile that has errors is read as far as it goes. */
static bool parts_from_json(struct port_rule *r, struct loading *l, json_t *rule,
			    const struct json_path *at, struct err *err)
{
	struct json_path set_at = { at, "set", 0 };
	bool ok = err_part(err, object_from_json(&rule_object, r, rule, at, err));

	if (!json_is_object(rule))
		return false;
	ok = err_part(err, count_may_be(r, at, err)) && ok;
	ok = err_part(err, profile_name_from_json(r, l, rule, at, err)) && ok;
	return err_part(err, set_from_json(r, l, json_object_get(rule, "set"), &set_at, err)) && ok;
}

bool port_rule_from_json(struct port_rule *r, struct loading *l, json_t *rule,
			 const struct json_path *at, struct err *err)
{
	struct json_path set_at = { at, "set", 0 };

	if (!parts_from_json(r, l, rule, at, err))
		return false;
	return r->profile->broken || check_consistency(r, &set_at, err);
}

bool port_rule_from_show(struct port_rule *r, struct loading *l, json_t *port,
			 const struct json_path *at, struct err *err)
{
	struct json_path config_at = { at, "config", 0 };
	json_t *config = json_object_get(port, "config");

	if (!json_is_object(port) || !json_object_get(port, "port"))
		return err_expected(err, at, port, "an object with \"port\" and \"config\"");
	r->profile = l->profiles;
	r->set = l->overlays;
	if (!json_read_string(port, "port", r->match.pattern.name, PATTERN_MAX, at, err) ||
	    !overlay_from_observed(l->overlays++, config, &config_at, err))
		return false;
	return check_consistency(r, &config_at, err);
}
