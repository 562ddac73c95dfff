#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/document/classes.h"
#include "../../policy/document/resolve.h"
#include "../../policy/document/settings_json.h"
#include "../../policy/model/dscp_map.h"
#include "../../policy/util/oom.h"
#include "../check/check_document.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "../sandbox/policy_file.h"
#include "verbs.h"

/* ---- --expand ---- */

/* Returns the settings whose desired values equal those derived from the rule's classes. */
static setting_set as_derived(const struct port_rule *r, const struct config *desired)
{
	struct config derived = rule_derived(r);

	return derived.has & desired->has & ~config_diff(&derived, desired);
}

/* ---- text ---- */

/* The width of the names that a rule prints. */
static int rule_width(const struct port_rule *r)
{
	setting_set names = rule_expanded(r, 0).has;

	for (size_t i = 0; i < r->profile->when_count; i++)
		names |= rule_expanded(r, 1u << i).has;
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
	struct config base = rule_expanded(r, 0), desired = rule_expanded(r, 1u << i);
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
	struct config desired = rule_expanded(r, 0);

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
		struct config desired = rule_expanded(r, 1u << i);
		json_t *entry = match_to_json(&r->profile->when[i].when);

		json_object_set_new(entry, "config", compact(&desired));
		json_array_append_new(list, entry);
	}
	return list;
}

static json_t *expand_to_json(const struct policy *p, const struct port_rule *r)
{
	struct config desired = rule_expanded(r, 0);

	return json_pack("{s:i, s:o, s:s, s:o, s:o*, s:o*}", "rule_number", RULE_NUMBER(p, r),
			 "match", match_to_json(&r->match), "profile", r->profile->name, "config",
			 compact(&desired), "derived", derived_to_json(r, &desired), "when",
			 when_to_json(r));
}

/* ---- check ---- */

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
	bool valid;

	if (!document_lints(c, p, findings, &t, err))
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
