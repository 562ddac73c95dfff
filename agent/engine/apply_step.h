/* Writes one step of a plan to a port, for apply and for its rollback. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_APPLY_STEP_H
#define LOSSLESSCTL_AGENT_ENGINE_APPLY_STEP_H

#include "outcome.h"

/* The apply of a plan to one port. */
struct apply_ctx {
	struct host *h;
	struct features all;
	struct port port; /* under its current name */
	const struct plan *plan;
	const struct config *goal; /* the settings that a failure restores */
	bool had_carrier;	   /* if set, the link must be back afterwards */
	setting_set unseen;	   /* reset to 0 by a failed write, and read otherwise */
	setting_set stuck; /* those of `unseen` that no write restores until the driver restarts */
	setting_set written;   /* touched by write requests, successful or not */
	setting_set rewritten; /* hidden from reads, and written by the rollback */
	struct result *ret;
};

/*
 * Carries out a step from the configuration `from`: writes, waits for the link, and checks that the
 * write reached this port.
 */
bool apply_step(struct apply_ctx *ctx, const struct config *from, const struct step *s,
		struct err *err) must_check;

/* Writes the settings again that depend on those that plan `p` touched. */
bool apply_dependent(struct apply_ctx *ctx, const struct plan *p, struct err *err) must_check;

#endif
