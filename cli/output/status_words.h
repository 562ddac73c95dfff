/* The names and exit codes of each status, for reports and for monitoring plugins. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_STATUS_WORDS_H
#define LOSSLESSCTL_CLI_OUTPUT_STATUS_WORDS_H

#include "../../agent/engine/verify/verify.h"

struct status_word {
	const char *name; /* in JSON */
	const char *text; /* for people */
	enum status verdict;
	const char *nagios;
	int exit_code, nagios_code;
};

extern const struct status_word status_words[STATUS_COUNT];

/* Return the verdict on a port or a run with this worst status: for JSON, and for people. */
const char *verdict_name(enum status worst);
const char *verdict_text(enum status worst);

/* True if a run fails because of `strict` (--strict) alone. */
bool verify_fails_by_strict(const struct verify_totals *n, enum status worst, bool strict);

/* Returns the names for a whole run. With `strict` (--strict), warnings and info fail as well. */
const struct status_word *status_word_of_run(const struct verify_totals *n, enum status worst,
					     bool strict);

#endif
