#include <stdio.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/document/classes_derive.h"
#include "../../policy/document/unreachable.h"
#include "../output/lint_text.h"
#include "../output/policy_dump.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "../sandbox/policy_file.h"
#include "verbs.h"

/* The part of the policy to check: a port rule, with or without one entry of its "when". */
struct lint_scope {
	struct cli *c;
	const struct policy *policy;
	const struct port_rule *rule;
	size_t when; /* counted from 1; 0: none */
	json_t *findings;
	bool valid;
};

#define WHERE_MAX (sizeof(((struct policy *)0)->source) + 48)

/*
 * Writes the location of a finding for people and adds it to *finding. A finding outside all rules
 * is about "severity".
 */
static void place(const struct lint_scope *j, char where[WHERE_MAX], json_t *finding)
{
	int n = snprintf(where, WHERE_MAX, "%s: ", j->policy->source);
	size_t room = WHERE_MAX - (size_t)n;

	if (!j->rule) {
		snprintf(where + n, room, "severity");
		return;
	}
	json_object_set_new(finding, "rule_number", json_integer(RULE_NUMBER(j->policy, j->rule)));
	snprintf(where + n, room, "rule %d", RULE_NUMBER(j->policy, j->rule));
	if (!j->when)
		return;
	json_object_set_new(finding, "when_number", json_integer((json_int_t)j->when));
	snprintf(where + n, room, "rule %d, when %zu", RULE_NUMBER(j->policy, j->rule), j->when);
}

static void report(struct lint_scope *j, const struct lint *r, const char *text)
{
	enum severity severity = severity_of_lint(&j->policy->severities, lint_index(r));
	json_t *finding;
	char where[WHERE_MAX];

	if (severity == SEVERITY_IGNORE)
		return;
	/* Documents from `show` describe a port, so an unwise setting in them is not an error. */
	if (j->policy->is_show_document && severity == SEVERITY_ERROR)
		severity = SEVERITY_WARNING;
	finding = json_object();
	place(j, where, finding);
	json_object_update_new(finding, finding_to_json(r, severity, text));
	json_array_append_new(j->findings, finding);
	print_finding(j->c, where, r, severity, text);
	j->valid = j->valid && severity != SEVERITY_ERROR;
}

/* Reports lints that the policy itself lowers below error, because they no longer stop apply. */
static bool lint_lowered(struct lint_scope j)
{
	const struct severities *s = &j.policy->severities;
	char text[LINT_TEXT_MAX];
	const struct lint *r;

	for (size_t i = 0; (r = lint_at(i)); i++) {
		if (r->severity != SEVERITY_ERROR || severity_of_lint(s, i) == SEVERITY_ERROR)
			continue;
		snprintf(text, sizeof(text),
			 "\"%s\" is lowered from error to %s: it no longer stops apply", r->name,
			 severity_name(severity_of_lint(s, i)));
		report(&j, lint_of_document(LINT_LOWERED), text);
	}
	return j.valid;
}

/* Reports a violation of the rule without "when" only there, not for each entry. */
static void lint_settings(struct lint_scope *j, const struct config *base,
			  const struct config *desired)
{
	const struct capabilities capabilities = { .switch_map = j->policy->switch_map };
	char text[LINT_TEXT_MAX];
	const struct lint *r;

	for (size_t i = 0; (r = lint_at(i)); i++) {
		if (!lint_fails(r, desired, &capabilities) ||
		    (j->when && lint_fails(r, base, &capabilities)))
			continue;
		lint_message(r, desired, &capabilities, text);
		report(j, r, text);
	}
}

static setting_set overridden(const struct config *derived, const struct config *desired)
{
	return derived->has & desired->has & config_diff(derived, desired);
}

static void lint_overridden(struct lint_scope *j, const struct config *base,
			    const struct config *desired)
{
	struct config derived = expand_derived(j->rule);
	setting_set off = overridden(&derived, desired);

	if (j->when)
		off &= ~overridden(&derived, base) | config_diff(desired, base);
	for (unsigned i = 0; i < SETTING_COUNT; i++) {
		char says[SETTING_TEXT_MAX], is[SETTING_TEXT_MAX], source[SOURCE_TEXT_MAX];
		char text[LINT_TEXT_MAX];

		if (!(off & SETTING(i)))
			continue;
		snprintf(text, sizeof(text), "%s is %.120s; derived from %.200s it would be %.120s",
			 settings[i].path, setting_text(&settings[i], desired, is),
			 classes_source(&j->rule->profile->classes, i, source),
			 setting_text(&settings[i], &derived, says));
		report(j, lint_of_document(LINT_CLASS_OVERRIDDEN), text);
	}
}

static void report_unreachable(struct lint_scope *j, const struct port_rule *by)
{
	char text[LINT_TEXT_MAX];

	snprintf(text, sizeof(text), "can never win: rule %d comes later and matches all its ports",
		 RULE_NUMBER(j->policy, by));
	report(j, lint_of_document(LINT_RULE_UNREACHABLE), text);
}

/* Checks one port rule. Settings that it leaves open need a host to be checked. */
static bool lint(struct lint_scope j)
{
	struct config base = expand_desired(j.rule, 0);

	for (; j.when <= j.rule->profile->when_count; j.when++) {
		struct config desired = j.when ? expand_desired(j.rule, 1u << (j.when - 1)) : base;

		lint_overridden(&j, &base, &desired);
		lint_settings(&j, &base, &desired);
	}
	return j.valid;
}

static bool lint_all(struct cli *c, const struct policy *p, json_t *findings, bool *ret_valid,
		     struct err *err)
{
	_free_ const struct port_rule **by = NULL;

	if (!shadows_find(p, &by, err))
		return false;
	*ret_valid = lint_lowered((struct lint_scope){ c, p, NULL, 0, findings, true });
	for (size_t i = 0; i < p->count; i++) {
		struct lint_scope j = { c, p, &p->rules[i], 0, findings, true };

		if (by[i])
			report_unreachable(&j, by[i]);
		*ret_valid = lint(j) && *ret_valid;
	}
	return true;
}

static json_t *document(const struct policy *p, bool valid, json_t *findings)
{
	json_t *doc = report_new("check"), *ports = json_array();

	for (size_t i = 0; i < p->count; i++)
		json_array_append_new(ports, expand_to_json(p, &p->rules[i]));
	json_object_set_new(doc, "policy", report_policy(p));
	json_object_set_new(doc, "verdict", json_string(valid ? "valid" : "invalid"));
	json_object_set_new(doc, "findings", json_incref(findings));
	json_object_set_new(doc, "ports", ports);
	return doc;
}

static void print_valid(const struct policy *p)
{
	print_clean(stdout, p->source);
	fputs(": policy ", stdout);
	print_clean(stdout, p->name);
	printf(" is sound: %zu rule%s\n", p->count, p->count == 1 ? "" : "s");
}

int verb_check(struct cli *c, struct err *err)
{
	_free_ struct policy *p = NULL;
	json_auto_t *findings = json_array();
	bool valid;

	if (!policy_open(c, &p, err) || !lint_all(c, p, findings, &valid, err))
		return -1;
	if (c->opt.json)
		print_json(c, document(p, valid, findings));
	for (size_t i = 0; c->opt.expand && !c->opt.json && i < p->count; i++)
		expand_print(c, p, &p->rules[i]);
	if (!c->opt.json && !c->opt.expand && !c->opt.quiet && valid)
		print_valid(p);
	return valid ? EXIT_SUCCESS : err_exit_code(&(struct err){ .kind = ERR_POLICY });
}
