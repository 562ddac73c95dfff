#include <stdio.h>

#include "../agent/cleanup.h"
#include "../policy/dscp.h"
#include "../policy/json.h"
#include "findings.h"
#include "policy_file.h"
#include "print.h"
#include "report.h"

static void add_finding(json_t *findings, int number, const struct rule *r, const char *text)
{
	json_t *finding = json_pack("{s:i}", "port_rule", number);

	json_object_update_new(finding, finding_to_json(r, text));
	json_array_append_new(findings, finding);
}

static void warn_of_shadow(struct cli *c, const struct policy *p, const struct port_rule *r)
{
	const struct port_rule *later = policy_rule_shadowed(p, r);

	if (later)
		print_warning(
			c,
			"%s: rule %d can never win: rule %d comes later and matches all its ports",
			p->source, RULE_NUMBER(p, r), RULE_NUMBER(p, later));
}

/* Judges one port rule; what it leaves open cannot be judged without a host. */
static bool lint(struct cli *c, const struct policy *p, const struct port_rule *r, json_t *findings)
{
	const struct facts facts = { .fabric = p->fabric };
	char where[sizeof(p->source) + 32], text[RULE_TEXT_MAX];
	const struct rule *rule;
	bool sound = true;

	warn_of_shadow(c, p, r);
	snprintf(where, sizeof(where), "%s: rule %d", p->source, RULE_NUMBER(p, r));
	for (size_t i = 0; (rule = rule_at(i)); i++) {
		if (!rule_broken(rule, &r->want, &facts))
			continue;
		sound = sound && rule->severity != SEVERITY_ERROR;
		rule_text(rule, &r->want, &facts, text);
		add_finding(findings, RULE_NUMBER(p, r), rule, text);
		print_finding(c, where, rule, text);
	}
	return sound;
}

static json_t *rule_to_json(const struct policy *p, const struct port_rule *r)
{
	struct config spelled = dscp_spelled(&r->want, REST_KEEP);
	json_t *match = json_object();

	for (size_t i = 0; i < MATCH_COUNT; i++) {
		const char *pattern = (const char *)&r->match.pattern + match_keys[i].offset;

		if (pattern[0])
			json_object_set_new(match, match_keys[i].name, json_string(pattern));
	}
	return json_pack("{s:i, s:o, s:s, s:o}", "port_rule", RULE_NUMBER(p, r), "match", match,
			 "profile", r->profile, "config", config_to_json(&spelled, EVERY_KNOB));
}

static void print_expanded(struct cli *c, const struct policy *p, const struct port_rule *r)
{
	printf("%srule %d%s, profile %s\n", c->out.bold, RULE_NUMBER(p, r), c->out.reset,
	       r->profile);
	for (unsigned i = 0; i < KNOB_COUNT; i++) {
		char text[KNOB_TEXT_MAX];

		if (r->want.has & KNOB(i))
			printf("  %-21s %s%s\n", knobs[i].path,
			       knob_text(&knobs[i], &r->want, text),
			       r->optional & KNOB(i) ? "  (optional)" : "");
	}
}

static json_t *document(const struct policy *p, bool sound, json_t *findings)
{
	json_t *doc = report_new("check"), *ports = json_array();

	for (size_t i = 0; i < p->count; i++)
		json_array_append_new(ports, rule_to_json(p, &p->rules[i]));
	json_object_set_new(doc, "policy", report_policy(p));
	json_object_set_new(doc, "verdict", json_string(sound ? "ok" : "error"));
	json_object_set_new(doc, "findings", json_incref(findings));
	json_object_set_new(doc, "ports", ports);
	return doc;
}

int verb_check(struct cli *c, struct err *err)
{
	_free_ struct policy *p = NULL;
	json_auto_t *findings = json_array();
	bool sound = true;

	if (!policy_open(c, &p, err))
		return -1;
	for (size_t i = 0; i < p->count; i++)
		sound = lint(c, p, &p->rules[i], findings) && sound;
	if (c->opt.json)
		print_json(c, document(p, sound, findings));
	for (size_t i = 0; c->opt.expand && !c->opt.json && i < p->count; i++)
		print_expanded(c, p, &p->rules[i]);
	if (!c->opt.json && !c->opt.expand && !c->opt.quiet && sound)
		printf("%s: policy %s is sound: %zu rule%s\n", p->source, p->name, p->count,
		       p->count == 1 ? "" : "s");
	return sound ? EXIT_AS_WISHED : err_exit_code(&(struct err){ .kind = ERR_POLICY });
}
