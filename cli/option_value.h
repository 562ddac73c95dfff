/* The value of an option: its type and its range. */
#ifndef LOSSLESSCTL_CLI_OPTION_VALUE_H
#define LOSSLESSCTL_CLI_OPTION_VALUE_H

#include "../policy/util/err.h"

enum option_type {
	FLAG,
	TEXT,
	OPTIONAL_TEXT, /* it may be left out */
	COLOUR,
	TIMEOUT,
	INTERVAL,
	WINDOW,
	PERIOD,
	SAMPLES,
	APPLY,
	RECORDING,
	MESSAGES,
	SHARE
};

/* "N/M" */
struct option_share {
	unsigned least, of; /* both 0: not given */
};

#define SHARE_MAX 64

enum colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER, COLOURS };
extern const char *const colour_words[COLOURS];

/*
 * Parses the value of option `name` into its field: a bool, a borrowed text or an unsigned. A flag
 * has no value (NULL), and a share is a struct option_share. Fails with ERR_USAGE.
 */
bool option_value_store(void *field, enum option_type type, const char *name, const char *value,
			struct err *err) must_check;

#endif
