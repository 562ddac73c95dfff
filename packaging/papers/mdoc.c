#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "../../cli/exit_codes.h"
#include "../../cli/topics.h"
#include "tables.h"

/* ---- text ---- */

/* What roff takes for something else than the letter that it is. */
static const struct escape {
	char letter;
	const char *as;
} escapes[] = { { '\\', "\\e" },  { '"', "\\(dq" }, { '\'', "\\(aq" },
		{ '`', "\\(ga" }, { '^', "\\(ha" }, { '~', "\\(ti" } };

static void letter(char c)
{
	for (size_t i = 0; i < sizeof(escapes) / sizeof(escapes[0]); i++)
		if (escapes[i].letter == c) {
			fputs(escapes[i].as, stdout);
			return;
		}
	putchar(c);
}

static bool ends_sentence(const char *at)
{
	return strchr(".!?", at[-1]) && (*at == ' ' || *at == '\n') && at[1];
}

/* Each sentence begins a line, with a capital; the last ends in a full stop. */
static void sentences(const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", stdout);
	for (const char *at = text; *at; at++) {
		bool first = at == text;

		if (!first && ends_sentence(at))
			putchar('\n');
		else if (*at == '\n')
			putchar(' ');
		else
			letter(first ? (char)toupper(*at) : *at);
	}
	puts(strchr(".!?", text[strlen(text) - 1]) ? "" : ".");
}

/* An argument of a macro, one word whatever is in it. */
static void argument(const char *text)
{
	fputs(" \"", stdout);
	while (*text)
		letter(*text++);
	putchar('"');
}

/* ---- the command line ---- */

/* One word of a verb's help: "POLICY", "[PORT...]", "[--expand]", "--speed". */
static void verb_word(const char *word, size_t length)
{
	bool optional = word[0] == '[';
	const char *dots = strstr(word, "...");
	bool repeats = dots && dots < word + length;
	size_t bare = length - (optional ? 2 : 0) - (repeats ? 3 : 0);

	word += optional;
	fputs(optional ? " Oo" : "", stdout);
	if (word[0] == '-')
		printf(" Fl %.*s", (int)bare - 1, word + 1);
	else
		printf(" Ar %.*s", (int)bare, word);
	fputs(repeats ? " ..." : "", stdout);
	fputs(optional ? " Oc" : "", stdout);
}

static void verb_words(const char *help)
{
	for (size_t length; *help; help += length + (help[length] == ' ')) {
		length = strcspn(help, " ");
		verb_word(help, length);
	}
}

static void option_item(const struct option *o)
{
	fputs(".It", stdout);
	if (o->letter)
		printf(" Fl %s ,", o->letter + 1);
	printf(" Fl %s", o->name + 1);
	if (o->argument)
		printf(" Ar %s", o->argument);
	putchar('\n');
	sentences(o->doc);
}

/* The options of one verb alone, or of every verb. */
static void option_list(const struct verb *v)
{
	const struct option *o;
	bool any = false;

	for (size_t i = 0; (o = option_at(i)); i++) {
		if (!option_applies(o, v) || !o->verbs != !v)
			continue;
		if (!any)
			puts(".Bl -tag -width Ds");
		any = true;
		option_item(o);
	}
	if (any)
		puts(".El");
}

static void options_part(void)
{
	option_list(NULL);
}

static void synopsis_part(void)
{
	for (size_t i = 0; i < verbs_count; i++) {
		puts(".Nm");
		printf(".Op Ar option ...\n.Cm %s", verbs[i].name);
		verb_words(verbs[i].words_help);
		putchar('\n');
	}
}

static void verbs_part(void)
{
	puts(".Bl -tag -width Ds");
	for (size_t i = 0; i < verbs_count; i++) {
		printf(".It Cm %s", verbs[i].name);
		verb_words(verbs[i].words_help);
		putchar('\n');
		sentences(verbs[i].doc);
		if (verbs[i].more)
			sentences(verbs[i].more);
		option_list(&verbs[i]);
	}
	puts(".El");
}

static void exit_codes_part(void)
{
	puts(".Bl -tag -width Ds");
	for (size_t i = 0; i < exit_codes_count; i++) {
		printf(".It Sy %s\n", exit_codes[i].code);
		sentences(exit_codes[i].doc);
	}
	puts(".El");
}

/* ---- what `explain` explains ---- */

/* What a row has beside its name and its sentence: what it is called here, and its key. */
static const struct field {
	const char *called, *key;
	bool prose;
} fields[] = {
	{ "severity", "severity", false }, { "status", "status", false },
	{ "alarm", "alarm", false },	   { "value", "range", false },
	{ "at least", "minimum", false },  { "at most", "maximum", false },
	{ "unit", "unit", false },	   { "comes as", "default", false },
	{ "kernel", "surface", false },	   { "sorts by", "trust", false },
	{ "lossless", "lossless", false }, { "source", "source", false },
	{ "look at", "look", false },	   { "cause", "cause", true },
	{ "mend", "fix", true },	   { "why", "why", true },
};

static void print_value(const json_t *value)
{
	const char *text = json_string_value(value);

	if (json_is_integer(value))
		printf("%" JSON_INTEGER_FORMAT, json_integer_value(value));
	for (size_t i = 0; i < json_array_size(value); i++)
		printf("%s%" JSON_INTEGER_FORMAT, i ? ", " : "",
		       json_integer_value(json_array_get(value, i)));
	while (text && *text)
		letter(*text++);
	putchar('\n');
}

/* A range says its unit itself. */
static bool has_field(const json_t *row, const struct field *f)
{
	const json_t *value = json_object_get(row, f->key);

	if (strcmp(f->key, "unit") == 0 && json_object_get(row, "range"))
		return false;
	return json_is_integer(value) || json_array_size(value) || json_string_length(value);
}

static void field_list(const json_t *row)
{
	bool any = false;

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		const struct field *f = &fields[i];

		if (!has_field(row, f))
			continue;
		if (!any)
			puts(".Bl -tag -width \"comes as\" -compact");
		any = true;
		printf(".It %s\n", f->called);
		if (f->prose)
			sentences(json_string_value(json_object_get(row, f->key)));
		else
			print_value(json_object_get(row, f->key));
	}
	if (any)
		puts(".El");
}

static void row_item(const struct topic *t, size_t i)
{
	json_auto_t *row = t->document(i);
	const char *more = json_string_value(json_object_get(row, "more"));

	fputs(".It Cm", stdout);
	argument(t->name(i));
	putchar('\n');
	sentences(t->says(i));
	if (more)
		sentences(more);
	field_list(row);
}

static bool topic_part(const char *key)
{
	for (size_t k = 0; k < topics_count; k++) {
		if (strcmp(topics[k]->key, key) != 0)
			continue;
		puts(".Bl -tag -width Ds");
		for (size_t i = 0; topics[k]->name(i); i++)
			row_item(topics[k], i);
		puts(".El");
		return true;
	}
	return false;
}

static const struct part {
	const char *name;
	void (*print)(void);
} parts[] = {
	{ "synopsis", synopsis_part },
	{ "verbs", verbs_part },
	{ "options", options_part },
	{ "exit_codes", exit_codes_part },
};

bool mdoc_print(const char *name)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strcmp(parts[i].name, name) == 0) {
			parts[i].print();
			return true;
		}
	return topic_part(name);
}
