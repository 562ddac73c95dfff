/*
 * Exit codes: losslessctl(8), EXIT STATUS. Of several ports the worst decides: enum outcome of
 * agent/engine/outcome.h, with the code of a run that writes, and enum status of
 * agent/engine/verify/status.h.
 */
#ifndef LOSSLESSCTL_POLICY_UTIL_EXIT_CODE_H
#define LOSSLESSCTL_POLICY_UTIL_EXIT_CODE_H

#include <stddef.h>

#include "err.h"
#include "status_word.h"

/* Those of verbs that report their result, beside EXIT_SUCCESS. */
enum { EXIT_FAILED = 1, EXIT_DIFFERS = 2, EXIT_UNKNOWN = 3 };

/* All codes as rows, for `--help`, `explain` and the manual. */
struct exit_code {
	const char *code;
	const char *brief; /* one or two words */
	const char *doc;   /* one sentence */
};

extern const struct exit_code exit_codes[];
extern const size_t exit_codes_count;

/* The code of a command that ends with this failure. */
int exit_code_of_err(const struct err *e);

/* The code of a run with this worst word: 0, 2 or 3. */
int exit_code_of_word(enum word w);

/* The word of a monitoring plugin, and its exit code there. */
struct nagios_state {
	const char *word;
	int code;
};

/* The state of a plugin with this worst word. */
struct nagios_state nagios_state_of_word(enum word w);

#endif
