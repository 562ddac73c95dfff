#include "fleet_options.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/fix_text.h"
#include "../../policy/util/json_dump.h"
#include "../../policy/util/json_util.h"
#include "../../policy/util/sanitize.h"
#include "../output/print.h"

/* ---- messages ---- */

void print_text(FILE *to, const char *text)
{
	char next[SANITIZED_CHAR_MAX];

	while (*sanitize_next(&text, next))
		fputs(next, to);
}

void print_document(json_t *document)
{
	_free_ char *text = json_dump_sanitized(document, isatty(STDOUT_FILENO) ? JSON_INDENT(2)
										: JSON_COMPACT);

	json_decref(document);
	if (text)
		puts(text);
}

void error_print(const struct err *err)
{
	struct report_row row = { .indent = 2 };
	char where[sizeof(err->where) + 2];

	error_row_add(&row, 0, "", "losslessctl-fleet:", "");
	snprintf(where, sizeof(where), "%s:", err->where);
	if (err->where[0])
		error_row_add(&row, 1, "", where, "");
	snprintf(where, sizeof(where), "%.*s:", (int)sizeof(err->where) - 1, err->at.pointer);
	if (err->at.pointer[0])
		error_row_add(&row, 1, "", where, "");
	error_row_add(&row, 1, "", err->text, "");
	fputc('\n', stderr);
	if (!err->fix[0])
		return;
	row = (struct report_row){ .indent = 2 };
	error_row_add(&row, 2, "", err->fix, "");
	fputc('\n', stderr);
}

json_t *error_to_json(const struct err *err)
{
	json_t *out = json_pack("{s:s, s:s, s:o, s:o}", "schema", "losslessctl/error/1", "kind",
				err_kind_name(err->kind), "where", json_from_text(err->where),
				"message", json_from_text(err->text));

	if (out && err->fix[0])
		json_object_set_new(out, "fix", json_from_text(err->fix));
	return out;
}

/* ---- fleet options ---- */

#define FIELD(member) offsetof(struct fleet_options, member)

#define usage(err, ...) err_set(err, ERR_USAGE, EINVAL, __VA_ARGS__)

/* clang-format off: one row per option */
const struct fleet_option fleet_options[] = {
	{ .name = "--db",
	  .argument = "FILE",
	  .offset = FIELD(db),
	  .doc = "the database (default: ./fleet.db)" },
	{ .name = "--json", .offset = FIELD(json), .doc = "print JSON" },
	{ .name = "--quiet", .letter = "-q", .offset = FIELD(quiet), .doc = "print errors only" },
	{ .name = "--help", .letter = "-h", .offset = FIELD(help), .doc = "print help" },
	{ .name = "--version", .offset = FIELD(version), .doc = "print the version" },
	{ .name = "--html",
	  .argument = "FILE",
	  .offset = FIELD(html),
	  .verbs = " report ",
	  .doc = "write a page for a browser to FILE; - is standard output" },
	{ .name = "--csv",
	  .argument = "VIEW",
	  .offset = FIELD(view),
	  .verbs = " report ",
	  .doc = "print a view as CSV" },
	{ .name = "--since",
	  .argument = "TIME",
	  .offset = FIELD(since),
	  .verbs = " report ",
	  .doc = "a time such as 2026-11-24T09:30:00Z, or an age such as 36h or 7d: timelines "
		 "begin there, and hosts without a report since then are silent (default: all, "
		 "and 1d)" },
	{ .name = "--expect",
	  .argument = "FILE",
	  .offset = FIELD(expect),
	  .verbs = " report ",
	  .doc = "the hosts that should report, by name, one a line; kept in the database" },
	{ .name = "--csv", .offset = FIELD(csv), .verbs = " sql ", .doc = "print CSV" },
	{ .name = NULL },
};
/* clang-format on */

bool fleet_option_applies(const struct fleet_option *o, const struct fleet_verb *v)
{
	const char *at = v && o->verbs ? strstr(o->verbs, v->name) : NULL;

	return !o->verbs || (at && at[-1] == ' ' && at[strlen(v->name)] == ' ');
}

static bool is_option(const struct fleet_option *o, const char *word, size_t size)
{
	return (strncmp(o->name, word, size) == 0 && !o->name[size]) ||
	       (o->letter && strcmp(o->letter, word) == 0);
}

/* An option may mean another thing in another verb. */
static bool comes_later(const struct fleet_option *o, struct err *err)
{
	err_record(err, ERR_USAGE, EINVAL, "%s comes after its verb", o->name);
	return err_fix(err, "write it after the verb, as in %.*s %s%s%s",
		       (int)strcspn(o->verbs + 1, " "), o->verbs + 1, o->name,
		       o->argument ? " " : "", o->argument ? o->argument : "");
}

static bool unknown_option(const struct fleet_verb *v, const char *word, struct err *err)
{
	struct suggestion near = suggest_for(word);

	for (const struct fleet_option *o = fleet_options; o->name; o++)
		if (fleet_option_applies(o, v))
			suggest_offer(&near, o->name);
	for (const struct fleet_option *o = fleet_options; !v && o->name; o++)
		if (is_option(o, word, strcspn(word, "=")))
			return comes_later(o, err);
	err_record(err, ERR_USAGE, EINVAL, "unknown option %s", word);
	if (near.best)
		return err_fix(err, "did you mean %s?", near.best);
	return err_fix(err, "run `losslessctl-fleet %s%s--help` for the list", v ? v->name : "",
		       v ? " " : "");
}

static bool find_verb(const struct fleet_verb *verbs, const char *name,
		      const struct fleet_verb **ret, struct err *err)
{
	struct suggestion near = suggest_for(name);

	for (*ret = verbs; (*ret)->name; ++*ret) {
		if (strcmp((*ret)->name, name) == 0)
			return true;
		suggest_offer(&near, (*ret)->name);
	}
	err_record(err, ERR_USAGE, EINVAL, "unknown verb \"%s\"", name);
	if (near.best)
		return err_fix(err, "did you mean %s?", near.best);
	return err_fix(err, "run `losslessctl-fleet --help` for the list");
}

/* Stores the option at *argv, and moves it to the option's last word. */
static bool parse_option(struct fleet_options *o, char ***argv, struct err *err)
{
	const char *word = **argv, *equals = strchr(word, '='), *value = equals ? equals + 1 : NULL;
	size_t size = equals ? (size_t)(equals - word) : strlen(word);
	const struct fleet_option *row = fleet_options;

	while (row->name && !(is_option(row, word, size) && fleet_option_applies(row, o->verb)))
		row++;
	if (!row->name)
		return unknown_option(o->verb, word, err);
	if (!row->argument) {
		*(bool *)((char *)o + row->offset) = true;
		return !value || usage(err, "%s takes no value", row->name);
	}
	if (!value)
		value = (*argv)[1] ? *++*argv : NULL;
	if (!value || !value[0])
		return usage(err, "%s needs a value: %s %s", row->name, row->name, row->argument);
	*(const char **)((char *)o + row->offset) = value;
	return true;
}

static bool check(const struct fleet_options *o, struct err *err)
{
	if (o->help || o->version)
		return true;
	if (!o->verb) {
		err_record(err, ERR_USAGE, EINVAL, "no verb");
		return err_fix(err, "run `losslessctl-fleet --help` for the list of verbs");
	}
	if ((o->view || o->csv) && (o->json || o->html))
		return usage(err, "--csv excludes --json and --html");
	if (o->json && o->html && strcmp(o->html, "-") == 0)
		return usage(err, "--json excludes --html -: both would be the standard output");
	if (o->db[0] == ':')
		return usage(err, "--db %s: SQLite would keep it in memory only; write ./%s", o->db,
			     o->db);
	if (o->words_count < o->verb->least_words)
		return usage(err, "`%s` needs an operand: %s", o->verb->name, o->verb->words_help);
	if (o->words_count > o->verb->most_words)
		return usage(err, "`%s` takes no such operand: \"%s\"", o->verb->name,
			     o->words[o->verb->most_words]);
	return true;
}

bool fleet_options_parse(struct fleet_options *o, const struct fleet_verb *verbs, char **argv,
			 struct err *err)
{
	bool words_only = false;

	*o = (struct fleet_options){ .db = "fleet.db", .words = ++argv };
	for (; *argv; argv++) {
		bool is_word = words_only || (*argv)[0] != '-' || !(*argv)[1];

		if (!words_only && strcmp(*argv, "--") == 0)
			words_only = true;
		else if (is_word && o->verb)
			o->words[o->words_count++] = *argv;
		else if (is_word && strcmp(*argv, "help") == 0)
			o->help = true;
		else if (is_word ? !find_verb(verbs, *argv, &o->verb, err)
				 : !parse_option(o, &argv, err))
			return false;
	}
	return check(o, err);
}
