#include "exit_codes.h"

/* clang-format off: one row per code */
const struct exit_code exit_codes[] = {
	{ "0", "as wished", "as wished: compliant, applied, nothing to do" },
	{ "1", "failed, port as before",
	  "failed; the port that failed is as before, and that was verified" },
	{ "2", "differs", "differs: plan has steps, or verify found drift or a grave symptom" },
	{ "3", "cannot tell",
	  "cannot tell: something wanted cannot be read, or is not supported, here" },
	{ "4", "stranded", "stranded: a change failed, and putting it back failed too" },
	{ "64", "usage", "usage: the command line is wrong" },
	{ "65", "bad policy", "bad policy: wrong, or it breaks a rule" },
	{ "66", "no such file", "the policy file does not exist" },
	{ "75", "locked",
	  "another run holds the lock, an apply waits for confirmation, or another agent runs" },
	{ "77", "not permitted", "not permitted" },
	{ "129", "hung up", "the terminal went away, and the port was put back" },
	{ "130", "interrupted", "interrupted (Ctrl-C), and the port was put back" },
	{ "143", "terminated", "terminated, and the port was put back" },
};
/* clang-format on */

const size_t exit_codes_count = sizeof(exit_codes) / sizeof(exit_codes[0]);
