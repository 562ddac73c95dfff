/* Locks of this host: one writer, one confirm watchdog, one agent. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_JOURNAL_LOCK_H
#define LOSSLESSCTL_AGENT_ENGINE_JOURNAL_LOCK_H

#include "../../host/host.h"

/*
 * Takes the writer's lock, waiting up to `timeout_s` seconds. *ret is a descriptor: closing it, or
 * exiting, releases the lock. ERR_LOCKED: another run holds it.
 */
bool lock_acquire(struct host *h, unsigned timeout_s, int *ret, struct err *err) must_check;

/* The same where the lock's file cannot be written, for a rollback: takes the lock of the file. */
bool lock_acquire_as_it_is(struct host *h, unsigned timeout_s, int *ret,
			   struct err *err) must_check;

/* True if the lock's file can be written: all that take the lock ask. */
bool lock_has_room(const struct host *h, struct err *err) must_check;

/* Refuses a run that waited so long for another one that writes, and names it: ERR_LOCKED. */
bool lock_refuse(struct host *h, unsigned timeout_s, struct err *err) must_check;

/* True if a process holds the writer's lock. Only root can tell; always false for others. */
bool lock_is_held(struct host *h);

/* The work that the holder of the writer's lock does on the runs in the pending journal. */
enum lock_work {
	WORK_NONE,	/* nobody holds it */
	WORK_NOT_BEGUN, /* its holder has not begun, or ends */
	WORK_APPLYING,
	WORK_ROLLING_BACK,     /* the journal's own run */
	WORK_ROLLING_BACK_ALL, /* entries of earlier runs, too */
};

/* Records it in the lock's file, for other processes; ignores a failure. */
void lock_set_work(const struct host *h, enum lock_work work);

/* Returns what the holder does now. Only root can tell; WORK_NONE for others. */
enum lock_work lock_work(const struct host *h);

/* True if nobody holds the writer's lock, and the last holder was killed at its work. */
bool lock_was_abandoned(const struct host *h);

/* Records in the lock's file that a run which changed ports ends now. */
void lock_stamp(int lock);

/*
 * Returns the last time recorded by lock_stamp(), in nanoseconds of the wall clock; 0: never on
 * this boot.
 */
uint64_t lock_stamped_ns(struct host *h);

/*
 * Takes the confirm watchdog's lock: its holder is alive, and rolls back the unconfirmed apply at
 * the deadline. A child process inherits it with the descriptor.
 */
bool lock_watch(struct host *h, unsigned timeout_s, int *ret, struct err *err) must_check;

/* True if a confirm watchdog is alive. Only root can tell; always false for others. */
bool lock_is_watched(struct host *h);

/*
 * Takes the lock of the last accepted generation, waiting a few seconds: an agent and an apply that
 * both read the old one would leave the older of theirs.
 */
bool lock_generation(struct host *h, int *ret, struct err *err) must_check;

/* Takes the agent's lock without waiting, because only one agent may write the status files. */
bool lock_agent(struct host *h, int *ret, struct err *err) must_check;

#endif
