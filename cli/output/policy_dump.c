#include "policy_dump.h"

#include <stdio.h>

#include "../../agent/engine/target/target.h"
#include "../../policy/document/classes.h"
#include "../../policy/document/config_json.h"
#include "../../policy/document/resolve.h"
#include "../../policy/model/dscp_map.h"

struct config expand_desired(const struct port_rule *r, uint32_t entries)
{
	struct config desired = { 0 };
	struct err never = { 0 };

	if (!rule_desired_of(r, entries, &desired, &never))
		desired.has = 0;
	return desired;
}

struct config expand_derived(const struct port_rule *r)
{
	struct config derived = classes_derive(&r->profile->classes);
	struct err never = { 0 };

	if (!dscp_complete(&derived, &never))
		derived.has = 0;
	return derived;
}

/* Returns the settings whose desired values equal those derived from the rule's classes. */
static setting_set as_derived(const struct port_rule *r, const struct config *desired)
{
	struct config derived = expand_derived(r);

	return derived.has & desired->has & ~config_diff(&derived, desired);
}

/* ---- text ---- */

static void print_setting(const struct cli *c, const struct port_rule *r, unsigned setting,
			  const struct config *desired)
{
	char text[SETTING_TEXT_MAX], source[SOURCE_TEXT_MAX];

	printf("  %-21s %s", settings[setting].path,
	       desired->has & SETTING(setting) ? setting_text(&settings[setting], desired, text)
					       : "not set");
	if (as_derived(r, desired) & SETTING(setting))
		printf("  %s(from %s)%s", c->out.dim,
		       classes_source(&r->profile->classes, setting, source), c->out.reset);
	puts(desired->has & r->profile->optional & SETTING(setting) ? "  (optional)" : "");
}

static void print_conditional(const struct cli *c, const struct port_rule *r, size_t i)
{
	struct config base = expand_desired(r, 0), desired = expand_desired(r, 1u << i);
	setting_set differ = config_diff(&desired, &base) | (base.has & ~desired.has);
	char text[MATCH_TEXT_MAX];

	printf(" %swhen %s%s\n", c->out.bold, match_to_text(&r->profile->when[i].when, text),
	       c->out.reset);
	for (unsigned k = 0; k < SETTING_COUNT; k++)
		if (differ & SETTING(k))
			print_setting(c, r, k, &desired);
}

void expand_print(const struct cli *c, const struct policy *p, const struct port_rule *r)
{
	struct config desired = expand_desired(r, 0);

	printf("%srule %d%s, %s%s\n", c->out.bold, RULE_NUMBER(p, r), c->out.reset,
	       r->profile->name[0] ? "profile " : "from show", r->profile->name);
	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if (desired.has & SETTING(i))
			print_setting(c, r, i, &desired);
	for (size_t i = 0; i < r->profile->when_count; i++)
		print_conditional(c, r, i);
}

/* ---- JSON ---- */

static json_t *compact(const struct config *desired)
{
	struct config out = dscp_compact(desired, REST_KEEP);

	return config_to_json(&out, EVERY_SETTING);
}

static json_t *derived_to_json(const struct port_rule *r, const struct config *desired)
{
	setting_set derived = as_derived(r, desired);
	json_t *list = r->profile->classes.count ? json_array() : NULL;

	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if (derived & SETTING(i))
			json_array_append_new(list, json_string(settings[i].path));
	return list;
}

static json_t *when_to_json(const struct port_rule *r)
{
	json_t *list = r->profile->when_count ? json_array() : NULL;

	for (size_t i = 0; i < r->profile->when_count; i++) {
		struct config desired = expand_desired(r, 1u << i);
		json_t *entry = match_to_json(&r->profile->when[i].when);

		json_object_set_new(entry, "config", compact(&desired));
		json_array_append_new(list, entry);
	}
	return list;
}

json_t *expand_to_json(const struct policy *p, const struct port_rule *r)
{
	struct config desired = expand_desired(r, 0);

	return json_pack("{s:i, s:o, s:s, s:o, s:o*, s:o*}", "rule_number", RULE_NUMBER(p, r),
			 "match", match_to_json(&r->match), "profile", r->profile->name, "config",
			 compact(&desired), "derived", derived_to_json(r, &desired), "when",
			 when_to_json(r));
}
