/* Fuzz target: a whole command line, whose words end in NUL. */
#include <string.h>

#include "../../cli/verbs/verbs.h"
#include "fuzz.h"

#define WORDS_MAX 600

static int run(struct cli *c, struct err *err)
{
	(void)c;
	(void)err;
	return 0;
}

/* A verb of each kind in losslessctl.c. */
const struct verb verbs[] = {
	{ .name = "check",
	  .words_help = "POLICY",
	  .takes = TAKES_POLICY | NEEDS_POLICY,
	  .writes = false,
	  .run = run },
	{ .name = "schema", .words_help = "", .takes = 0, .writes = false, .run = run },
	{ .name = "explain",
	  .words_help = "[NAME]",
	  .takes = TAKES_NAME,
	  .writes = false,
	  .run = run },
	{ .name = "show",
	  .words_help = "[PORT...]",
	  .takes = TAKES_PORTS,
	  .writes = false,
	  .run = run },
	{ .name = "plan",
	  .words_help = "[POLICY] [PORT...]",
	  .takes = TAKES_POLICY | TAKES_PORTS,
	  .writes = false,
	  .run = run },
	{ .name = "apply",
	  .words_help = "[POLICY] [PORT...]",
	  .takes = TAKES_POLICY | TAKES_PORTS,
	  .writes = true,
	  .run = run },
	{ .name = "rollback",
	  .words_help = "[PORT...]",
	  .takes = TAKES_PORTS,
	  .writes = true,
	  .run = run },
	{ .name = "verify",
	  .words_help = "[POLICY] [PORT...]",
	  .takes = TAKES_POLICY | TAKES_PORTS,
	  .writes = false,
	  .run = run },
	{ .name = "watch",
	  .words_help = "[POLICY] [PORT]",
	  .takes = TAKES_POLICY | TAKES_PORTS,
	  .writes = false,
	  .run = run },
};
const size_t verbs_count = sizeof(verbs) / sizeof(verbs[0]);

static void judge(const struct options *o)
{
	MUST(o->root && o->words_count <= PORT_WORDS_MAX && o->colour <= COLOUR_NEVER);
	MUST(o->lock_timeout_s <= 86400 && o->listen_for_s <= 86400 && o->sample_for_s <= 3600);
	if (o->help || o->version)
		return;
	MUST(o->verb);
	MUST(o->policy || !(o->verb->takes & NEEDS_POLICY));
	MUST(!o->policy || (o->verb->takes & TAKES_POLICY));
	MUST(!o->words_count || (o->verb->takes & (TAKES_PORTS | TAKES_NAME)));
	MUST(!o->verb->writes || strcmp(o->root, "/") == 0);
	for (size_t i = 0; i < o->words_count; i++)
		MUST(o->words[i]);
}

/* Copy each word to memory of its size, so that sanitizers detect reads beyond it. */
static int split(const uint8_t *data, size_t size, char *argv[WORDS_MAX + 2])
{
	int argc = 0;

	argv[argc++] = strdup("losslessctl");
	for (size_t at = 0; at < size && argc <= WORDS_MAX;) {
		argv[argc] = strndup((const char *)data + at, size - at);
		at += strlen(argv[argc++]) + 1;
	}
	argv[argc] = NULL;
	return argc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *argv[WORDS_MAX + 2];
	int argc = split(data, size, argv);
	struct options o;
	struct err err = { 0 };

	if (options_parse(&o, verbs, verbs_count, argc, argv, &err)) {
		MUST(err.kind == ERR_NONE);
		judge(&o);
	} else {
		MUST(err.kind == ERR_USAGE && err.text[0]);
	}
	while (argc > 0)
		free(argv[--argc]);
	return 0;
}
