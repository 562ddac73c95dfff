/* Verbs and options of losslessctl-fleet as rows, which parsing and help read. */
#ifndef LOSSLESSCTL_CLI_FLEET_FLEET_OPTIONS_H
#define LOSSLESSCTL_CLI_FLEET_FLEET_OPTIONS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "../../policy/util/err.h"

/* ---- messages ---- */

/* Text, JSON and messages of losslessctl-fleet. */

/* Prints text from outside, with what harms a terminal escaped. */
void print_text(FILE *to, const char *text);

/* Prints a document on one line of standard output, or indented on a terminal; releases it. */
void print_document(json_t *document);

/* Prints "losslessctl-fleet: WHERE: TEXT" and the fix on standard error. */
void error_print(const struct err *err);

/* Returns {schema, kind, where, message, fix} of an error. The caller owns it. */
json_t *error_to_json(const struct err *err);

/* ---- fleet options ---- */

struct fleet_verb;

struct fleet_options {
	const struct fleet_verb *verb;
	const char *db, *html, *view, *since, *expect;
	bool json, csv, quiet, help, version;
	char **words; /* operands: the tail of argv, sorted out in place */
	size_t words_count;
};

struct fleet_verb {
	const char *name;
	const char *words_help;
	size_t least_words, most_words;
	int (*run)(const struct fleet_options *o, struct err *err); /* -1: see err */
	const char *doc;     /* one sentence, as an imperative */
	const char *more;    /* a paragraph for the help of this verb */
	const char *example; /* a command line without "losslessctl-fleet" */
};

struct fleet_option {
	const char *name, *letter; /* "--json", NULL or "-q" */
	const char *argument;	   /* NULL: none */
	size_t offset;		   /* where its bool or const char * is */
	const char *verbs;	   /* " ingest report "; NULL: all */
	const char *doc;
};

/* The last row is all NULL. */
extern const struct fleet_option fleet_options[];

/* True if the verb takes the option; with NULL, if the program does. */
bool fleet_option_applies(const struct fleet_option *o, const struct fleet_verb *v);

/* Parses a command line into *o, which borrows argv and reorders it. Errors are ERR_USAGE. */
bool fleet_options_parse(struct fleet_options *o, const struct fleet_verb *verbs, char **argv,
			 struct err *err) must_check;

#endif
