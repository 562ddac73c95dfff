#include "help.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "output/print.h"

#define NAME_WIDTH    10
#define OPTION_WIDTH  25
#define CODES_IN_LINE 3

static void print_option(const struct option *o)
{
	bool optional = o->type == OPTIONAL_TEXT;
	char name[48];

	snprintf(name, sizeof(name), "%s%s%s%s%s%s%s", o->letter ? o->letter : "",
		 o->letter ? ", " : "", o->name, o->argument ? " " : "", optional ? "[" : "",
		 o->argument ? o->argument : "", optional ? "]" : "");
	wrap_row(stdout, name, OPTION_WIDTH, o->doc);
}

/* True for --root of a verb that writes. `apply --dry-run` takes it, as `plan` does. */
static bool is_for_readers(const struct option *o, const struct verb *of)
{
	return of && of->writes && strcmp(o->name, "--root") == 0;
}

/* Prints the own options of `verb`, or those of every verb if it is NULL, in the help of `of`. */
static void print_options(const char *heading, const struct verb *verb, const struct verb *of)
{
	const struct option *o;

	for (size_t i = 0; (o = option_at(i)); i++) {
		if (!option_applies(o, verb) || !o->verbs != !verb || is_for_readers(o, of))
			continue;
		if (heading)
			printf("\n%s\n", heading);
		heading = NULL;
		print_option(o);
	}
}

static void print_exit_codes(void)
{
	puts("\nexit codes (`losslessctl explain CODE` explains one):");
	for (size_t i = 0; i < exit_codes_count; i++) {
		bool last = i % CODES_IN_LINE == CODES_IN_LINE - 1 || i + 1 == exit_codes_count;

		printf("  %-3s %-*s%s", exit_codes[i].code, last ? 0 : 16, exit_codes[i].brief,
		       last ? "\n" : "");
	}
}

static void print_end(const char *example)
{
	printf("\nexample:\n  losslessctl %s\n\nmanual: losslessctl(8)\n", example);
}

static void help_program(const struct verb *verbs, size_t verbs_count)
{
	puts("losslessctl: configure RoCE network ports from one policy\n\n"
	     "usage: losslessctl VERB [POLICY] [PORT...] [OPTION...]\n\n"
	     "verbs (`losslessctl help VERB` prints their options):");
	for (size_t i = 0; i < verbs_count; i++)
		wrap_row(stdout, verbs[i].name, NAME_WIDTH, verbs[i].doc);
	print_options("options of every verb:", NULL, NULL);
	putchar('\n');
	wrap_print(stdout,
		   "POLICY is a file: a word with a slash, or one that ends in .json; - is "
		   "standard input (default: /etc/losslessctl/policy.json). PORT is a network "
		   "interface, a PCI address, a bond, or a quoted pattern such as 'ens1*'.",
		   0, 0);
	print_exit_codes();
	print_end("plan ./policy.json 'ens1*'");
}

/* Prints a line of the table as a sentence. */
static void print_sentence(const char *doc)
{
	char text[128];

	snprintf(text, sizeof(text), "%s.", doc);
	text[0] = (char)toupper((unsigned char)text[0]);
	wrap_print(stdout, text, 0, 0);
}

static void print_usage(const struct verb *verb)
{
	char text[128];

	snprintf(text, sizeof(text), "usage: losslessctl %s%s%s [OPTION...]", verb->name,
		 verb->words_help[0] ? " " : "", verb->words_help);
	wrap_print(stdout, text, 0, 7);
	putchar('\n');
}

void help_print(const struct verb *verb, const struct verb *verbs, size_t verbs_count)
{
	if (!verb) {
		help_program(verbs, verbs_count);
		return;
	}
	print_usage(verb);
	print_sentence(verb->doc);
	if (verb->more)
		wrap_print(stdout, verb->more, 0, 0);
	print_options("options:", verb, verb);
	print_options("options of every verb:", NULL, verb);
	print_end(verb->example);
}
