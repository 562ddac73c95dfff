/*
 * The last looks of `losslessctl ready --require N/M`, so that one bad look drains no node. They
 * are in a file of /run/losslessctl, which a helper (helper_process.h) keeps: the verb itself only
 * reads.
 */
#ifndef LOSSLESSCTL_CLI_SANDBOX_LOOK_HISTORY_H
#define LOSSLESSCTL_CLI_SANDBOX_LOOK_HISTORY_H

#include "../../policy/util/err.h"

#define LOOKS_MAX 64

/* Starts the helper. *ret is its socket, owned by the caller. ERR_DENIED: the user is not root. */
bool look_history_start(int *ret, struct err *err) must_check;

/* Adds a look. *ret_bad is the number of bad ones among the last `of`, this one among them. */
bool look_history_add(int helper, bool is_bad, unsigned of, unsigned *ret_bad,
		      struct err *err) must_check;

#endif
