/*
 * The process that an unconfirmed apply leaves behind: it belongs to no session, and takes the
 * apply back when its time is over, or at once when the apply dies half way.
 */
#ifndef LOSSLESSCTL_CLI_SENTRY_H
#define LOSSLESSCTL_CLI_SENTRY_H

#include "../agent/engine/pending_confirm.h"
#include "cli.h"

struct sentry {
	int line; /* to the process; -1: there is none */
	struct waiting waiting;
};

#define NO_SENTRY ((struct sentry){ .line = -1 })

/*
 * Gets for the process what it can have only before privileges are given up: its memory may be
 * locked, and a shortage of memory ends others first.
 */
void sentry_provide(void);

/* Hangs up. Without a word before, the process takes back what there is to take back. */
void sentry_leave(struct sentry *s);
#define _sentry_ __attribute__((cleanup(sentry_leave)))

/*
 * Starts the process, under the lock and before the first write; `policy` and `began` name
 * the apply. Nothing is left behind when this fails.
 */
bool sentry_post(struct cli *c, const char *policy, const char *began, struct sentry *ret,
		 struct err *err) must_check;

/* The apply has ended: from now on it waits for confirmation, for so long. */
bool sentry_wait(struct cli *c, struct sentry *s, unsigned seconds, struct err *err) must_check;

/* The apply has ended, and there is nothing to take back. */
bool sentry_dismiss(struct cli *c, struct sentry *s, struct err *err) must_check;

#endif
