#include "losslessctl.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../policy/util/oom.h"
#include "help.h"
#include "output/print.h"
#include "output/report_json.h"
#include "sandbox/output_file.h"
#include "verbs/verbs.h"

/* Names the complete file of a verb that succeeded; any other is removed. */
static int named_file(struct cli *c, int code)
{
	struct err err = { 0 };

	if (c->output_helper < 0 || code != EXIT_SUCCESS ||
	    output_file_keep(c->output_helper, c->opt.file, &err))
		return code;
	return report_failure(c, &err);
}

static int run(struct cli *c)
{
	const struct verb *verb = c->opt.verb;
	struct err err = { 0 };
	int code;

	if (c->opt.file && strcmp(c->opt.file, "-") == 0)
		c->opt.file = NULL;
	c->opt.json = c->opt.json && !c->opt.file; /* the file has no errors */
	code = c->platform->enter(c, &err) ? verb->run(c, &err) : -1;
	if (code < 0)
		code = report_failure(c, &err);
	if (c->h)
		host_linux_close(&c->outside);
	/* Losing output is a failure, even if the verb succeeded. */
	if (fflush(stdout) != 0 || ferror(stdout) || *c->output_lost) {
		fprintf(stderr, "losslessctl: standard output: %s%s\n",
			strerror(*c->output_lost ? ENOMEM : errno),
			verb->writes ? "; only this report is lost" : "");
		return code || verb->writes ? code : EXIT_FAILED;
	}
	return named_file(c, code);
}

/* Loads the locale for this question only: 150 kB of it would stay in the agent's memory. */
static bool locale_is_utf8(void)
{
	locale_t l = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	bool utf8 = l && strcmp(nl_langinfo_l(CODESET, l), "UTF-8") == 0;

	if (l)
		freelocale(l);
	return utf8;
}

int losslessctl(int argc, char **argv, const struct platform *platform)
{
	bool ok, output_lost = false, utf8 = locale_is_utf8();
	struct cli c = { .platform = platform,
			 .policy_fd = -1,
			 .firmware_helper = -1,
			 .modprobe_helper = -1,
			 .signature_helper = -1,
			 .output_helper = -1,
			 .output_lost = &output_lost };
	struct err err = { 0 };

	oom_watch_jansson();
	ok = options_parse(&c.opt, verbs, verbs_count, argc, argv, &err);
	c.out = style_of(stdout, c.opt.colour, utf8);
	c.err = style_of(stderr, c.opt.colour, utf8);
	c.stdout_is_tty = isatty(STDOUT_FILENO);
	if (!ok)
		return report_failure(&c, &err);
	if (c.opt.version)
		puts("losslessctl " LOSSLESSCTL_VERSION);
	else if (c.opt.help)
		help_print(c.opt.verb, verbs, verbs_count);
	else
		return run(&c);
	return EXIT_SUCCESS;
}
