#include "status_words.h"

#include "../cli.h"

const struct status_word status_words[STATUS_COUNT] = {
	[STATUS_OK] = { "in_sync", "in sync", STATUS_OK, "OK", EXIT_SUCCESS, 0 },
	[STATUS_SKIPPED] = { "skipped", "skipped", STATUS_OK, "OK", EXIT_SUCCESS, 0 },
	[STATUS_ADVICE] = { "advisory", "advisory", STATUS_OK, "OK", EXIT_SUCCESS, 0 },
	[STATUS_WARNING] = { "advisory", "advisory", STATUS_OK, "WARNING", EXIT_SUCCESS, 1 },
	[STATUS_UNSUPPORTED] = { "unsupported", "unsupported", STATUS_UNKNOWN, "UNKNOWN",
				 EXIT_UNKNOWN, 3 },
	[STATUS_UNKNOWN] = { "unknown", "unknown", STATUS_UNKNOWN, "UNKNOWN", EXIT_UNKNOWN, 3 },
	[STATUS_SYMPTOM] = { "symptom", "symptom", STATUS_SYMPTOM, "CRITICAL", EXIT_DIFFERS, 2 },
	[STATUS_DRIFT] = { "drift", "drift", STATUS_DRIFT, "CRITICAL", EXIT_DIFFERS, 2 },
};

/* A warning with --strict. */
static const struct status_word strict_word = { "advisory", "advisory",	  STATUS_OK,
						"CRITICAL", EXIT_DIFFERS, 2 };

const char *verdict_name(enum status worst)
{
	return status_words[status_words[worst].verdict].name;
}

const char *verdict_text(enum status worst)
{
	return status_words[status_words[worst].verdict].text;
}

bool verify_fails_by_strict(const struct verify_totals *n, enum status worst, bool strict)
{
	return strict && verify_totals_warnings(n) && status_words[worst].exit_code != EXIT_DIFFERS;
}

const struct status_word *status_word_of_run(const struct verify_totals *n, enum status worst,
					     bool strict)
{
	return verify_fails_by_strict(n, worst, strict) ? &strict_word : &status_words[worst];
}
