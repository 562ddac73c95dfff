#include "losslessctl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "../policy/util/oom.h"
#include "captured/captured_host.h"
#include "help.h"
#include "output/print.h"
#include "output/report_json.h"
#include "sandbox/output_file.h"
#include "verbs/verbs.h"

/* Names the file of a verb that completed it; any other is removed. */
static int named_file(struct cli *c, int code)
{
	struct err err = { 0 };

	if (c->helpers[HELPER_OUTPUT] < 0 || !c->output_done ||
	    output_file_keep(c->helpers[HELPER_OUTPUT], c->opt.file, &err))
		return code;
	return report_failure(c, &err);
}

/* Losing output is a failure, even if the verb succeeded; `what` was done all the same. */
static bool output_is_lost(bool for_memory, const char *what)
{
	int code = fflush(stdout) ? errno : EIO; /* an earlier error is not known any more */

	if (!ferror(stdout) && !for_memory)
		return false;
	fprintf(stderr, "losslessctl: standard output: %s%s\n",
		strerror(for_memory ? ENOMEM : code), what);
	return true;
}

static int run(struct cli *c)
{
	const struct verb *verb = c->opt.verb;
	struct err err = { 0 };
	int code;

	if (c->opt.file && strcmp(c->opt.file, "-") == 0)
		c->opt.file = NULL;
	if ((verb->takes & TAKES_FILE) && c->opt.file)
		c->opt.json = false; /* the file has no errors */
	code = c->platform->enter(c, &err) ? verb->run(c, &err) : -1;
	if (code < 0)
		code = report_failure(c, &err);
	if (c->h)
		host_linux_close(&c->outside);
	captured_host_free(c->captured);
	free(c->eswitches.list);
	if (output_is_lost(*c->output_lost, verb->writes ? "; only this report is lost" : ""))
		return code || verb->writes ? code : EXIT_FAILED;
	return named_file(c, code);
}

/*
 * Reads the codeset in the name of the locale, as in "de_DE.UTF-8@euro" (locale(7)). Loading the
 * locale costs 17 system calls, and finds nothing if ssh brought a name that this host lacks.
 */
static bool locale_is_utf8(void)
{
	static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *name = NULL, *codeset;

	for (size_t i = 0; i < 3 && !(name && name[0]); i++)
		name = getenv(variables[i]);
	codeset = name ? strchr(name, '.') : NULL;
	return codeset &&
	       (strncasecmp(codeset, ".UTF-8", 6) == 0 || strncasecmp(codeset, ".UTF8", 5) == 0);
}

static void find_styles(struct cli *c)
{
	bool utf8 = locale_is_utf8();

	c->stdout_is_tty = isatty(STDOUT_FILENO);
	c->to = stdout;
	c->out = style_of(c->stdout_is_tty, c->opt.colour, utf8);
	c->err = style_of(isatty(STDERR_FILENO), c->opt.colour, utf8);
}

static int introduce(const struct options *o)
{
	if (o->version)
		puts("losslessctl " LOSSLESSCTL_VERSION);
	else
		help_print(o->verb, verbs, verbs_count);
	return output_is_lost(false, "") ? EXIT_FAILED : EXIT_SUCCESS;
}

int losslessctl(int argc, char **argv, const struct platform *platform)
{
	bool ok, output_lost = false;
	struct cli c = { .platform = platform,
			 .policy_fd = -1,
			 .state_fd = -1,
			 .lldpad.fd = -1,
			 .output_fd = -1,
			 .probe_in = -1,
			 .probe_out = -1,
			 .probe_messages = -1,
			 .output_lost = &output_lost };
	struct err err = { 0 };

	for (size_t i = 0; i < ENV_FILES; i++)
		c.env_fds[i] = -1;
	for (size_t i = 0; i < HELPERS; i++)
		c.helpers[i] = -1;
	oom_watch_jansson();
	ok = options_parse(&c.opt, verbs, verbs_count, argc, argv, &err);
	if (ok && (c.opt.version || c.opt.help))
		return introduce(&c.opt);
	find_styles(&c);
	return ok ? run(&c) : report_failure(&c, &err);
}
