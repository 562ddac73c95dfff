/*
 * The process that an unconfirmed apply leaves behind: it belongs to no session, and takes the
 * apply back when its time is over, or at once when the apply dies half way.
 */
#ifndef LOSSLESSCTL_CLI_CONFIRM_WATCHDOG_H
#define LOSSLESSCTL_CLI_CONFIRM_WATCHDOG_H

#include "../agent/engine/pending_confirm.h"
#include "cli.h"

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
bool confirm_watchdog_post(struct cli *c, const char *policy, const char *began,
			   struct confirm_watchdog *ret, struct err *err) must_check;

/* The apply has ended: from now on it waits for confirmation, for so long. */
bool confirm_watchdog_wait(struct cli *c, struct confirm_watchdog *s, unsigned seconds,
			   struct err *err) must_check;

/* The apply has ended, and there is nothing to take back. */
bool confirm_watchdog_dismiss(struct cli *c, struct confirm_watchdog *s,
			      struct err *err) must_check;

#endif
