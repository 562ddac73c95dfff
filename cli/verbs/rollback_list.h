/* `rollback --list`: the applies that the journal keeps, and what became of each. */
#ifndef LOSSLESSCTL_CLI_VERBS_ROLLBACK_LIST_H
#define LOSSLESSCTL_CLI_VERBS_ROLLBACK_LIST_H

#include "../cli.h"

/* Prints them, newest first, with a run that is under way. Returns the exit code, or -1 with *err.
 */
int rollback_list(struct cli *c, struct err *err);

#endif
