#include "fleet_help.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "../output/print.h"

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

void fleet_help_print(const struct fleet_verb *verb, const struct fleet_verb *verbs)
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
