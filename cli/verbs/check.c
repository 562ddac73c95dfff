#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/engine/target/target.h"
#include "../../agent/host/cleanup.h"
#include "../../policy/document/classes.h"
#include "../../policy/document/origin.h"
#include "../../policy/document/resolve.h"
#include "../../policy/document/settings_json.h"
#include "../../policy/model/dscp_map.h"
#include "../../policy/util/oom.h"
#include "../output/lint_text.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "../sandbox/policy_file.h"
#include "verbs.h"
#include "../../policy/document/unreachable_rule.h"

/* ---- --expand ---- */

/*
 * Returns the desired settings, as rule_desired_of() does. Cannot fail for a rule that was loaded,
 * because loading validates each entry.
 */
static struct config expand_desired(const struct port_rule *r, uint32_t entries)
{
	struct config desired = { 0 };
	struct err never = { 0 };

	if (!rule_desired_of(r, entries, &desired, NULL, &never))
		desired.has = 0;
	return desired;
}

/* Returns the settings derived from the rule's classes; empty without classes. */
static struct config expand_derived(const struct port_rule *r)
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

/* The width of the names that a rule prints. */
static int rule_width(const struct port_rule *r)
{
	setting_set names = expand_desired(r, 0).has;

	for (size_t i = 0; i < r->profile->when_count; i++)
		names |= expand_desired(r, 1u << i).has;
	return names_width(names);
}

static void print_setting(const struct cli *c, const struct port_rule *r, unsigned setting,
			  const struct config *desired)
{
	char text[SETTING_TEXT_MAX], source[SOURCE_TEXT_MAX];

	print_name(stdout, settings[setting].path, rule_width(r));
	printf("%s", desired->has & SETTING(setting)
			     ? setting_text(&settings[setting], desired, text)
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

/* Prints the rule's settings without a port, then the changes by each entry of its "when". */
static void expand_print(const struct cli *c, const struct policy *p, const struct port_rule *r)
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
	if (!r->profile->classes.count)
		return NULL;
	return setting_paths_to_json(as_derived(r, desired));
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

static json_t *expand_to_json(const struct policy *p, const struct port_rule *r)
{
	struct config desired = expand_desired(r, 0);

	return json_pack("{s:i, s:o, s:s, s:o, s:o*, s:o*}", "rule_number", RULE_NUMBER(p, r),
			 "match", match_to_json(&r->match), "profile", r->profile->name, "config",
			 compact(&desired), "derived", derived_to_json(r, &desired), "when",
			 when_to_json(r));
}

/* ---- check ---- */

/* The number of errors and findings in one file. */
struct tally {
	size_t errors;		   /* those of the document */
	size_t critical, warnings; /* findings */
};

/* ---- the findings: lints of a policy without a port ---- */

/* The part of the policy to check: a port rule, with or without one entry of its "when". */
struct lint_scope {
	struct cli *c;
	const struct policy *policy;
	json_t *findings;
	struct tally *tally;
	const struct port_rule *rule;
	size_t when; /* counted from 1; 0: none */
};

#define SUBJECT_MAX (ID_MAX + 32)
#define WHERE_MAX   (sizeof(((struct policy *)0)->source) + SUBJECT_MAX + 16)

/* The part of the policy that a finding is about. */
struct place {
	unsigned line;
	const char *subject;
	json_t *finding; /* with the keys that name the part; report_at() takes it */
};

static void report_at(const struct lint_scope *j, struct place at, const struct lint *r,
		      const char *text)
{
	enum severity severity = severity_of_lint(&j->policy->severities, lint_index(r));
	char where[WHERE_MAX];

	if (severity == SEVERITY_IGNORE) {
		json_decref(at.finding);
		return;
	}
	/* Documents from `show` describe a port, so an unwise setting in them is only a warning. */
	if (j->policy->is_show_document && severity == SEVERITY_CRITICAL)
		severity = SEVERITY_WARNING;
	json_object_set_new(at.finding, "line", json_integer(at.line));
	json_object_update_new(at.finding, finding_to_json(r, severity, text));
	json_array_append_new(j->findings, at.finding);
	snprintf(where, sizeof(where), "%s:%u: %s", j->policy->source, at.line, at.subject);
	print_finding(j->c, where, r, severity, text);
	j->tally->critical += severity == SEVERITY_CRITICAL;
	j->tally->warnings += severity == SEVERITY_WARNING;
}

/* Reports a finding about a rule, at the first of these settings that the policy gives it. */
static void report(const struct lint_scope *j, setting_set about, const struct lint *r,
		   const char *text)
{
	int number = RULE_NUMBER(j->policy, j->rule);
	json_t *finding = json_pack("{s:i}", "rule_number", number);
	char subject[SUBJECT_MAX];

	if (j->when)
		json_object_set_new(finding, "when_number", json_integer((json_int_t)j->when));
	snprintf(subject, sizeof(subject), j->when ? "rule %d, when %zu" : "rule %d", number,
		 j->when);
	report_at(j,
		  (struct place){ origin_line(j->policy, j->rule, j->when, about), subject,
				  finding },
		  r, text);
}

static unsigned line_of_key(const struct policy *p, const char *object, const char *key)
{
	struct json_location place = { .of_key = true };

	snprintf(place.pointer, sizeof(place.pointer), "%s/%s", object, key);
	json_locate(&p->index, &place);
	return place.line;
}

/* Reports lints that the policy itself lowers below error, because they no longer stop apply. */
static void lint_lowered(const struct lint_scope *j)
{
	const struct severities *s = &j->policy->severities;
	char text[LINT_TEXT_MAX];
	const struct lint *r;

	for (size_t i = 0; (r = lint_at(i)); i++) {
		if (r->severity != SEVERITY_CRITICAL || severity_of_lint(s, i) == SEVERITY_CRITICAL)
			continue;
		snprintf(text, sizeof(text),
			 "\"%s\" is lowered from critical to %s: it no longer stops apply", r->name,
			 severity_name(severity_of_lint(s, i)));
		report_at(j,
			  (struct place){ line_of_key(j->policy, "/severity", r->name), "severity",
					  json_object() },
			  lint_of_document(LINT_LOWERED), text);
	}
}

static void lint_rules_empty(const struct lint_scope *j)
{
	const struct lint *r = lint_of_document(LINT_RULES_EMPTY);

	if (!j->policy->count && !j->policy->is_show_document)
		report_at(j,
			  (struct place){ line_of_key(j->policy, "", "rules"), "rules",
					  json_object() },
			  r, r->message);
}

/* A policy without rules uses no profile: lint_rules_empty() reports that once. */
static bool lint_profiles_unused(const struct lint_scope *j, struct err *err)
{
	const struct policy *p = j->policy;
	_free_ bool *is_used = calloc(p->profiles_count + 1, sizeof(*is_used));
	const struct lint *r = lint_of_document(LINT_PROFILE_UNUSED);

	if (!is_used)
		return err_no_memory(err);
	for (size_t i = 0; i < p->count; i++)
		is_used[p->rules[i].profile - p->profiles] = true;
	for (size_t i = 0; p->count && i < p->profiles_count; i++) {
		char subject[SUBJECT_MAX];

		if (is_used[i])
			continue;
		snprintf(subject, sizeof(subject), "profile \"%s\"", p->profiles[i].name);
		report_at(j, (struct place){ p->profiles[i].place->line, subject, json_object() },
			  r, r->message);
	}
	return true;
}

/* Reports a violation of the rule without "when" only there, not for each entry. */
static void lint_settings(struct lint_scope *j, const struct config *base,
			  const struct config *desired)
{
	const struct capabilities capabilities = {
		.switch_map = j->policy->switch_map,
		.congestion_control = j->policy->congestion_control,
	};
	char text[LINT_TEXT_MAX];
	const struct lint *r;

	for (size_t i = 0; (r = lint_at(i)); i++) {
		if (!lint_fails(r, desired, &capabilities) ||
		    (j->when && lint_fails(r, base, &capabilities)))
			continue;
		lint_message(r, desired, &capabilities, text);
		report(j, lint_reads(r), r, text);
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
		report(j, SETTING(i), lint_of_document(LINT_CLASS_OVERRIDDEN), text);
	}
}

static void report_unreachable(const struct lint_scope *j, const struct port_rule *by)
{
	char text[LINT_TEXT_MAX];

	snprintf(text, sizeof(text), "can never win: rule %d comes later and matches all its ports",
		 RULE_NUMBER(j->policy, by));
	report(j, 0, lint_of_document(LINT_RULE_UNREACHABLE), text);
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

/* Prints the findings of a policy, with the line of each, lists and counts them. */
static bool lint_all(struct lint_scope *j, struct err *err)
{
	_free_ const struct port_rule **by = NULL;

	if (!unreachable_rules_find(j->policy->rules, j->policy->count, &by, err))
		return false;
	lint_lowered(j);
	lint_rules_empty(j);
	for (size_t i = 0; i < j->policy->count; i++) {
		j->rule = &j->policy->rules[i];
		if (by[i])
			report_unreachable(j, by[i]);
		if (rule_requires_nothing(j->rule))
			report(j, 0, lint_of_document(LINT_PROFILE_EMPTY),
			       lint_of_document(LINT_PROFILE_EMPTY)->message);
		lint(*j);
	}
	return lint_profiles_unused(j, err);
}

/* ---- the report ---- */

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

static void print_file_name(const struct cli *c)
{
	print_clean(stdout, strcmp(c->opt.policy, "-") == 0 ? "standard input" : c->opt.policy);
}

static void print_verdict(const struct cli *c, const struct tally *t, bool valid)
{
	bool by_strict = !valid && !t->errors && !t->critical;

	/* With --quiet errors are printed; a policy that only --strict refuses has none. */
	if (c->opt.quiet && !by_strict)
		return;
	print_file_name(c);
	fputs(valid ? ": valid" : ": invalid", stdout);
	print_count(t->errors, "error");
	print_count(t->critical, "critical finding");
	print_count(t->warnings, "warning");
	puts(by_strict ? " (--strict)" : "");
}

/* Reports a document with errors; any other error is of the file or the system. */
static int report_errors(struct cli *c, const struct err_list *all, const struct err *err)
{
	const struct tally t = { .errors = all->count + all->omitted };
	json_auto_t *none = json_array();

	if (!all->count) {
		if (!c->opt.json && !c->opt.quiet) {
			print_file_name(c);
			puts(": not checked");
		}
		return report_failure(c, err);
	}
	if (c->opt.json)
		print_json(c, document(c, NULL, false, errors_to_json(all), none));
	else
		print_verdict(c, &t, false);
	return exit_code_of_err(err);
}

static int report_findings(struct cli *c, const struct policy *p, struct err *err)
{
	json_auto_t *findings = json_array();
	struct tally t = { .errors = 0 };
	struct lint_scope scope = { c, p, findings, &t, NULL, 0 };
	bool valid;

	if (!lint_all(&scope, err))
		return report_failure(c, err);
	valid = !t.critical && !(c->opt.strict && t.warnings);
	if (c->opt.json)
		print_json(c, document(c, p, valid, json_array(), findings));
	if (!c->opt.json)
		print_verdict(c, &t, valid);
	for (size_t i = 0; c->opt.expand && !c->opt.json && i < p->count; i++)
		expand_print(c, p, &p->rules[i]);
	return valid ? EXIT_SUCCESS : exit_code_of_err(&(struct err){ .kind = ERR_POLICY });
}

static int check_file(struct cli *c)
{
	_free_ struct err_list *all = calloc(1, sizeof(*all));
	_free_ struct policy *p = NULL;
	struct err err = { 0 };

	if (!all)
		err_record_no_memory(&err);
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
