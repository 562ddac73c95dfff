/* The outcome of an apply: of a port, and of each of its steps. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_OUTCOME_H
#define LOSSLESSCTL_AGENT_ENGINE_OUTCOME_H

#include "plan.h"

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

/*
 * Returns the exit code of a run whose worst port has this outcome, with the error of the run or of
 * its first failed port: 0 if every port ended as requested, 3 if lldpad, which does not run yet,
 * has to take a part of that, 4 if a rollback failed.
 */
int exit_code_of_outcome(enum outcome worst, const struct err *e);

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

#endif
