#include "unmet_rules.h"

#include <errno.h>

#include "../../../policy/document/resolve.h"

/*
 * Numbers of matching ports. A match is possible if it depends on a property that the port does not
 * report.
 */
struct matches {
	size_t certain, possible;
};

/* Leaves out virtual functions, unless asked: they come and go with their users. */
static struct matches count_matches(const struct port_rule *r, const struct inventory *inv,
				    bool with_vfs)
{
	struct matches n = { 0, 0 };

	for (size_t i = 0; i < inv->count; i++) {
		enum match_result meant = match_evaluate(&r->match, &inv->ports[i].id);

		if (inv->ports[i].is_vf && !with_vfs)
			continue;
		n.certain += meant == MATCH_YES;
		n.possible += meant != MATCH_NO;
	}
	return n;
}

static bool matches_none(const struct port_rule *r, const struct inventory *inv)
{
	return count_matches(r, inv, true).possible == 0;
}

static bool refuse_count(const struct policy *p, size_t i, size_t found, struct err *err)
{
	unsigned wanted = p->rules[i].ports_count;

	err_record(err, ERR_GONE, ENODEV,
		   "rule %zu expects %u port%s, and %zu of this host match%s", i + 1, wanted,
		   wanted == 1 ? "" : "s", found, found == 1 ? "es" : "");
	err_fix(err, "%s",
		found < wanted ? "run `losslessctl show` to list the ports, and check for a "
				 "missing adapter or driver"
			       : "narrow the rule's match, or raise its count");
	return err_in(err, "%s", p->source);
}

/* True if a rule finds its ports. */
static bool is_met(const struct policy *p, size_t i, const struct inventory *inv, struct err *err)
{
	const struct port_rule *r = &p->rules[i];
	struct matches n = count_matches(r, inv, false);
	char match[MATCH_TEXT_MAX];

	if (r->ports_count && n.possible < r->ports_count)
		return refuse_count(p, i, n.possible, err);
	if (r->ports_count && n.certain > r->ports_count)
		return refuse_count(p, i, n.certain, err);
	if (!r->required || !matches_none(r, inv))
		return true;
	err_record(err, ERR_GONE, ENODEV,
		   "rule %zu is required, and no port of this host matches it: %.120s", i + 1,
		   match_to_text(&r->match, match));
	err_fix(err, "run `losslessctl show` to list the ports, and check for a missing adapter or "
		     "driver");
	return err_in(err, "%s", p->source);
}

static bool no_rules(const struct policy *p, struct err *err)
{
	err_record(err, ERR_GONE, ENODEV,
		   "the policy has no rules: nothing was verified or changed");
	err_fix(err,
		"add a rule, such as {\"match\": {\"name\": \"ens*\"}, \"profile\": \"NAME\"}");
	return err_in(err, "%s", p->source);
}

/* True if any rule matches, or if no rule needs a port. */
static bool matches_any(const struct policy *p, const struct inventory *inv, struct err *err)
{
	bool none_needed = true;

	if (p->count == 0)
		return no_rules(p, err);
	for (size_t i = 0; i < p->count; i++) {
		if (!matches_none(&p->rules[i], inv))
			return true;
		none_needed = none_needed && p->rules[i].may_match_none;
	}
	if (none_needed)
		return true;
	err_record(err, ERR_GONE, ENODEV,
		   "no port of this host matches a rule: nothing was verified or changed");
	err_fix(err, "run `losslessctl show` to list the ports; if a host may have none, give "
		     "every rule \"required\": false");
	return err_in(err, "%s", p->source);
}

/* True if the rule leaves this port no setting, as where an entry of "when" removes all. */
static bool requires_nothing(const struct port_rule *r, const struct identity *id)
{
	struct config desired;
	struct err quiet = { 0 };

	return rule_requires_nothing(r) ||
	       (rule_desired(r, id, &desired, NULL, &quiet) && !desired.has);
}

/*
 * True unless ports match, and no rule of them has a setting: then there is nothing to verify, and
 * silence would look like health. Warns of each port that has no setting to verify.
 */
static bool requires_anything(const struct engine *e, const struct policy *p,
			      const struct inventory *inv, struct err *err)
{
	size_t idle = 0, busy = 0;

	for (size_t i = 0; i < inv->count; i++) {
		const struct identity *id = &inv->ports[i].id;
		const struct port_rule *r;
		struct err quiet = { 0 };

		if (rule_for(p->rules, p->count, id, &r, &quiet) && !r)
			continue;
		if (!r || !requires_nothing(r, id)) {
			busy++;
			continue;
		}
		idle++;
		engine_warn(e,
			    "%s: nothing is required of this port: rule %d, with profile \"%s\", "
			    "has no settings for it",
			    id->name, (int)(r - p->rules) + 1, r->profile->name);
	}
	if (busy || !idle)
		return true;
	err_record(err, ERR_UNKNOWN, ENODATA,
		   "the rules have no settings for these ports: nothing was verified or changed");
	err_fix(err, "give them settings: in the profiles of their rules, or in an entry of "
		     "\"when\" that matches");
	return err_in(err, "%s", p->source);
}

static void add(struct unmet *u, const struct err *err)
{
	if (u->count++ == 0)
		u->first = *err;
}

struct unmet unmet_find(const struct engine *e, const struct policy *p, const struct inventory *inv,
			bool needs_settings)
{
	struct unmet u = { 0 };
	struct err none = { 0 };

	for (size_t i = 0; i < p->count && e->selection.count == 0; i++) {
		struct err err = { 0 };

		if (!is_met(p, i, inv, &err)) {
			u.required++;
			add(&u, &err);
		} else if (!p->rules[i].may_match_none && matches_none(&p->rules[i], inv)) {
			engine_warn(e, "%s: rule %zu matches no port of this host", p->source,
				    i + 1);
		}
	}
	if (!u.count && ((e->selection.count == 0 && !matches_any(p, inv, &none)) ||
			 (needs_settings && !requires_anything(e, p, inv, &none))))
		add(&u, &none);
	return u;
}
