/*
 * The last runs of `losslessctl ready --require N/M`, so that one failed run drains no node. They
 * are in a file of /run/losslessctl, which a helper (helper_process.h) keeps: the verb itself only
 * reads.
 */
#ifndef LOSSLESSCTL_CLI_SANDBOX_READY_HISTORY_H
#define LOSSLESSCTL_CLI_SANDBOX_READY_HISTORY_H

#include "../../policy/util/err.h"

#define READY_RUNS_MAX 64

/* Starts the helper. *ret is its socket, owned by the caller. ERR_DENIED: the user is not root. */
bool ready_history_start(int *ret, struct err *err) must_check;

/* Adds a run. *ret_bad is the number of bad ones among the last `of`, this one among them. */
bool ready_history_add(int helper, bool is_bad, unsigned of, unsigned *ret_bad,
		       struct err *err) must_check;

#endif
