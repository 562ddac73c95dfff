#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../policy/rules.h"
#include "../policy/schema.h"
#include "../policy/suggest.h"
#include "print.h"
#include "report.h"

struct exit_code {
	const char *code, *doc;
};

static const struct exit_code exit_codes[] = {
	{ "0", "as wished: compliant, applied, nothing to do" },
	{ "1", "failed; the port that failed is as before, and that was verified" },
	{ "2", "differs: plan has steps, or verify found drift" },
	{ "3", "cannot tell: something wanted cannot be read, or is not supported, here" },
	{ "4", "stranded: a change failed, and putting it back failed too" },
	{ "64", "usage: the command line is wrong" },
	{ "65", "bad policy: wrong, or it breaks a rule" },
	{ "75", "another run holds the lock" },
	{ "77", "not permitted" },
	{ "130", "interrupted (Ctrl-C), and the port was put back" },
	{ "143", "terminated, and the port was put back" },
};

#define EXIT_CODES_COUNT (sizeof(exit_codes) / sizeof(exit_codes[0]))

static void line(const char *head, const char *text)
{
	if (text)
		printf("  %-9s %s\n", head, text);
}

/* "a list of 8 of: strict, cbs, …": from the row, not by hand. */
static const char *range_of(const struct knob *k, char *buf, size_t size)
{
	const char *each = k->count > 1 && k->type != T_DSCPMAP ? "8 values, each " : "";

	buf[0] = '\0';
	if (k->type == T_BOOL)
		snprintf(buf, size, "true or false");
	else if (k->type == T_PRIOSET)
		snprintf(buf, size, "a list of priorities %u to %u", k->min, k->max);
	else if (k->type == T_DSCPMAP)
		snprintf(buf, size, "an object; keys are DSCPs 0 to 63, values priorities %u to %u",
			 k->min, k->max);
	else if (k->type != T_ENUM)
		snprintf(buf, size, "%s%u to %u%s%s", each, k->min, k->max, k->unit ? " " : "",
			 k->unit ? k->unit : "");
	for (size_t i = 0; k->names && k->names[i]; i++)
		snprintf(buf + strlen(buf), size - strlen(buf), "%s\"%s\"",
			 i || k->type == T_REST ? ", " : each, k->names[i]);
	return buf;
}

static void explain_knob(struct cli *c, const struct knob *k)
{
	char range[256];

	printf("%s%s%s\n  %s\n\n", c->out.bold, k->path, c->out.reset, k->doc);
	line("value", range_of(k, range, sizeof(range)));
	line("comes as", k->preset);
	line("kernel", k->surface);
	line("why", k->why);
}

static void explain_rule(struct cli *c, const struct rule *r)
{
	printf("%s%s%s (%s)\n  %s\n\n", c->out.bold, r->name, c->out.reset,
	       r->severity == SEVERITY_ERROR ? "error" : "warning", r->says);
	line("mend", r->mend);
	line("why", r->why);
}

static json_t *knob_document(const struct knob *k)
{
	char range[256];
	json_t *doc = report_new("explain");

	json_object_set_new(doc, "knob", json_string(k->path));
	json_object_set_new(doc, "what", json_string(k->doc));
	json_object_set_new(doc, "unit", k->unit ? json_string(k->unit) : json_null());
	json_object_set_new(doc, "range", json_string(range_of(k, range, sizeof(range))));
	json_object_set_new(doc, "default", json_string(k->preset));
	json_object_set_new(doc, "surface", json_string(k->surface));
	json_object_set_new(doc, "why", json_string(k->why));
	json_object_set_new(doc, "value_schema", knob_to_schema(k));
	return doc;
}

static json_t *rule_document(const struct rule *r)
{
	json_t *doc = report_new("explain");

	json_object_set_new(doc, "rule", json_string(r->name));
	json_object_set_new(doc, "severity",
			    json_string(r->severity == SEVERITY_ERROR ? "error" : "warning"));
	json_object_set_new(doc, "what", json_string(r->says));
	json_object_set_new(doc, "fix", json_string(r->mend));
	json_object_set_new(doc, "why", json_string(r->why));
	return doc;
}

static json_t *code_document(const struct exit_code *e)
{
	json_t *doc = report_new("explain");

	json_object_set_new(doc, "exit_code", json_integer(atoi(e->code)));
	json_object_set_new(doc, "what", json_string(e->doc));
	return doc;
}

static bool explain_one(struct cli *c, const char *name)
{
	for (size_t i = 0; i < KNOB_COUNT; i++)
		if (strcmp(knobs[i].path, name) == 0) {
			if (c->opt.json)
				print_json(c, knob_document(&knobs[i]));
			else
				explain_knob(c, &knobs[i]);
			return true;
		}
	for (size_t i = 0; i < rules_count; i++)
		if (strcmp(rules[i].name, name) == 0) {
			if (c->opt.json)
				print_json(c, rule_document(&rules[i]));
			else
				explain_rule(c, &rules[i]);
			return true;
		}
	for (size_t i = 0; i < EXIT_CODES_COUNT; i++)
		if (strcmp(exit_codes[i].code, name) == 0) {
			if (c->opt.json)
				print_json(c, code_document(&exit_codes[i]));
			else
				printf("%sexit code %s%s\n  %s\n", c->out.bold, name, c->out.reset,
				       exit_codes[i].doc);
			return true;
		}
	return false;
}

/* "pfc" explains every pfc.*. */
static bool explain_group(struct cli *c, const char *name)
{
	size_t n = strlen(name), found = 0;

	for (size_t i = 0; i < KNOB_COUNT && !c->opt.json; i++)
		if (strncmp(knobs[i].path, name, n) == 0 && knobs[i].path[n] == '.') {
			if (found++)
				putchar('\n');
			explain_knob(c, &knobs[i]);
		}
	return found > 0;
}

static bool unknown_name(const char *name, struct err *err)
{
	struct suggestion near = suggest_for(name);

	for (size_t i = 0; i < KNOB_COUNT; i++)
		suggest_offer(&near, knobs[i].path);
	for (size_t i = 0; i < rules_count; i++)
		suggest_offer(&near, rules[i].name);
	err_record(err, ERR_USAGE, 0, "nothing here is called \"%s\"", name);
	return near.best ? err_hint(err, "did you mean %s?", near.best)
			 : err_hint(err, "`losslessctl explain` lists what there is");
}

static void list_all(struct cli *c)
{
	printf("%ssettings%s\n", c->out.bold, c->out.reset);
	for (size_t i = 0; i < KNOB_COUNT; i++)
		printf("  %-27s %s\n", knobs[i].path, knobs[i].doc);
	printf("\n%srules%s\n", c->out.bold, c->out.reset);
	for (size_t i = 0; i < rules_count; i++)
		printf("  %-27s %s\n", rules[i].name, rules[i].says);
	printf("\n%sexit codes%s\n", c->out.bold, c->out.reset);
	for (size_t i = 0; i < EXIT_CODES_COUNT; i++)
		printf("  %-27s %s\n", exit_codes[i].code, exit_codes[i].doc);
}

static void list_json(struct cli *c)
{
	json_t *doc = report_new("explain"), *list = json_array(), *codes = json_array();

	for (size_t i = 0; i < KNOB_COUNT; i++)
		json_array_append_new(list, knob_document(&knobs[i]));
	json_object_set_new(doc, "knobs", list);
	list = json_array();
	for (size_t i = 0; i < rules_count; i++)
		json_array_append_new(list, rule_document(&rules[i]));
	json_object_set_new(doc, "rules", list);
	for (size_t i = 0; i < EXIT_CODES_COUNT; i++)
		json_array_append_new(codes, code_document(&exit_codes[i]));
	json_object_set_new(doc, "exit_codes", codes);
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
