#include <stdio.h>

#include "../agent/cleanup.h"
#include "../policy/dscp.h"
#include "../policy/json.h"
#include "../policy/rules.h"
#include "policy_file.h"
#include "print.h"
#include "report.h"

/* Judges one port rule; what it leaves open cannot be judged without a host. */
static bool lint(struct cli *c, const struct policy *p, const struct port_rule *r, json_t *findings)
{
	const struct port_rule *later = policy_rule_shadowed(p, r);
	int number = RULE_NUMBER(p, r);
	bool sound = true;

	if (later)
		print_warning(
			c,
			"%s: rule %d can never win: rule %d comes later and matches all its ports",
			p->source, number, RULE_NUMBER(p, later));
	for (size_t i = 0; i < rules_count; i++) {
		bool is_error = rules[i].severity == SEVERITY_ERROR;
		const char *severity = severity_name(rules[i].severity);

		if (!rule_broken(&rules[i], &r->want))
			continue;
		sound = sound && !is_error;
		json_array_append_new(findings,
				      json_pack("{s:i, s:s, s:s, s:s, s:s}", "port_rule", number,
						"rule", rules[i].name, "severity", severity,
						"message", rules[i].says, "fix", rules[i].mend));
		fprintf(stderr, "losslessctl: %s%s:%s %s: rule %d: %s (%s)\n  %s\n",
			is_error ? c->err.red : c->err.yellow, severity, c->err.reset, p->source,
			number, rules[i].says, rules[i].name, rules[i].mend);
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
