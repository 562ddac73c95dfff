/* The exit codes (losslessctl(8), EXIT STATUS) as rows, for `--help` and `explain`. */
#ifndef LOSSLESSCTL_CLI_EXIT_CODES_H
#define LOSSLESSCTL_CLI_EXIT_CODES_H

#include <stddef.h>

struct exit_code {
	const char *code;
	const char *brief; /* one or two words */
	const char *doc;   /* one sentence */
};

extern const struct exit_code exit_codes[];
extern const size_t exit_codes_count;

#endif
