/*
 * Carrying out a plan on one port: write, wait for the link, read back, prove;
 * or put the port back and prove that. Nothing here knows a feature by name.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_APPLY_H
#define LOSSLESSCTL_AGENT_ENGINE_APPLY_H

#include "observe.h"
#include "plan.h"

/* In rising order of alarm: a run's outcome is that of its worst port. */
enum outcome {
	OUTCOME_UNCHANGED,
	OUTCOME_APPLIED,
	OUTCOME_AWAITING, /* applied, but not yet confirmed */
	OUTCOME_NOT_REACHED,
	OUTCOME_REFUSED,
	OUTCOME_ROLLED_BACK,
	OUTCOME_STRANDED,
};

/* The word that stands for it in JSON: "applied". */
const char *outcome_name(enum outcome o);

struct result {
	enum outcome outcome;
	size_t steps;			 /* done */
	bool step_failed;		 /* the one after them failed */
	setting_set ineffective;	 /* read otherwise after all steps were done */
	struct err err;			 /* why it was not applied */
	unsigned rollback_tries;	 /* to restore the port; 0: there was no need */
	struct err rollback_err;	 /* why the last try failed */
	setting_set stranded;		 /* what could not be put back, or not proven to be */
	setting_set unseen;		 /* of that: fell to the value 0, and reads otherwise */
	setting_set stuck;		 /* of these: until the driver starts again */
	struct lost_settings lost;	 /* what is known of the port afterwards */
	bool no_carrier;		 /* the link did not come back */
	char misdirected[LINK_NAME_MAX]; /* another port by now, which may have been written to; or
					  * ""
					  */
	struct config now; /* as last read, but for `unseen`; filled when the rollback failed */
};

/* How far one step of a plan came. */
enum step_status { STEP_DONE, STEP_FAILED, STEP_NOT_ATTEMPTED };

/* The status of step `i`. A step that was done and had no effect has failed. */
enum step_status step_status(const struct plan *p, const struct result *r, size_t i);

/* The word that stands for it in JSON: "not_attempted". */
const char *step_status_name(enum step_status s);

/*
 * Carries out a plan. Interrupted by a signal, it finishes the step in hand
 * and puts the port back. Returns whether the port is as wished, and fills *ret.
 */
bool plan_apply(struct host *h, struct features all, const struct port *port, const struct plan *p,
		struct result *ret);

/*
 * Puts a port back to what it was before its plan, whether that was begun or not: what was meant
 * for a port that had its name a moment ago may have reached it.
 */
void plan_undo(struct host *h, struct features all, const struct port *port, const struct plan *p,
	       struct result *ret);

/*
 * Proves that the port has what is wanted, with patience; ERR_VERIFY names what differs, and
 * so does *ret_off where it is not NULL.
 */
bool verify_applied(struct host *h, struct features all, const struct port *port,
		    const struct config *desired, setting_set *ret_off, struct err *err) must_check;

#endif
