#include <stdio.h>
#include <string.h>

#include "../../cli/help.h"
#include "../../cli/options.h"
#include "../../cli/explain/topics.h"
#include "../../cli/verbs/verbs.h"
#include "../../policy/document/policy.h"
#include "mdoc_text.h"
#include "tables.h"

/* ---- the command line ---- */

/* Print one word of a verb's help: "POLICY", "[PORT...]", "[--expand]", "--speed". */
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
		printf(" %sAr %s", o->type == OPTIONAL_TEXT ? "Op " : "", o->argument);
	putchar('\n');
	mdoc_sentences(o->doc);
}

/* Print the options of this verb alone, or with NULL those of every verb. */
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
		mdoc_sentences(verbs[i].doc);
		if (verbs[i].more)
			mdoc_sentences(verbs[i].more);
		option_list(&verbs[i]);
	}
	puts(".El");
}

static void exit_codes_part(void)
{
	puts(".Bl -tag -width Ds");
	for (size_t i = 0; i < exit_codes_count; i++) {
		printf(".It Sy %s\n", exit_codes[i].code);
		mdoc_sentences(exit_codes[i].doc);
	}
	puts(".El");
}

/* ---- the topics of `explain` ---- */

/* Fields of a row besides its name and its sentence: the printed label, and the JSON key. */
static const struct field {
	const char *called, *key;
	bool prose;
} fields[] = {
	{ "severity", "severity", false },
	{ "status", "status", false },
	{ "of", "scope", false },
	{ "value", "range", false },
	{ "at least", "minimum", false },
	{ "at most", "maximum", false },
	{ "unit", "unit", false },
	{ "default", "default", false },
	{ "clears at %", "clear_percent", false },
	{ "raised by", "raise_windows", false },
	{ "out of", "of_windows", false },
	{ "cleared by", "clear_windows", false },
	{ "kernel", "kernel_interface", false },
	{ "command", "command", false },
	{ "trusts", "trust", false },
	{ "read by", "library", false },
	{ "since", "since", false },
	{ "lossless classes", "lossless", false },
	{ "owner", "owner", false },
	{ "source", "source", false },
	{ "origin", "origin", false },
	{ "cause", "cause", true },
	{ "fix", "fix", true },
	{ "why", "rationale", true },
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
		mdoc_letter(*text++);
	putchar('\n');
}

/* A range includes its unit. */
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
			puts(".Bl -tag -width \"clears at %\" -compact");
		any = true;
		printf(".It %s\n", f->called);
		if (f->prose)
			mdoc_sentences(json_string_value(json_object_get(row, f->key)));
		else
			print_value(json_object_get(row, f->key));
	}
	if (any)
		puts(".El");
}

static void row_item(const struct topic *t, size_t i)
{
	json_auto_t *row = topic_document(t, i);
	const char *more = json_string_value(json_object_get(row, "details"));
	struct entry e;

	if (!t->entry(i, &e))
		return;
	fputs(".It Cm", stdout);
	mdoc_argument(e.name);
	putchar('\n');
	mdoc_sentences(e.says);
	if (more)
		mdoc_sentences(more);
	field_list(row);
}

static bool topic_part(const char *key)
{
	struct entry e;

	for (const struct topic *t = topics; t < topics + topics_count; t++) {
		if (strcmp(t->key, key) != 0)
			continue;
		puts(".Bl -tag -width Ds");
		for (size_t i = 0; t->entry(i, &e); i++)
			row_item(t, i);
		puts(".El");
		return true;
	}
	return false;
}

/* ---- objects of a policy that are not settings ---- */

static const struct object {
	const char *name;
	const char *place; /* in the schema of a policy */
} objects[] = {
	{ "class_keys", "profiles/additionalProperties/properties/classes/items/properties" },
	{ "match_keys", "rules/items/properties/match/properties" },
	{ "enforce_keys", "enforce/properties" },
};

static const json_t *find_place(const json_t *at, const char *place)
{
	char key[64];

	for (size_t n; *place; place += n + (place[n] == '/')) {
		n = strcspn(place, "/");
		snprintf(key, sizeof(key), "%.*s", (int)n, place);
		at = json_object_get(at, key);
	}
	return at;
}

static void print_object(const struct object *o)
{
	json_auto_t *schema = policy_schema();
	json_t *keys = (json_t *)find_place(json_object_get(schema, "properties"), o->place);
	const char *key;
	json_t *value;

	puts(".Bl -tag -width Ds");
	json_object_foreach (keys, key, value) {
		const char *says = json_string_value(json_object_get(value, "description"));

		if (!says || strcmp(key, "comment") == 0)
			continue;
		printf(".It Cm %s\n", key);
		mdoc_sentences(says);
	}
	puts(".El");
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
	for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++)
		if (strcmp(objects[i].name, name) == 0) {
			print_object(&objects[i]);
			return true;
		}
	return topic_part(name);
}
