/*
 * The process that an unconfirmed apply leaves behind: it belongs to no session, and takes the
 * apply back when its time is over, or at once when the apply dies half way.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_WRITE_CONFIRM_WATCHDOG_H
#define LOSSLESSCTL_AGENT_ENGINE_WRITE_CONFIRM_WATCHDOG_H

#include "../engine.h"
#include "../journal/pending_confirm.h"

/* How a roll-back of an unconfirmed apply ended. */
enum taken_back {
	TAKEN_BACK,
	TAKEN_BACK_IN_PART, /* a port or a setting is no longer here */
	NOT_TAKEN_BACK,	    /* *err says why */
	NOTHING_WAITS,	    /* somebody else has ended the wait */
};

/* Rolls back the apply that process `pid` watches over, or with 0 a run that did not end. */
typedef enum taken_back take_back_fn(const struct engine *e, unsigned pid, struct err *err);

struct confirm_watchdog {
	int line; /* to the process; -1: there is none */
	struct pending_confirm pending_confirm;
};

#define NO_CONFIRM_WATCHDOG ((struct confirm_watchdog){ .line = -1 })

/*
 * Gets for the process what it can have only before privileges are given up: its memory may be
 * locked, and a shortage of memory ends others first.
 */
void confirm_watchdog_provide(void);

/* Hangs up. Without a word before, the process takes back what there is to take back. */
void confirm_watchdog_leave(struct confirm_watchdog *s);
#define _confirm_watchdog_ __attribute__((cleanup(confirm_watchdog_leave)))

/*
 * Starts the process, under the lock and before the first write; `policy` and `began` name
 * the apply. Nothing is left behind when this fails.
 */
bool confirm_watchdog_post(const struct engine *e, const char *policy, const char *began,
			   take_back_fn *how, struct confirm_watchdog *ret,
			   struct err *err) must_check;

/* The apply has ended: from now on it waits for confirmation, for so long. */
bool confirm_watchdog_wait(struct host *h, struct confirm_watchdog *s, unsigned seconds,
			   struct err *err) must_check;

/* The apply has ended, and there is nothing to take back. */
bool confirm_watchdog_dismiss(struct host *h, struct confirm_watchdog *s,
			      struct err *err) must_check;

#endif
