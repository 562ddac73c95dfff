/*
 * Rolls back applies: the last one, those since a number, or the last one of named ports. An apply
 * that fails on a port rolls that port back itself (roll_back_port.h).
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_WRITE_ROLLBACK_H
#define LOSSLESSCTL_AGENT_ENGINE_WRITE_ROLLBACK_H

#include "write_ports.h"

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
 * roll back. Warns of ports that are gone: --to and named ports pass over an interrupted run that
 * left nothing else.
 */
bool rollback_find(const struct engine *e, struct run *r, struct rollback *b,
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
