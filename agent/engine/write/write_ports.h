/* The part shared by apply and rollback: plans under the lock, and carries the plans out. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_WRITE_WRITE_PORTS_H
#define LOSSLESSCTL_AGENT_ENGINE_WRITE_WRITE_PORTS_H

#include "../target/inventory.h"
#include "../target/target.h"
#include "confirm_watchdog.h"
#include "run.h"

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

#endif
