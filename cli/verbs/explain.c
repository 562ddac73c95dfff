#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../dcb/lldp/peer_reasons.h"
#include "../../policy/document/schema.h"
#include "../../policy/lint/lint.h"
#include "../../policy/util/suggest.h"
#include "../exit_codes.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "../output/topics.h"
#include "verbs.h"

void topic_title(const struct cli *c, const char *name, const char *kind, const char *says)
{
	printf("%s%s%s (%s)\n  %s\n\n", c->out.bold, name, c->out.reset, kind, says);
}

void topic_line(const char *head, const char *text)
{
	if (text)
		printf("  %-9s %s\n", head, text);
}

static const char *setting_name(size_t i)
{
	return i < SETTING_COUNT ? settings[i].path : NULL;
}

static const char *setting_says(size_t i)
{
	return settings[i].doc;
}

static void explain_setting(struct cli *c, size_t i)
{
	const struct setting *k = &settings[i];
	char range[SETTING_TEXT_MAX];

	printf("%s%s%s\n  %s\n\n", c->out.bold, k->path, c->out.reset, k->doc);
	topic_line("value", setting_range(k, range));
	topic_line("comes as", k->default_value);
	topic_line("kernel", k->kernel_interface);
	topic_line("why", k->why);
}

static json_t *setting_document(size_t i)
{
	const struct setting *k = &settings[i];
	char range[SETTING_TEXT_MAX];
	json_t *doc = report_new("explain");

	json_object_set_new(doc, "knob", json_string(k->path));
	json_object_set_new(doc, "what", json_string(k->doc));
	json_object_set_new(doc, "unit", k->unit ? json_string(k->unit) : json_null());
	json_object_set_new(doc, "range", json_string(setting_range(k, range)));
	json_object_set_new(doc, "default", json_string(k->default_value));
	json_object_set_new(doc, "surface", json_string(k->kernel_interface));
	json_object_set_new(doc, "why", json_string(k->why));
	json_object_set_new(doc, "value_schema", setting_to_schema(k));
	return doc;
}

static const char *rule_name(size_t i)
{
	const struct lint *r = lint_at(i);

	return r ? r->name : NULL;
}

static const char *rule_says(size_t i)
{
	return lint_at(i)->message;
}

/* What can be wrong, be it of a rule or between two ends of a cable. */
struct finding {
	const char *kind, *name;	 /* "rule" */
	const char *weight_key, *weight; /* "severity", "warning" */
	const char *says, *fix, *why;
};

static void explain_finding(const struct cli *c, const struct finding *f)
{
	printf("%s%s%s (%s: %s)\n  %s\n\n", c->out.bold, f->name, c->out.reset, f->kind, f->weight,
	       f->says);
	topic_line("mend", f->fix);
	topic_line("why", f->why);
}

static json_t *finding_document(const struct finding *f)
{
	json_t *doc = report_new("explain");

	json_object_set_new(doc, f->kind, json_string(f->name));
	json_object_set_new(doc, f->weight_key, json_string(f->weight));
	json_object_set_new(doc, "what", json_string(f->says));
	json_object_set_new(doc, "fix", json_string(f->fix));
	json_object_set_new(doc, "why", json_string(f->why));
	return doc;
}

static struct finding rule_finding(size_t i)
{
	const struct lint *r = lint_at(i);

	return (struct finding){ "rule",     r->name, "severity", severity_name(r->severity),
				 r->message, r->fix,  r->why };
}

static void explain_rule(struct cli *c, size_t i)
{
	struct finding f = rule_finding(i);

	explain_finding(c, &f);
}

static json_t *rule_document(size_t i)
{
	struct finding f = rule_finding(i);

	return finding_document(&f);
}

static const char *code_name(size_t i)
{
	return i < exit_codes_count ? exit_codes[i].code : NULL;
}

static const char *code_says(size_t i)
{
	return exit_codes[i].doc;
}

static void explain_code(struct cli *c, size_t i)
{
	printf("%sexit code %s%s\n  %s\n", c->out.bold, exit_codes[i].code, c->out.reset,
	       exit_codes[i].doc);
}

static json_t *code_document(size_t i)
{
	json_t *doc = report_new("explain");

	json_object_set_new(doc, "exit_code", json_integer(atoi(exit_codes[i].code)));
	json_object_set_new(doc, "what", json_string(exit_codes[i].doc));
	return doc;
}

static const char *peer_reason_name(size_t i)
{
	return peer_reason_at(i) ? peer_reason_at(i)->name : NULL;
}

static const char *peer_reason_says(size_t i)
{
	return peer_reason_at(i)->message;
}

static struct finding peer_reason_finding(size_t i)
{
	const struct peer_reason *d = peer_reason_at(i);

	return (struct finding){ "reason",   d->name, "status", peer_status_name(d->peer_status),
				 d->message, d->fix,  d->why };
}

static void explain_peer_reason(struct cli *c, size_t i)
{
	struct finding f = peer_reason_finding(i);

	explain_finding(c, &f);
}

static json_t *peer_reason_document(size_t i)
{
	struct finding f = peer_reason_finding(i);

	return finding_document(&f);
}

static const struct topic topic_settings = { "settings",   "knobs",	    setting_name,
					     setting_says, explain_setting, setting_document,
					     NULL };

static const struct topic topic_rules = { "rules",	"rules",       rule_name, rule_says,
					  explain_rule, rule_document, NULL };

static const struct topic topic_peer_reasons = {
	"reasons of peer",    "reasons", peer_reason_name, peer_reason_says, explain_peer_reason,
	peer_reason_document, NULL
};

static const struct topic topic_codes = { "exit codes", "exit_codes",  code_name, code_says,
					  explain_code, code_document, NULL };

/* In the order of the list. */
const struct topic *const topics[] = {
	&topic_keys,	     &topic_limits,   &topic_settings, &topic_rules, &topic_fabrics,
	&topic_peer_reasons, &topic_symptoms, &topic_counters, &topic_codes,
};

const size_t topics_count = sizeof(topics) / sizeof(topics[0]);

static bool is_called(const struct topic *t, size_t i, const char *name)
{
	return t->is ? t->is(i, name) : strcmp(t->name(i), name) == 0;
}

static void explain_row(struct cli *c, const struct topic *t, size_t i)
{
	if (c->opt.json)
		print_json(c, t->document(i));
	else
		t->explain(c, i);
}

static bool explain_one(struct cli *c, const char *name)
{
	for (size_t k = 0; k < topics_count; k++)
		for (size_t i = 0; topics[k]->name(i); i++)
			if (is_called(topics[k], i, name)) {
				explain_row(c, topics[k], i);
				return true;
			}
	return false;
}

static bool is_of_group(const struct setting *k, const char *name)
{
	size_t n = strlen(name);

	return strncmp(k->path, name, n) == 0 && k->path[n] == '.';
}

/* "pfc" explains every pfc.*. */
static bool explain_group(struct cli *c, const char *name)
{
	json_auto_t *list = json_array(), *doc = report_new("explain");
	size_t found = 0;

	for (size_t i = 0; i < SETTING_COUNT; i++) {
		if (!is_of_group(&settings[i], name))
			continue;
		if (found++ && !c->opt.json)
			putchar('\n');
		if (c->opt.json)
			json_array_append_new(list, setting_document(i));
		else
			explain_setting(c, i);
	}
	if (found && c->opt.json) {
		json_object_set(doc, "knobs", list);
		print_json(c, json_incref(doc));
	}
	return found > 0;
}

static bool unknown_name(const char *name, struct err *err)
{
	struct suggestion near = suggest_for(name);

	for (size_t k = 0; k < topics_count; k++)
		for (size_t i = 0; topics[k]->name(i); i++)
			suggest_offer(&near, topics[k]->name(i));
	err_record(err, ERR_USAGE, 0, "nothing here is called \"%s\"", name);
	return near.best ? err_fix(err, "did you mean %s?", near.best)
			 : err_fix(err, "`losslessctl explain` lists what there is");
}

static void list_all(struct cli *c)
{
	for (size_t k = 0; k < topics_count; k++) {
		const struct topic *t = topics[k];

		printf("%s%s%s%s\n", k ? "\n" : "", c->out.bold, t->heading, c->out.reset);
		for (size_t i = 0; t->name(i); i++)
			printf("  %-35s %s\n", t->name(i), t->says(i));
	}
}

static void list_json(struct cli *c)
{
	json_t *doc = report_new("explain");

	for (size_t k = 0; k < topics_count; k++) {
		const struct topic *t = topics[k];
		json_t *list = json_array();

		for (size_t i = 0; t->name(i); i++)
			json_array_append_new(list, t->document(i));
		json_object_set_new(doc, t->key, list);
	}
	print_json(c, doc);
}

int verb_explain(struct cli *c, struct err *err)
{
	const char *name = c->opt.words_count ? c->opt.words[0] : NULL;

	if (!name && c->opt.json)
		list_json(c);
	else if (!name)
		list_all(c);
	else if (!explain_one(c, name) && !explain_group(c, name))
		return unknown_name(name, err) ? 0 : -1;
	return EXIT_AS_WISHED;
}
