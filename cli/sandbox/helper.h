/*
 * Helper processes, forked before the rights are dropped: each keeps what a few tasks need and this
 * process may not have. They share nothing with it but a line (agent/host/helper_line.h), and read
 * no policy. Closing its line ends a helper.
 */
#ifndef LOSSLESSCTL_CLI_SANDBOX_HELPER_H
#define LOSSLESSCTL_CLI_SANDBOX_HELPER_H

#include "../../policy/util/err.h"

enum helper {
	HELPER_FIRMWARE,  /* queries the firmware, and the adapter's place in the host */
	HELPER_LOADER,	  /* loads modules */
	HELPER_SIGNATURE, /* verifies signatures */
	HELPER_READY,	  /* keeps the results of `ready` */
	HELPER_OUTPUT,	  /* names the file of a report */
	HELPER_PERFTEST,  /* runs perftest */
	HELPERS
};

/*
 * Starts a helper. `arg` is for the functions of its tasks, and *kept (NULL: none) a descriptor
 * that it keeps, whose number is another one there. *ret is the line, owned by the caller. Errors:
 * ERR_SYSTEM.
 */
bool helper_start(enum helper helper, void *arg, int *kept, int *ret, struct err *err) must_check;

#endif
