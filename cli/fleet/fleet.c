#include "fleet.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "../../policy/util/oom.h"
#include "../output/print.h"
#include "fleet_options.h"
#include "verbs.h"

#define NAME_WIDTH   8
#define OPTION_WIDTH 15

static void print_options(const char *heading, bool common, const struct fleet_verb *verb)
{
	char name[48];

	for (const struct fleet_option *o = fleet_options; o->name; o++) {
		if (!o->verbs != common || !fleet_option_applies(o, verb))
			continue;
		if (heading)
			printf("\n%s\n", heading);
		heading = NULL;
		snprintf(name, sizeof(name), "%s%s%s%s%s", o->letter ? o->letter : "",
			 o->letter ? ", " : "", o->name, o->argument ? " " : "",
			 o->argument ? o->argument : "");
		wrap_row(stdout, name, OPTION_WIDTH, o->doc);
	}
}

static void print_end(const char *example)
{
	printf("\nexample:\n  losslessctl-fleet %s\n\nmanual: losslessctl-fleet(1)\n", example);
}

static void print_program(const struct fleet_verb *verbs)
{
	puts("losslessctl-fleet: stores and compares the reports of many hosts\n\n"
	     "usage: losslessctl-fleet VERB [OPTION...]\n\n"
	     "verbs (`losslessctl-fleet VERB --help` prints their options):");
	for (const struct fleet_verb *v = verbs; v->name; v++)
		wrap_row(stdout, v->name, NAME_WIDTH, v->doc);
	print_options("options of every verb:", true, NULL);
	puts("\nexit codes: 0 in sync, 1 failed, 2 differs, 3 unknown, 64 usage, 65 a document or\n"
	     "database is not accepted, 66 no such file, 75 locked, 77 not permitted");
	print_end("ingest reports/");
}

/* Prints the help of a verb; with NULL that of the program, which lists the verbs. */
static void fleet_help_print(const struct fleet_verb *verb, const struct fleet_verb *verbs)
{
	char doc[256];

	if (!verb) {
		print_program(verbs);
		return;
	}
	printf("usage: losslessctl-fleet %s%s%s [OPTION...]\n\n", verb->name,
	       verb->words_help[0] ? " " : "", verb->words_help);
	snprintf(doc, sizeof(doc), "%s.", verb->doc);
	doc[0] = (char)toupper((unsigned char)doc[0]);
	wrap_print(stdout, doc, 0, 0);
	wrap_print(stdout, verb->more, 0, 0);
	print_options("options:", false, verb);
	print_options("options of every verb:", true, verb);
	print_end(verb->example);
}

/* clang-format off: one paragraph per verb */
static const struct fleet_verb verbs[] = {
	{ .name = "ingest",
	  .words_help = "DIR|FILE|- ...",
	  .least_words = 1,
	  .most_words = SIZE_MAX,
	  .run = fleet_ingest,
	  .doc = "store the JSON reports of hosts in the database",
	  .more = "Takes documents of verify, status, show, peer, ready, history, probe and "
		  "bundle, one a line or one a file; of a directory the files *.json, *.jsonl and "
		  "*.ndjson. A report that is stored already changes nothing, and neither does "
		  "the order. A document that is not accepted is named, and set aside in the "
		  "table rejected_documents.",
	  .example = "ingest reports/" },
	{ .name = "report",
	  .words_help = "",
	  .run = fleet_report,
	  .doc = "print which hosts differ, and in what",
	  .more = "Exits 2 if a host drifted, has a symptom or is silent, and 3 if one is unknown.",
	  .example = "report --since 7d" },
	{ .name = "sql",
	  .words_help = "[QUERY]",
	  .most_words = 1,
	  .run = fleet_sql,
	  .doc = "run a query that reads the database",
	  .more = "Without a query, starts sqlite3(1) on the database, read-only. The manual "
		  "describes the tables and views.",
	  .example = "sql 'SELECT host, verdict FROM hosts LIMIT 5'" },
	{ .name = NULL },
};
/* clang-format on */

static int report_error(const struct fleet_options *o, const struct err *err)
{
	if (o->json)
		print_document(error_to_json(err));
	else
		error_print(err);
	return exit_code_of_err(err);
}

static int run(const struct fleet_options *o, struct err *err)
{
	if (o->version)
		puts("losslessctl-fleet " LOSSLESSCTL_VERSION);
	else if (o->help)
		fleet_help_print(o->verb, verbs);
	else
		return o->verb->run(o, err);
	return EXIT_SUCCESS;
}

int fleet(char **argv)
{
	struct fleet_options o;
	struct err err = { 0 };
	int code, why;

	/* It cannot fail, and holds for sqlite3, too, which `sql` starts. */
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	oom_watch_jansson();
	code = fleet_options_parse(&o, verbs, argv, &err) ? run(&o, &err) : -1;
	if (code < 0)
		code = report_error(&o, &err);
	why = fflush(stdout) ? errno : EIO; /* an earlier error is not known any more */
	if (!ferror(stdout) && !oom_happened())
		return code;
	fprintf(stderr, "losslessctl-fleet: standard output: %s\n",
		strerror(oom_happened() ? ENOMEM : why));
	return code ? code : EXIT_FAILURE;
}
