/* The text of --help. */
#ifndef LOSSLESSCTL_CLI_HELP_H
#define LOSSLESSCTL_CLI_HELP_H

#include <stddef.h>

#include "options.h"

/* The exit codes (losslessctl(8), EXIT STATUS) as rows, for `--help` and `explain`. */

struct exit_code {
	const char *code;
	const char *brief; /* one or two words */
	const char *doc;   /* one sentence */
};

extern const struct exit_code exit_codes[];
extern const size_t exit_codes_count;

/* Prints the help of a verb; with NULL that of the program, which lists the verbs. */
void help_print(const struct verb *verb, const struct verb *verbs, size_t verbs_count);

#endif
