/* Taking applies back: the last one, those since a number, or the last one of named ports. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_WRITE_ROLLBACK_H
#define LOSSLESSCTL_AGENT_ENGINE_WRITE_ROLLBACK_H

#include "../target/inventory.h"
#include "write.h"

/* The caller sets `to`; owned, rollback_free() frees. */
struct rollback {
	unsigned to; /* the number of the oldest apply to roll back; 0: the last one */
	struct inventory inventory;
	struct targets targets; /* none: there is nothing to do */
	unsigned number; /* of the oldest apply that is rolled back; 0: a run that did not end */
	size_t gone;	 /* ports that are not here, or whose settings were left out */
};

void rollback_free(struct rollback *b);
#define _rollback_ __attribute__((cleanup(rollback_free)))

/* A run that rolls back, to be opened (../transaction.h). */
struct run rollback_run(const struct engine *e);

/*
 * Finds the ports to roll back, with the run open, and refuses named ports that have nothing to
 * roll back. Warns of ports that are gone.
 */
bool rollback_find(const struct engine *e, const struct run *r, struct rollback *b,
		   struct err *err) must_check;

/* Carries it out, once it was planned (write_plan()). False, with *err: nothing was written. */
bool rollback_carry_out(const struct engine *e, struct run *r, struct rollback *b,
			struct write_report *ret, struct err *err) must_check;

/* Opens a run and takes an unconfirmed apply back (confirm_watchdog.h). */
take_back_fn rollback_unconfirmed;

#endif
