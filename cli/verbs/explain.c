#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "../../policy/document/policy.h"
#include "../../policy/model/setting.h"
#include "../../policy/util/fix_text.h"
#include "../explain/topics.h"
#include "../help.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "verbs.h"

#define NAME_WIDTH 35

static void print_title(const struct cli *c, const struct topic *t, const struct entry *e)
{
	printf("%s%s%s%s", c->out.bold, t->prefix ? t->prefix : "", e->name, c->out.reset);
	if (e->kind)
		printf(" (%s%s%s)", e->kind, e->weight ? ": " : "", e->weight ? e->weight : "");
	fputs("\n  ", stdout);
	wrap_print(stdout, e->says, 2, 2);
}

static void print_entry(const struct cli *c, const struct topic *t, size_t i)
{
	struct explain_page p = { .is_text = true };
	struct entry e;

	if (t->entry(i, &e)) {
		print_title(c, t, &e);
		t->fields(&p, i);
	}
}

static void explain_entry(const struct cli *c, const struct topic *t, size_t i)
{
	if (c->opt.json)
		print_json(c, topic_document(t, i));
	else
		print_entry(c, t, i);
}

static bool explain_in(const struct cli *c, const struct topic *t, const char *name)
{
	struct entry e;

	for (size_t i = 0; t->entry(i, &e); i++)
		if (strcasecmp(e.name, name) == 0 || (t->is && t->is(i, name))) {
			explain_entry(c, t, i);
			return true;
		}
	return false;
}

static bool explain_one(const struct cli *c, const char *name)
{
	for (const struct topic *t = topics; t < topics + topics_count; t++)
		if (explain_in(c, t, name))
			return true;
	return false;
}

/* True if the name ends with a dot and `part`. */
static bool ends_with_part(const char *name, const char *part)
{
	const char *dot = strrchr(name, '.');

	return dot && strcasecmp(dot + 1, part) == 0;
}

/* "cable_m" explains pfc.cable_m, the first name with this last part. */
static bool explain_by_part(const struct cli *c, const char *part)
{
	struct entry e;

	for (const struct topic *t = topics; t < topics + topics_count; t++)
		for (size_t i = 0; t->entry(i, &e); i++)
			if (ends_with_part(e.name, part)) {
				explain_entry(c, t, i);
				return true;
			}
	return false;
}

/* The object may be named as in reports: "dcqcn.*" */
static bool is_of_group(const struct setting *k, const char *name)
{
	size_t n = strlen(name);

	if (n > 2 && strcmp(name + n - 2, ".*") == 0)
		n -= 2;
	return strncasecmp(k->path, name, n) == 0 && k->path[n] == '.';
}

/* "dcqcn" is a congestion control, and an object of settings. */
static void mention_group(const struct cli *c, const char *name)
{
	unsigned i = 0;

	while (i < SETTING_COUNT && !is_of_group(&settings[i], name))
		i++;
	if (i < SETTING_COUNT && !c->opt.json)
		printf("\n`losslessctl explain '%.*s.*'` explains the settings of this name\n",
		       (int)strcspn(settings[i].path, "."), settings[i].path);
}

/* "pfc" and "pfc.*" explain every pfc.*. */
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
			json_array_append_new(list, topic_document(topic_settings, i));
		else
			print_entry(c, topic_settings, i);
	}
	if (found && c->opt.json) {
		json_object_set(doc, topic_settings->key, list);
		print_json(c, json_incref(doc));
	}
	return found > 0;
}

static bool unknown_name(const char *name, struct err *err)
{
	struct suggestion near = suggest_for(name);
	struct entry e;

	for (size_t i = 0; i < verbs_count; i++)
		if (strcmp(verbs[i].name, name) == 0) {
			err_record(err, ERR_USAGE, 0, "\"%s\" is a verb, not a topic", name);
			return err_fix(err, "run `losslessctl help %s`", name);
		}
	err_record(err, ERR_USAGE, 0, "no such topic: \"%s\"", name);
	for (const struct topic *t = topics; t < topics + topics_count; t++)
		for (size_t i = 0; t->entry(i, &e); i++)
			suggest_offer(&near, e.name);
	for (size_t i = 0; i < terms_count; i++)
		suggest_offer(&near, terms[i].name);
	return near.best ? err_fix(err, "did you mean %s?", near.best)
			 : err_fix(err, "run `losslessctl explain` for the list");
}

static void list_all(struct cli *c)
{
	const size_t columns = wrap_columns();
	struct entry e;

	for (const struct topic *t = topics; t < topics + topics_count; t++) {
		printf("%s%s%s%s\n", t == topics ? "" : "\n", c->out.bold, t->heading,
		       c->out.reset);
		for (size_t i = 0; t->entry(i, &e); i++)
			wrap_row_in(columns, e.name, NAME_WIDTH, e.says);
	}
}

static void list_json(struct cli *c)
{
	json_t *doc = report_new("explain");
	struct entry e;

	for (const struct topic *t = topics; t < topics + topics_count; t++) {
		json_t *list = json_array();

		for (size_t i = 0; t->entry(i, &e); i++)
			json_array_append_new(list, topic_document(t, i));
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
	else if (explain_one(c, name))
		mention_group(c, name);
	else if (!explain_group(c, name) && !explain_in(c, &topic_terms, name) &&
		 !explain_by_part(c, name))
		return unknown_name(name, err) ? 0 : -1;
	return EXIT_SUCCESS;
}

/* ---- help ---- */

int verb_help(struct cli *c, struct err *err)
{
	const struct verb *verb = NULL;

	if (c->opt.words_count && !verb_find(&verb, verbs, verbs_count, c->opt.words[0], err))
		return -1;
	help_print(verb, verbs, verbs_count);
	return EXIT_SUCCESS;
}

/* ---- schema ---- */

int verb_schema(struct cli *c, struct err *err)
{
	(void)err;
	print_json(c, policy_schema());
	return EXIT_SUCCESS;
}
