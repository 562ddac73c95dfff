#include "port_rule.h"

#include <string.h>

#include "../model/type.h"
#include "resolve.h"

static bool no_such_profile(json_t *profiles, const char *name, const struct at *at,
			    struct err *err)
{
	struct suggestion near = suggest_for(name);
	const char *key;
	json_t *v;

	json_object_foreach (profiles, key, v)
		suggest_offer(&near, key);
	err_policy(err, at, "no profile is named \"%s\"", name);
	return near.best ? err_hint(err, "did you mean \"%s\"?", near.best) : false;
}

/* One part of the document that contributes to a port's settings. */
struct said {
	const struct at *at;
	const json_t *json;
};

/* The key in this part that sets the DSCP map or trust, or NULL. */
static const char *speaks(const json_t *part)
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
static bool point_at(const struct said *parts, size_t count, struct err *err)
{
	for (size_t i = 0; i < count; i++) {
		struct at here = { parts[i].at, speaks(parts[i].json), 0 };

		if (!here.key)
			continue;
		at_pointer(&here, err->at.pointer, sizeof(err->at.pointer));
		break;
	}
	return false;
}

/* Checks that the rule is consistent without its entries of "when" and with each single one. */
static bool judge(const struct port_rule *r, const struct said *set, const json_t *profile,
		  struct err *err)
{
	struct at root = { NULL, "profiles", 0 }, profile_at = { &root, r->profile->name, 0 },
		  when_at = { &profile_at, "when", 0 };
	const json_t *when = json_object_get(profile, "when");
	struct config desired;

	if (!rule_desired_of(r, 0, &desired, err))
		return point_at((struct said[]){ *set, { &profile_at, profile } }, 2, err);
	for (size_t i = 0; i < r->profile->when_count; i++) {
		struct at entry_at = { &when_at, NULL, i }, set_at = { &entry_at, "set", 0 };
		struct said entry = { &set_at, json_object_get(json_array_get(when, i), "set") };

		if (!rule_desired_of(r, 1u << i, &desired, err))
			return point_at((struct said[]){ *set, entry, { &profile_at, profile } }, 3,
					err);
	}
	return true;
}

static const struct profile *find_profile(const struct policy *p, const char *name)
{
	for (size_t i = 0; i < p->profiles_count; i++)
		if (strcmp(p->profiles[i].name, name) == 0)
			return &p->profiles[i];
	return NULL;
}

static bool take_profile_name(struct port_rule *r, const struct loading *l, json_t *rule,
			      const struct at *at, struct err *err)
{
	struct at here = { at, "profile", 0 };
	char name[ID_MAX] = "";

	if (!json_take_string(rule, "profile", name, sizeof(name), at, err))
		return false;
	if (!name[0])
		return err_policy(err, at, "a rule needs a \"profile\"");
	r->profile = find_profile(l->policy, name);
	return r->profile || no_such_profile(l->profiles, name, &here, err);
}

static bool take_set(struct port_rule *r, struct loading *l, json_t *set, const struct at *at,
		     struct err *err)
{
	if (!set)
		return true;
	r->set = l->layers;
	return layer_take(l->layers++, set, at, err);
}

static bool only_rule_keys(json_t *rule, const struct at *at, struct err *err)
{
	static const char *const known[] = { "match", "profile", "set", "required",
					     "count", "about",	 NULL };

	if (!json_is_object(rule))
		return err_policy(err, at, "expected an object with \"match\" and \"profile\"");
	return json_only_keys(rule, known, at, err) && json_check_about(rule, at, err);
}

static bool take_required(struct port_rule *r, const json_t *rule, const struct at *at,
			  struct err *err)
{
	struct at count_at = { at, "count", 0 };
	const json_t *count = json_object_get(rule, "count");
	int64_t n;

	if (!json_take_bool(rule, "required", &r->required, at, err))
		return false;
	r->may_match_none = json_is_false(json_object_get(rule, "required"));
	if (!count)
		return true;
	if (!number_take(count, 1, PORTS_COUNT_MAX, &n, &count_at, err))
		return false;
	if (r->may_match_none)
		return err_policy(err, &count_at,
				  "a rule with \"count\" needs its ports, and has \"required\": "
				  "false; remove one of the two");
	r->ports_count = (uint16_t)n;
	return true;
}

bool port_rule_take(struct port_rule *r, struct loading *l, json_t *rule, const struct at *at,
		    struct err *err)
{
	struct at match_at = { at, "match", 0 }, set_at = { at, "set", 0 };
	json_t *match = json_object_get(rule, "match"), *set = json_object_get(rule, "set");

	if (!only_rule_keys(rule, at, err))
		return false;
	if (!match)
		return err_policy(err, at, "a rule needs a \"match\"");
	return take_required(r, rule, at, err) && match_take(&r->match, match, &match_at, err) &&
	       take_profile_name(r, l, rule, at, err) && take_set(r, l, set, &set_at, err) &&
	       judge(r, &(struct said){ &set_at, set },
		     json_object_get(l->profiles, r->profile->name), err);
}

bool port_rule_take_shown(struct port_rule *r, struct loading *l, json_t *port, const struct at *at,
			  struct err *err)
{
	struct at config_at = { at, "config", 0 };
	json_t *config = json_object_get(port, "config");
	struct config desired;

	if (!json_is_object(port) || !json_object_get(port, "port"))
		return err_policy(err, at, "expected an object with \"port\" and \"config\"");
	r->profile = l->policy->profiles;
	r->set = l->layers;
	if (!json_take_string(port, "port", r->match.pattern.name, ID_MAX, at, err) ||
	    !layer_take_seen(l->layers++, config, &config_at, err))
		return false;
	return rule_desired_of(r, 0, &desired, err) ||
	       point_at(&(struct said){ &config_at, config }, 1, err);
}
