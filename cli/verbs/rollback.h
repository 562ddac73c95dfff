/* Taking the last apply back, for others than the verb. */
#ifndef LOSSLESSCTL_CLI_VERBS_ROLLBACK_H
#define LOSSLESSCTL_CLI_VERBS_ROLLBACK_H

#include "../cli.h"

/*
 * Takes back the apply that process `pid` watches over, or with 0 a run that did not end, as
 * `rollback` would, with the host that is open. Returns the exit code, or -1 with *err;
 * NOTHING_WAITS when somebody else has ended the wait.
 */
int rollback_unconfirmed(struct cli *c, unsigned pid, struct err *err);

#define NOTHING_WAITS (-2)

#endif
