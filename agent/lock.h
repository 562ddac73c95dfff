/* One writer at a time on this host. */
#ifndef LOSSLESSCTL_AGENT_LOCK_H
#define LOSSLESSCTL_AGENT_LOCK_H

#include "host.h"

/*
 * Takes the lock, waiting up to `wait_s` seconds for another run to end. *ret
 * is a descriptor; closing it, or dying, lets go. ERR_LOCKED: another has it.
 */
bool lock_take(struct host *h, unsigned wait_s, int *ret, struct err *err) must_check;

#endif
