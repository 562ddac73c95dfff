#include "exit_code.h"

#include <stdlib.h>

/* clang-format off: one row per code */
const struct exit_code exit_codes[] = {
	{ "0", "success", "success: in sync, applied, rolled back, or nothing to do" },
	{ "1", "failed",
	  "failed or refused, as by a critical lint; a port that failed was rolled back, and that "
	  "was verified" },
	{ "2", "differs",
	  "differs: plan has steps, or verify found drift, or a critical finding or symptom" },
	{ "3", "unknown",
	  "unknown: no such port, or a desired setting cannot be read, or is not supported, here, "
	  "or "
	  "was left to lldpad, which starts later" },
	{ "4", "rollback failed",
	  "rollback failed: the port is partially configured; the report names each setting" },
	{ "64", "usage", "usage: the command line is wrong" },
	{ "65", "invalid policy",
	  "invalid policy: it has errors, or in check a finding of severity critical; or an "
	  "environment, a log or a recording is not what it should be" },
	{ "66", "no such file",
	  "no such file: the policy, that of --check or --nccl-log, or a recording; or the "
	  "process of --pid has ended" },
	{ "75", "locked",
	  "another run holds the lock, an apply waits for confirmation, or another agent runs" },
	{ "77", "not permitted", "not permitted" },
	{ "129", "hung up",
	  "the terminal was closed: the port has its settings from before the run" },
	{ "130", "interrupted",
	  "interrupted (Ctrl-C): the port has its settings from before the run" },
	{ "143", "terminated", "terminated: the port has its settings from before the run" },
};
/* clang-format on */

const size_t exit_codes_count = sizeof(exit_codes) / sizeof(exit_codes[0]);

int exit_code_of_err(const struct err *e)
{
	/* No default: the compiler must warn when a kind is added. */
	switch (e->kind) {
	case ERR_NONE:
		return 0;
	case ERR_REFUSED:
	case ERR_SYSTEM:
	case ERR_VERIFY:
		return 1;
	case ERR_UNSUPPORTED:
	case ERR_ELSEWHERE:
	case ERR_MISSING:
	case ERR_UNKNOWN:
	case ERR_GONE:
		return 3;
	case ERR_ROLLBACK_FAILED:
		return 4;
	case ERR_USAGE:
		return 64;
	case ERR_POLICY:
		return 65;
	case ERR_NO_FILE:
		return 66;
	case ERR_LOCKED:
		return 75;
	case ERR_DENIED:
		return 77;
	case ERR_INTERRUPTED:
		return 128 + e->code;
	}
	return 1;
}

int exit_code_of_word(enum word w)
{
	if (status_words[w].severity == SEVERITY_CRITICAL)
		return EXIT_DIFFERS;
	return status_words[w].is_unknown ? EXIT_UNKNOWN : EXIT_SUCCESS;
}

struct nagios_state nagios_state_of_word(enum word w)
{
	static const struct nagios_state of_severity[SEVERITIES] = {
		[SEVERITY_IGNORE] = { "OK", 0 },
		[SEVERITY_INFO] = { "OK", 0 },
		[SEVERITY_WARNING] = { "WARNING", 1 },
		[SEVERITY_CRITICAL] = { "CRITICAL", 2 },
	};

	if (status_words[w].is_unknown)
		return (struct nagios_state){ "UNKNOWN", 3 };
	return of_severity[status_words[w].severity];
}
