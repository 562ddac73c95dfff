/*
 * The confirm watchdog: a process without a session that rolls back an unconfirmed apply at the
 * deadline, or at once if the apply dies half way.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_WRITE_CONFIRM_WATCHDOG_H
#define LOSSLESSCTL_AGENT_ENGINE_WRITE_CONFIRM_WATCHDOG_H

#include "../engine.h"
#include "../journal/pending_confirm.h"
#include "../../host/log.h"

/* The outcome of rolling back an unconfirmed apply. */
enum rollback_end {
	ROLLBACK_DONE,
	ROLLBACK_PARTIAL,  /* a port or a setting is gone or cannot be read */
	ROLLBACK_NOT_DONE, /* *err has the reason */
	NOTHING_PENDING,   /* another process ended the wait */
};

/*
 * Rolls back the apply that the calling process watches. Without `ours` it is not that process, and
 * rolls back whichever run was interrupted.
 */
typedef enum rollback_end rollback_fn(const struct engine *e, const struct pending_confirm *ours,
				      struct err *err);

/* Logs how the rollback of an unconfirmed apply ended. */
void rollback_end_log(const struct log *log, enum rollback_end end, const struct err *err);

struct confirm_watchdog {
	int line; /* socket to the watchdog; -1: none */
	struct pending_confirm pending_confirm;
};

#define NO_CONFIRM_WATCHDOG ((struct confirm_watchdog){ .line = -1 })

/*
 * Acquires, before privileges are dropped, the right to lock memory and protection from the OOM
 * killer.
 */
void confirm_watchdog_prepare(void);

/* Close; unless dismissed first, the watchdog rolls back. */
void confirm_watchdog_disarm(struct confirm_watchdog *s);
#define _confirm_watchdog_ __attribute__((cleanup(confirm_watchdog_disarm)))

/*
 * Starts the watchdog, under the lock and before the first write; `policy` and `started_at` name
 * the apply. On failure nothing is left behind.
 */
bool confirm_watchdog_arm(const struct engine *e, const char *policy, const char *started_at,
			  rollback_fn *how, struct confirm_watchdog *ret,
			  struct err *err) must_check;

/* Reports that the apply has ended and waits `seconds` for confirmation. */
bool confirm_watchdog_wait(struct host *h, struct confirm_watchdog *s, unsigned seconds,
			   struct err *err) must_check;

/* Reports that the apply has ended and there is nothing to roll back. */
bool confirm_watchdog_dismiss(struct host *h, struct confirm_watchdog *s,
			      struct err *err) must_check;

#endif
