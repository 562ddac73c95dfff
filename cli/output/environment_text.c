#include "environment_text.h"

#include <stdio.h>

#include "../../policy/util/json_util.h"
#include "print.h"

static json_t *text_or_null(const char *text)
{
	return text && text[0] ? json_from_text(text) : json_null();
}

static json_t *item_to_json(const struct environment_item *item, enum severity s)
{
	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "variable",
			 variables[item->variable].name, "severity", severity_name(s), "lint",
			 text_or_null(item->lint ? item->lint->name : NULL), "source",
			 text_or_null(item->source ? item->source->label : NULL), "line",
			 item->line ? json_integer(item->line) : json_null(), "value",
			 text_or_null(item->text), "expected", text_or_null(item->expected), "trap",
			 text_or_null(trap_name(item->trap)), "message", item->message, "fix",
			 text_or_null(item->fix));
}

json_t *environment_verdict_to_json(const struct environment_verdict *v)
{
	json_t *list = json_array();

	for (size_t i = 0; v && i < v->report.count; i++) {
		enum severity s = environment_item_severity(v, &v->report.items[i]);

		if (s != SEVERITY_IGNORE)
			json_array_append_new(list, item_to_json(&v->report.items[i], s));
	}
	return list;
}

/* ---- text ---- */

#define HEAD_WIDTH  8
#define MORE_INDENT 11

/* The line as it stands in the file, with its blanks and its spelling. */
static void print_written(const struct assignment *a)
{
	print_outside(stdout, "%.63s", a->name);
	if (a->trap != TRAP_NO_EQUALS)
		print_outside(stdout, "=%.200s", a->text);
}

static const char *head_of(const struct environment_item *item, enum severity s)
{
	return item->is_unknown ? "unknown" : item->lint ? severity_name(s) : "note";
}

static void print_head(const struct cli *c, const struct environment_item *item, enum severity s)
{
	printf("  %s%-*s%s ", severity_colour(&c->out, s), HEAD_WIDTH, head_of(item, s),
	       c->out.reset);
	if (item->written)
		print_written(item->written);
	else
		fputs(variables[item->variable].name, stdout);
	fputs(c->out.dim, stdout);
	if (item->source)
		print_outside(stdout, "  %s", item->source->label);
	if (item->source && item->line)
		printf(":%u", item->line);
	printf("%s\n", c->out.reset);
}

static void print_item(const struct cli *c, const struct environment_verdict *v,
		       const struct environment_item *item)
{
	enum severity s = environment_item_severity(v, item);
	char text[sizeof(item->message) + 64];

	if (s == SEVERITY_IGNORE)
		return;
	print_head(c, item, s);
	snprintf(text, sizeof(text), "%s%s%s%s", item->message, item->lint ? " (" : "",
		 item->lint ? item->lint->name : "", item->lint ? ")" : "");
	print_below(c, MORE_INDENT, "", text);
	print_below(c, MORE_INDENT, c->out.dim, item->fix);
}

/* Prints the reason why something was not judged. */
static void print_reason(const struct cli *c, const char *word, const struct err *why)
{
	if (!why->kind)
		return;
	print_outside(stdout, "  %-*s %s%s%s", HEAD_WIDTH, word, why->where,
		      why->where[0] ? ": " : "", why->text);
	putchar('\n');
	if (why->fix[0])
		print_below(c, MORE_INDENT, c->out.dim, why->fix);
}

void print_environment_verdict(const struct cli *c, const struct environment_verdict *v)
{
	if (!v || (!v->report.count && !v->unknown.kind && !v->note.kind))
		return;
	printf("%senvironment of jobs%s\n", c->out.bold, c->out.reset);
	print_reason(c, "unknown", &v->unknown);
	print_reason(c, "note", &v->note);
	for (size_t i = 0; i < v->report.count; i++)
		print_item(c, v, &v->report.items[i]);
}

static void print_count(size_t count, const char *one, const char *more, const char **sep)
{
	if (!count)
		return;
	printf("%s%zu %s", *sep, count, count == 1 ? one : more);
	*sep = ", ";
}

void print_environment_summary(const struct environment_verdict *v, enum status worst)
{
	const char *sep = ": ";

	fputs(status_words[verdict_word(worst)].text, stdout);
	print_count(environment_verdict_count(v, SEVERITY_CRITICAL), "critical", "critical", &sep);
	print_count(environment_verdict_count(v, SEVERITY_WARNING), "warning", "warnings", &sep);
	print_count(environment_verdict_unknown(v), "not judged", "not judged", &sep);
	putchar('\n');
	if (worst == STATUS_DRIFT)
		puts("run `losslessctl env` for the environment that agrees with the policy");
}
