/* Finds management programs of other makers by their processes. */
#ifndef LOSSLESSCTL_DCB_OWNER_FIND_WRITERS_H
#define LOSSLESSCTL_DCB_OWNER_FIND_WRITERS_H

#include "../../agent/engine/other_writers.h"
#include "../../agent/host/host.h"

/*
 * Finds those of root in this network namespace, which a DaemonSet with `hostNetwork` shares. A
 * program in a process namespace of its own is visible from the host, but not the other way round.
 */
void other_writers_find(struct host *h, struct other_writers *ret);

#endif
