#include "port_rule.h"

#include <string.h>

#include "../model/type.h"

static bool no_such_profile(json_t *profiles, const char *name, const struct json_path *at,
			    struct err *err)
{
	struct suggestion near = suggest_for(name);
	const char *key;
	json_t *v;

	json_object_foreach (profiles, key, v)
		suggest_offer(&near, key);
	err_policy(err, at, "no profile is named \"%s\"", name);
	return near.best ? err_fix(err, "did you mean \"%s\"?", near.best) : false;
}

static bool no_profile(json_t *profiles, const struct json_path *at, struct err *err)
{
	const char *first = json_object_iter_key(json_object_iter(profiles));

	err_policy(err, at, "the rule has no \"profile\"");
	return err_fix(err, "add \"profile\": \"%s\"", first ? first : "NAME");
}

/* One part of the document that contributes to a port's settings. */
struct source_part {
	const struct json_path *at;
	const json_t *json;
};

/* The key in this part that sets the DSCP map or trust, or NULL. */
static const char *trust_or_dscp_key(const json_t *part)
{
	const json_t *dscp = json_object_get(part, "dscp");

	if (json_object_get(dscp, "prio"))
		return "dscp";
	if (json_object_get(part, "trust"))
		return "trust";
	return dscp ? "dscp" : NULL;
}

/*
 * Locates a contradiction. Only trust and the DSCP map can contradict each other here; the error
 * points to the part that is applied last.
 */
static bool locate_contradiction(const struct source_part *parts, size_t count, struct err *err)
{
	for (size_t i = 0; i < count; i++) {
		struct json_path here = { parts[i].at, trust_or_dscp_key(parts[i].json), 0 };

		if (!here.key)
			continue;
		json_path_to_pointer(&here, err->at.pointer, sizeof(err->at.pointer));
		break;
	}
	return false;
}

/* Checks that the rule is consistent without its entries of "when" and with each single one. */
static bool check_consistency(const struct port_rule *r, const struct source_part *set,
			      const json_t *profile, struct err *err)
{
	struct json_path root = { NULL, "profiles", 0 },
			 profile_at = { &root, r->profile->name, 0 },
			 when_at = { &profile_at, "when", 0 };
	const json_t *when = json_object_get(profile, "when");
	struct config desired;

	if (!rule_desired_of(r, 0, &desired, err))
		return locate_contradiction((struct source_part[]){ *set,
								    { &profile_at, profile } },
					    2, err);
	for (size_t i = 0; i < r->profile->when_count; i++) {
		struct json_path entry_at = { &when_at, NULL, i }, set_at = { &entry_at, "set", 0 };
		struct source_part entry = { &set_at,
					     json_object_get(json_array_get(when, i), "set") };

		if (!rule_desired_of(r, 1u << i, &desired, err))
			return locate_contradiction(
				(struct source_part[]){ *set, entry, { &profile_at, profile } }, 3,
				err);
	}
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

static bool only_rule_keys(json_t *rule, const struct json_path *at, struct err *err)
{
	static const char *const known[] = { "match", "profile", "set", "required",
					     "count", "comment", NULL };
	bool ok;

	if (!json_is_object(rule))
		return err_expected(err, at, rule, "an object with \"match\" and \"profile\"");
	ok = err_part(err, config_only_keys(rule, known, "move it into \"set\": {\"%s\": ...}", at,
					    err));
	return err_part(err, json_check_comment(rule, at, err)) && ok;
}

static bool required_from_json(struct port_rule *r, const json_t *rule, const struct json_path *at,
			       struct err *err)
{
	struct json_path count_at = { at, "count", 0 };
	const json_t *count = json_object_get(rule, "count");
	int64_t n;

	if (!json_read_bool(rule, "required", &r->required, at, err))
		return false;
	r->may_match_none = json_is_false(json_object_get(rule, "required"));
	if (!count)
		return true;
	if (!number_from_json(count, 1, PORTS_COUNT_MAX, &n, &count_at, err))
		return false;
	if (r->may_match_none) {
		err_policy(err, &count_at,
			   "\"count\" and \"required\": false contradict each other");
		return err_fix(err, "remove one of the two");
	}
	r->ports_count = (uint16_t)n;
	return true;
}

static bool no_match(const struct json_path *at, struct err *err)
{
	err_policy(err, at, "the rule has no \"match\"");
	return err_fix(err, "for all ports: \"match\": {\"name\": \"*\"}");
}

/* Reads the parts of a rule; one with a profile that has errors is read as far as it goes. */
static bool parts_from_json(struct port_rule *r, struct loading *l, json_t *rule,
			    const struct json_path *at, struct err *err)
{
	struct json_path match_at = { at, "match", 0 }, set_at = { at, "set", 0 };
	json_t *match = json_object_get(rule, "match"), *set = json_object_get(rule, "set");
	bool ok = err_part(err, only_rule_keys(rule, at, err));

	if (!json_is_object(rule))
		return false;
	ok = err_part(err, required_from_json(r, rule, at, err)) && ok;
	ok = err_part(err, match ? match_from_json(&r->match, match, &match_at, err)
				 : no_match(at, err)) &&
	     ok;
	ok = err_part(err, profile_name_from_json(r, l, rule, at, err)) && ok;
	return err_part(err, set_from_json(r, l, set, &set_at, err)) && ok;
}

bool port_rule_from_json(struct port_rule *r, struct loading *l, json_t *rule,
			 const struct json_path *at, struct err *err)
{
	struct json_path set_at = { at, "set", 0 };
	json_t *set = json_object_get(rule, "set");

	if (!parts_from_json(r, l, rule, at, err))
		return false;
	return r->profile->broken ||
	       check_consistency(r, &(struct source_part){ &set_at, set },
				 json_object_get(l->profiles_json, r->profile->name), err);
}

bool port_rule_from_show(struct port_rule *r, struct loading *l, json_t *port,
			 const struct json_path *at, struct err *err)
{
	struct json_path config_at = { at, "config", 0 };
	json_t *config = json_object_get(port, "config");
	struct config desired;

	if (!json_is_object(port) || !json_object_get(port, "port"))
		return err_expected(err, at, port, "an object with \"port\" and \"config\"");
	r->profile = l->profiles;
	r->set = l->overlays;
	if (!json_read_string(port, "port", r->match.pattern.name, PATTERN_MAX, at, err) ||
	    !overlay_from_observed(l->overlays++, config, &config_at, err))
		return false;
	return rule_desired_of(r, 0, &desired, err) ||
	       locate_contradiction(&(struct source_part){ &config_at, config }, 1, err);
}
