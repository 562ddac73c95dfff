#include "exit_codes.h"

/* clang-format off: one row per code */
const struct exit_code exit_codes[] = {
	{ "0", "success", "success: in sync, applied, rolled back, or nothing to do" },
	{ "1", "failed",
	  "failed or refused, as by a critical lint; a port that failed was rolled back, and that "
	  "was verified" },
	{ "2", "differs",
	  "differs: plan has steps, or verify found drift, or a critical finding or symptom" },
	{ "3", "unknown",
	  "unknown: no such port, or a desired setting cannot be read, or is not supported, here" },
	{ "4", "rollback failed",
	  "rollback failed: the port is partially configured; the report names each setting" },
	{ "64", "usage", "usage: the command line is wrong" },
	{ "65", "invalid policy",
	  "invalid policy: it has errors, or in check a finding of severity critical; or an "
	  "environment, a log or a recording is not what it should be" },
	{ "66", "no such file",
	  "no such file: the policy, that of --check or --nccl-log, or a recording; or the "
	  "process "
	  "of --pid has ended" },
	{ "75", "locked",
	  "another run holds the lock, an apply waits for confirmation, or another agent runs" },
	{ "77", "not permitted", "not permitted" },
	{ "129", "hung up", "the terminal was closed, and the port was rolled back" },
	{ "130", "interrupted", "interrupted (Ctrl-C), and the port was rolled back" },
	{ "143", "terminated", "terminated, and the port was rolled back" },
};
/* clang-format on */

const size_t exit_codes_count = sizeof(exit_codes) / sizeof(exit_codes[0]);
