/* Writes one step of a plan to a port, and waits for the link where the step takes it down. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_WRITE_WRITE_STEP_H
#define LOSSLESSCTL_AGENT_ENGINE_WRITE_WRITE_STEP_H

#include "../../host/host.h"
#include "../observe.h"
#include "../outcome.h"

/* Maximum wait for a link that a step took down. */
#define CARRIER_WAIT_MS 60000

/* Reads whether the link is up and, for a bond member, in use by LACP. */
bool carrier_read(struct host *h, const struct port *port, bool *ret, struct err *err) must_check;

/*
 * The same before a run, which has to bring back what it finds. A member that its bond does not use
 * is judged by its link alone: *port is of no bond from then on.
 */
bool carrier_expected(struct host *h, struct port *port, bool *ret, struct err *err) must_check;

/*
 * Waits until the link is up, and reports the wait to the user. If it `flaps`, a link that was not
 * seen down counts only after a grace period. Fails with ERR_SYSTEM (ENETDOWN) on a timeout, and
 * with ERR_INTERRUPTED at a stop request if it `yields`. Under `no_link_wait`, a stop request ends
 * any wait as if the link were up.
 */
bool carrier_wait(struct host *h, const struct port *port, bool flaps, bool yields,
		  struct err *err) must_check;

/* Time between two readings of what was written, in milliseconds. */
#define SETTLE_MS 200

/* The apply of a plan to one port, forward and back. */
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
	bool rolling_back;
	bool link_stays_down; /* a whole wait of this way, forward or back, was in vain */
	bool wait_was_cut;    /* by a stop request, after a step that was written */
	struct result *ret;
};

/*
 * Waits for the link; sets `link_stays_down` and `wait_was_cut`. A stop request ends the wait of
 * the way forward, and nothing that of the way back.
 */
bool write_wait_for_link(struct apply_ctx *ctx, bool flaps, struct err *err) must_check;

/*
 * Carries out a step from the configuration `from`: writes, waits for the link, and checks that the
 * write reached this port.
 */
bool write_step(struct apply_ctx *ctx, const struct config *from, const struct step *s,
		struct err *err) must_check;

/* Writes the settings again that depend on those that plan `p` touched. */
bool write_dependents(struct apply_ctx *ctx, const struct plan *p, struct err *err) must_check;

#endif
