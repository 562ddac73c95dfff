#include "check_document.h"

#include <stdio.h>
#include <stdlib.h>

#include "../../agent/engine/target/target.h"
#include "../../agent/host/cleanup.h"
#include "../../policy/document/classes.h"
#include "../../policy/document/origin.h"
#include "../../policy/document/resolve.h"
#include "../../policy/document/unreachable_rule.h"
#include "../../policy/model/dscp_map.h"
#include "../../policy/util/oom.h"
#include "../output/lint_text.h"
#include "../output/print.h"
#include "../output/report_json.h"

struct config rule_expanded(const struct port_rule *r, uint32_t entries)
{
	struct config desired = { 0 };
	struct err never = { 0 };

	if (!rule_desired_of(r, entries, &desired, NULL, &never))
		desired.has = 0;
	return desired;
}

struct config rule_derived(const struct port_rule *r)
{
	struct config derived = classes_derive(&r->profile->classes);
	struct err never = { 0 };

	if (!dscp_complete(&derived, &never))
		derived.has = 0;
	return derived;
}

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
	struct config derived = rule_derived(j->rule);
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
	struct config base = rule_expanded(j.rule, 0);

	for (; j.when <= j.rule->profile->when_count; j.when++) {
		struct config desired = j.when ? rule_expanded(j.rule, 1u << (j.when - 1)) : base;

		lint_overridden(&j, &base, &desired);
		lint_settings(&j, &base, &desired);
	}
}

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

bool document_lints(struct cli *c, const struct policy *p, json_t *findings, struct tally *tally,
		    struct err *err)
{
	struct lint_scope scope = { c, p, findings, tally, NULL, 0 };

	return lint_all(&scope, err);
}
