#include <stdio.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/document/classes_derive.h"
#include "../../policy/document/unreachable.h"
#include "../../policy/util/oom.h"
#include "../output/lint_text.h"
#include "../output/policy_dump.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "../sandbox/policy_file.h"
#include "verbs.h"

/* The findings of one file. */
struct tally {
	size_t errors, warnings;
};

/* The part of the policy to check: a port rule, with or without one entry of its "when". */
struct lint_scope {
	struct cli *c;
	const struct policy *policy;
	const struct port_rule *rule;
	size_t when; /* counted from 1; 0: none */
	json_t *findings;
	struct tally *tally;
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
	j->tally->errors += severity == SEVERITY_ERROR;
	j->tally->warnings += severity == SEVERITY_WARNING;
}

/* Reports lints that the policy itself lowers below error, because they no longer stop apply. */
static void lint_lowered(struct lint_scope j)
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
static void lint(struct lint_scope j)
{
	struct config base = expand_desired(j.rule, 0);

	for (; j.when <= j.rule->profile->when_count; j.when++) {
		struct config desired = j.when ? expand_desired(j.rule, 1u << (j.when - 1)) : base;

		lint_overridden(&j, &base, &desired);
		lint_settings(&j, &base, &desired);
	}
}

static bool lint_all(struct cli *c, const struct policy *p, json_t *findings, struct tally *tally,
		     struct err *err)
{
	_free_ const struct port_rule **by = NULL;

	if (!shadows_find(p, &by, err))
		return false;
	lint_lowered((struct lint_scope){ c, p, NULL, 0, findings, tally });
	for (size_t i = 0; i < p->count; i++) {
		struct lint_scope j = { c, p, &p->rules[i], 0, findings, tally };

		if (by[i])
			report_unreachable(&j, by[i]);
		lint(j);
	}
	return true;
}

static json_t *errors_to_json(const struct err_list *all)
{
	json_t *list = json_array();

	for (size_t i = 0; i < all->count; i++) {
		const struct err *e = &all->list[i];
		json_t *one = json_object();

		json_object_set_new(one, "where", json_from_text(e->where));
		json_object_set_new(one, "line", json_integer(e->at.line));
		json_object_set_new(one, "column", json_integer(e->at.column));
		json_object_set_new(one, "pointer", json_from_text(e->at.pointer));
		json_object_set_new(one, "message", json_from_text(e->text));
		if (e->fix[0])
			json_object_set_new(one, "fix", json_from_text(e->fix));
		json_array_append_new(list, one);
	}
	return list;
}

/* `p` is NULL if the document has errors. */
static json_t *document(const struct cli *c, const struct policy *p, bool valid, json_t *errors,
			json_t *findings)
{
	json_t *doc = report_new("check"), *ports = json_array();

	json_object_set_new(doc, "file", json_from_text(c->opt.policy));
	for (size_t i = 0; p && i < p->count; i++)
		json_array_append_new(ports, expand_to_json(p, &p->rules[i]));
	json_object_set_new(doc, "policy", p ? report_policy(p) : json_null());
	json_object_set_new(doc, "verdict", json_string(valid ? "valid" : "invalid"));
	json_object_set_new(doc, "errors", errors);
	json_object_set_new(doc, "findings", json_incref(findings));
	json_object_set_new(doc, "ports", ports);
	return doc;
}

static void print_count(size_t n, const char *of)
{
	if (n)
		printf(", %zu %s%s", n, of, n == 1 ? "" : "s");
}

static void print_verdict(const struct cli *c, const struct tally *t, bool valid)
{
	bool by_strict = !valid && !t->errors;

	if (c->opt.quiet)
		return;
	print_clean(stdout, strcmp(c->opt.policy, "-") == 0 ? "standard input" : c->opt.policy);
	fputs(valid ? ": valid" : ": invalid", stdout);
	print_count(t->errors, "error");
	print_count(t->warnings, "warning");
	puts(by_strict ? " (--strict)" : "");
}

/* Reports a document with errors; any other error is of the file or the system. */
static int report_errors(struct cli *c, const struct err_list *all, const struct err *err)
{
	const struct tally t = { .errors = all->count + all->omitted };
	json_auto_t *none = json_array();

	if (!all->count)
		return report_failure(c, err);
	if (c->opt.json)
		print_json(c, document(c, NULL, false, errors_to_json(all), none));
	else
		print_verdict(c, &t, false);
	return err_exit_code(err);
}

static int report_findings(struct cli *c, const struct policy *p, struct err *err)
{
	json_auto_t *findings = json_array();
	struct tally t = { 0, 0 };
	bool valid;

	if (!lint_all(c, p, findings, &t, err))
		return report_failure(c, err);
	valid = !t.errors && !(c->opt.strict && t.warnings);
	if (c->opt.json)
		print_json(c, document(c, p, valid, json_array(), findings));
	for (size_t i = 0; c->opt.expand && !c->opt.json && i < p->count; i++)
		expand_print(c, p, &p->rules[i]);
	if (!c->opt.json && (!c->opt.expand || !valid))
		print_verdict(c, &t, valid);
	return valid ? EXIT_SUCCESS : err_exit_code(&(struct err){ .kind = ERR_POLICY });
}

static int check_file(struct cli *c)
{
	_free_ struct err_list *all = calloc(1, sizeof(*all));
	_free_ struct policy *p = NULL;
	struct err err = { 0 };

	if (!all)
		(void)err_no_memory(&err);
	else if (policy_open_all(c, &p, all, &err))
		return report_findings(c, p, &err);
	return all ? report_errors(c, all, &err) : report_failure(c, &err);
}

/* Exits with the worst code of the files: a missing one (66) is worse than an invalid one (65). */
int verb_check(struct cli *c, struct err *err)
{
	int worst = check_file(c);

	(void)err;
	for (size_t i = 0; policy_next(c, i); i++) {
		int code = check_file(c);

		worst = code > worst ? code : worst;
	}
	return worst;
}
