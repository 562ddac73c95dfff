/*
 * The last runs of `losslessctl ready --require N/M`: one failed run drains no node. A helper keeps
 * their results in a file (helper.h).
 */
#ifndef LOSSLESSCTL_CLI_SANDBOX_READY_HISTORY_H
#define LOSSLESSCTL_CLI_SANDBOX_READY_HISTORY_H

#include "../../agent/host/helper_line.h"

#define READY_RUNS_MAX 64

/* ERR_DENIED: the user is not root. */
bool ready_history_is_permitted(struct err *err) must_check;

/* Adds a run. *ret_bad is the number of bad ones among the last `of`, this one among them. */
bool ready_history_add(int helper, bool is_bad, unsigned of, unsigned *ret_bad,
		       struct err *err) must_check;

helper_answer_fn ready_history_answer;

#endif
