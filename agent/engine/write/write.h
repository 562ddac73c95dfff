/* The part that apply and rollback share: planning under the lock, and carrying the plans out. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_WRITE_WRITE_H
#define LOSSLESSCTL_AGENT_ENGINE_WRITE_WRITE_H

#include "../target/target.h"
#include "confirm_watchdog.h"

struct write_request {
	const struct policy *policy; /* that is applied; NULL: a rollback */
	unsigned confirm_s;	 /* how long an apply waits for confirmation; 0: it needs none */
	take_back_fn *take_back; /* rolls back an apply that is not confirmed */
};

/* How it went; each target has its own result beside. Plain data. */
struct write_report {
	enum outcome outcome;	     /* the worst of all ports */
	struct err err;		     /* of the run or of its first failed port; else ERR_NONE */
	struct pending_confirm wait; /* until[0]: it waits for confirmation */
};

/* Did every port end as it should? */
bool write_succeeded(const struct write_report *r);

/*
 * Plans every target by what the port has now, and checks the plans. A rollback goes on without
 * VLAN devices that no longer exist.
 */
bool write_plan(const struct engine *e, const struct run *r, struct targets *all,
		struct err *err) must_check;

/*
 * Carries the plans out, unless one is refused. False, with *err: nothing was written; else the
 * report says how it went.
 */
bool write_carry_out(const struct engine *e, struct run *r, const struct write_request *q,
		     struct targets *all, struct write_report *ret, struct err *err) must_check;

#endif
