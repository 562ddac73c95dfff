/*
 * Amends lldpad's configuration file from standard input to standard output, for tests. Exits with
 * losslessctl's codes.
 *
 *   amend_conf say PORT SETUP [willing|silent]   with SETUP, in a policy's words
 *   amend_conf take PORT                         the port's section alone; nothing if it has none
 *   amend_conf put PORT [SECTION]                with this section, a text; or without one
 *   amend_conf hup PID                           makes lldpad read the file again
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../agent/host/host_linux.h"
#include "../../dcb/lldpad/config_text.h"
#include "../../policy/document/settings_json.h"
#include "../../policy/util/exit_code.h"

#define CONF_MAX (1 << 20)

struct order {
	const char *port, *what, *how; /* the last two: "" if not given */
};

static char *file(void)
{
	static char text[CONF_MAX];

	text[fread(text, 1, sizeof(text) - 1, stdin)] = '\0';
	return text;
}

static bool say(const struct order *o, char **ret, struct err *err)
{
	struct config says = { .dcbx = { .advertise = strcmp(o->how, "silent") != 0,
					 .willing = strcmp(o->how, "willing") == 0 } };
	json_error_t where;
	json_auto_t *setup = json_loads(o->what, 0, &where);

	if (!setup)
		return err_set(err, ERR_USAGE, 0, "%s", where.text);
	return config_amend(&says, setup, NULL, err) &&
	       lldpad_conf_amend(file(), o->port, &says, ret, err);
}

static bool take_out(const struct order *o, char **ret, struct err *err)
{
	return lldpad_conf_section(file(), o->port, ret, err);
}

static bool put(const struct order *o, char **ret, struct err *err)
{
	return lldpad_conf_restore(file(), o->port, o->what[0] ? o->what : NULL, ret, err);
}

static bool hup(const struct order *o, char **ret, struct err *err)
{
	struct host_linux l;
	bool ok = host_linux_open(&l, "/", true, err) &&
		  host_signal(&l.host, (unsigned)strtoul(o->port, NULL, 10), SIGHUP, err);

	(void)ret;
	host_linux_close(&l);
	return ok;
}

static const struct {
	const char *word;
	bool (*carry_out)(const struct order *o, char **ret, struct err *err);
} verbs[] = {
	{ "say", say },
	{ "take", take_out },
	{ "put", put },
	{ "hup", hup },
};

int main(int argc, char **argv)
{
	_free_ char *text = NULL;
	struct err err = { 0 };

	for (size_t i = 0; argc > 2 && i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		const struct order o = { argv[2], argc > 3 ? argv[3] : "",
					 argc > 4 ? argv[4] : "" };

		if (strcmp(argv[1], verbs[i].word) != 0)
			continue;
		if (verbs[i].carry_out(&o, &text, &err) && text)
			fputs(text, stdout);
		if (err.kind)
			fprintf(stderr, "%s: %s\n", err.where, err.text);
		return exit_code_of_err(&err);
	}
	return 64;
}
