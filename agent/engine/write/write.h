/* The part shared by apply and rollback: plans under the lock, and carries the plans out. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_WRITE_WRITE_H
#define LOSSLESSCTL_AGENT_ENGINE_WRITE_WRITE_H

#include "../target/inventory.h"
#include "../target/target.h"
#include "confirm_watchdog.h"

struct write_request {
	const struct policy *policy; /* the policy to apply; NULL: a rollback */
	unsigned confirm_s;	     /* time for confirmation; 0: none is needed */
	rollback_fn *on_expiry;	     /* rolls back an apply that is not confirmed */
};

/* The outcome of a run; each target has its own result. Plain data. */
struct write_report {
	enum outcome outcome;	     /* the worst of all ports */
	struct err err;		     /* error of the run or its first failed port; else ERR_NONE */
	struct pending_confirm wait; /* waits for confirmation if expires_at[0] */
};

/* True if every port ended as requested. */
bool write_succeeded(const struct write_report *r);

/*
 * Plans every target from its actual settings, and checks the plans. A rollback skips VLAN devices
 * that no longer exist.
 */
bool write_plan(const struct engine *e, const struct run *r, struct targets *all,
		struct err *err) must_check;

/* True if write_carry_out() carries out no plan: a port is refused, or every port is. */
bool write_is_refused(const struct run *r, const struct targets *all);

/*
 * Carries out the plans, unless one is refused. False, with *err: nothing was written; else the
 * report has the outcome.
 */
bool write_carry_out(const struct engine *e, struct run *r, const struct write_request *q,
		     struct targets *all, struct write_report *ret, struct err *err) must_check;

/* ---- rolling back ---- */

/*
 * Rolls back applies: the last one, those since a number, or the last one of named ports. What an
 * apply rolls back by itself, because a port failed, is in ../apply.c.
 */

/* The caller sets `to`; owned by the caller, rollback_free() frees. */
struct rollback {
	unsigned to; /* the number of the oldest apply to roll back; 0: the last one */
	struct inventory inventory;
	struct targets targets; /* empty: nothing to do */
	unsigned number;	/* number of the oldest apply to roll back; 0: an interrupted run */
	size_t gone;		/* ports that no longer exist, or had settings left out */
};

void rollback_free(struct rollback *b);
#define _rollback_ __attribute__((cleanup(rollback_free)))

/* Returns a run that rolls back, to be opened (../run.h). */
struct run rollback_run(const struct engine *e);

/*
 * Finds the ports to roll back, with the run open, and refuses named ports that have nothing to
 * roll back. Warns of ports that are gone.
 */
bool rollback_find(const struct engine *e, const struct run *r, struct rollback *b,
		   struct err *err) must_check;

/* Returns the port of a journal's entry, or NULL if it is gone. */
const struct port *rollback_port_of(const struct journal *j, const struct journal_entry *e,
				    const struct inventory *inv);

/* Carries out a rollback planned by write_plan(). False, with *err: nothing was written. */
bool rollback_carry_out(const struct engine *e, struct run *r, struct rollback *b,
			struct write_report *ret, struct err *err) must_check;

/* Opens a run and rolls back an unconfirmed apply (confirm_watchdog.h). */
rollback_fn rollback_unconfirmed;

#endif
