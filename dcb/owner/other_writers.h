/* Finds management programs of other makers by their processes. */
#ifndef LOSSLESSCTL_DCB_OWNER_OTHER_WRITERS_H
#define LOSSLESSCTL_DCB_OWNER_OTHER_WRITERS_H

#include "../../agent/engine/other_writers.h"
#include "../../agent/host/host.h"

/* Whether programs of other makers run: all are looked for in one walk over /proc, once a run. */

/* True if one of `names` may run, which are of the list in the source; NULL ends them. */
bool known_programs_run(struct host *h, const char *const *names);

/*
 * Finds those of root in this network namespace, which a DaemonSet with `hostNetwork` shares. A
 * program in a process namespace of its own is visible from the host, but not the other way round.
 */
void other_writers_find(struct host *h, struct other_writers *ret);

#endif
