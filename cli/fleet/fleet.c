#include "fleet.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../policy/util/oom.h"
#include "fleet_help.h"
#include "messages.h"
#include "verbs.h"

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
	return err_exit_code(err);
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
	int code;

	oom_watch_jansson();
	code = fleet_options_parse(&o, verbs, argv, &err) ? run(&o, &err) : -1;
	if (code < 0)
		code = report_error(&o, &err);
	if (fflush(stdout) == 0 && !ferror(stdout) && !oom_happened())
		return code;
	fprintf(stderr, "losslessctl-fleet: standard output: %s\n",
		strerror(oom_happened() ? ENOMEM : errno));
	return code ? code : EXIT_FAILURE;
}
