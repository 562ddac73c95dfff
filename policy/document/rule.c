#include "loading.h"

#include <string.h>

#include "../util/unknown_key.h"

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
