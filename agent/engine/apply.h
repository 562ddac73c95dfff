/*
 * Applies a plan to one port: write, wait for the link, read back, verify; or roll back and verify
 * that. Knows no feature by name.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_APPLY_H
#define LOSSLESSCTL_AGENT_ENGINE_APPLY_H

#include "../host/host.h"
#include "observe.h"
#include "plan.h"

/* ---- outcomes ---- */

/* The outcome of an apply: of a port, and of each of its steps. */

/* In order of severity: the outcome of a run is that of its worst port. */
enum outcome {
	OUTCOME_UNCHANGED,
	OUTCOME_APPLIED,
	OUTCOME_ROLLED_BACK, /* by a rollback that succeeded */
	OUTCOME_AWAITING,    /* applied, but not yet confirmed */
	OUTCOME_NOT_ATTEMPTED,
	OUTCOME_REFUSED,
	OUTCOME_FAILED, /* rolled back, and verified */
	OUTCOME_ROLLBACK_FAILED,
};

/* Returns the name in JSON: "applied". */
const char *outcome_name(enum outcome o);

struct result {
	enum outcome outcome;
	size_t steps;		 /* steps done */
	bool step_failed;	 /* the next step failed */
	setting_set ineffective; /* not in effect after all steps were done */
	struct err err;		 /* the reason for a failure */
	unsigned rollback_tries; /* attempts to roll back; 0: none was needed */
	struct err rollback_err; /* the error of the last attempt */
	/*
	 * Settings that were not restored, or not provably. If the rollback succeeded, those that
	 * no write can restore.
	 */
	setting_set not_rolled_back;
	setting_set unseen;	   /* part of not_rolled_back: reset to 0, but read otherwise */
	setting_set stuck;	   /* those of `unseen` that stay lost until the driver restarts */
	struct lost_settings lost; /* losses known after the run */
	bool lldpad_alone; /* lldpad keeps all of not_rolled_back: the kernel is as before */
	bool no_carrier;   /* the link did not come back up */
	char misdirected[LINK_NAME_MAX]; /* name of another port by now, maybe written to; or "" */
	struct config now;		 /* last read, except for `unseen`; set by a rollback */
};

/* The progress of one step of a plan. */
enum step_status { STEP_DONE, STEP_FAILED, STEP_NOT_ATTEMPTED };

/* Returns the status of step `i`. A step without effect counts as failed. */
enum step_status step_status(const struct plan *p, const struct result *r, size_t i);

/* Returns the name in JSON: "not_attempted". */
const char *step_status_name(enum step_status s);

/* ---- waiting for the link ---- */

/* Waits for the link to come back after a step that takes it down. */

/* Maximum wait for a link that a step took down. */
#define CARRIER_WAIT_MS 60000

/* Reads whether the link is up and, for a bond member, in use by LACP. */
bool carrier_read(struct host *h, const struct port *port, bool *ret, struct err *err) must_check;

/*
 * Waits until the link is up, and reports the wait to the user. If it `flaps`, a link that was not
 * seen down counts only after a grace period. Fails with ERR_SYSTEM (ENETDOWN) on a timeout, and
 * with ERR_INTERRUPTED at a stop request if it `yields`. Under `no_link_wait`, a stop request ends
 * any wait as if the link were up.
 */
bool carrier_wait(struct host *h, const struct port *port, bool flaps, bool yields,
		  struct err *err) must_check;

/* ---- apply ---- */

/*
 * Carries out a plan. A failure rolls it back; in the plan of a rollback, a write that fails stops
 * only itself. On a signal, finishes the current step and returns to the settings from before the
 * plan. Fills *ret. Returns true if the port is in sync.
 */
bool plan_apply(struct host *h, struct features all, const struct port *port, const struct plan *p,
		struct result *ret);

/*
 * True if the plan has no step, and the reading that it was made from is as desired. Then fills
 * *ret. This proves a port that nothing was written to since that reading.
 */
bool plan_is_in_effect(const struct plan *p, struct result *ret);

/*
 * Verifies that the desired settings are in effect; reads again for a while. Fails with ERR_VERIFY,
 * which names the settings that differ, and stores them in *ret_off unless that is NULL.
 */
bool verify_applied(struct host *h, struct features all, const struct port *port,
		    const struct config *desired, setting_set *ret_off, struct err *err) must_check;

/*
 * Rolls a port back even if its plan was never started: writes for another port that had its name
 * may have reached it.
 */
void apply_roll_back_unstarted(struct host *h, struct features all, const struct port *port,
			       const struct plan *p, struct result *ret);

#endif
