/* One writer at a time on this host, one way back that waits for `confirm`, and one agent. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_JOURNAL_LOCK_H
#define LOSSLESSCTL_AGENT_ENGINE_JOURNAL_LOCK_H

#include "../../host/host.h"

/*
 * Takes the lock, waiting up to `wait_s` seconds for another run to end. *ret
 * is a descriptor; closing it, or dying, lets go. ERR_LOCKED: another has it.
 */
bool lock_take(struct host *h, unsigned wait_s, int *ret, struct err *err) must_check;

/* Does a process hold it now? Only root can find out; for others none does. */
bool lock_is_taken(struct host *h);

/* Notes in the file behind the lock that a run which changed ports ends now. */
void lock_stamp(int lock);

/* When that was noted last, in nanoseconds of the wall clock; 0: never on this boot. */
uint64_t lock_stamped_ns(struct host *h);

/*
 * The same for what an unconfirmed apply leaves behind: whoever holds this one is alive, and
 * takes the apply back when its time is over. A child inherits it with the descriptor.
 */
bool lock_watch(struct host *h, unsigned wait_s, int *ret, struct err *err) must_check;

/* Does somebody hold it? Only root can tell; for others nobody does. */
bool lock_is_watched(struct host *h);

/* The same for the agent, whose papers have one place: waits for none. */
bool lock_agent(struct host *h, int *ret, struct err *err) must_check;

#endif
