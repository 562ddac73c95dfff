/* `rollback --list`: the applies in the journal and their current state. */
#ifndef LOSSLESSCTL_CLI_VERBS_ROLLBACK_LIST_H
#define LOSSLESSCTL_CLI_VERBS_ROLLBACK_LIST_H

#include "../cli.h"

/*
 * Prints the applies, newest first, including a run in progress. Returns the exit code, or -1 with
 * *err.
 */
int rollback_list(struct cli *c, struct err *err);

/* Returns its document, losslessctl/rollback-list/1. The caller owns *ret. */
bool applies_document(struct cli *c, json_t **ret, struct err *err) must_check;

#endif
