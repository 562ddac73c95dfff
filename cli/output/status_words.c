#include "status_words.h"

#include "../cli.h"

const struct status_word status_words[STATUS_COUNT] = {
	[STATUS_OK] = { "ok", "ok", "OK", EXIT_SUCCESS, 0 },
	[STATUS_ADVICE] = { "advice", "ok", "OK", EXIT_SUCCESS, 0 },
	[STATUS_WARNING] = { "advice", "ok", "WARNING", EXIT_SUCCESS, 1 },
	[STATUS_UNSUPPORTED] = { "unsupported", "unknown", "UNKNOWN", EXIT_UNKNOWN, 3 },
	[STATUS_UNKNOWN] = { "unknown", "unknown", "UNKNOWN", EXIT_UNKNOWN, 3 },
	[STATUS_SYMPTOM] = { "symptom", "symptom", "CRITICAL", EXIT_DIFFERS, 2 },
	[STATUS_DRIFT] = { "drift", "drift", "CRITICAL", EXIT_DIFFERS, 2 },
};

/* A warning with --strict. */
static const struct status_word strict_word = { "advice", "ok", "CRITICAL", EXIT_DIFFERS, 2 };

const struct status_word *status_word_of_run(const struct verify_totals *n, enum status worst,
					     bool strict)
{
	if (strict && verify_totals_warnings(n) && status_words[worst].exit_code != EXIT_DIFFERS)
		return &strict_word;
	return &status_words[worst];
}
