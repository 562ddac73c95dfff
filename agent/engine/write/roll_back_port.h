/* Takes a port whose apply failed back to the settings from before, and verifies that. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_WRITE_ROLL_BACK_PORT_H
#define LOSSLESSCTL_AGENT_ENGINE_WRITE_ROLL_BACK_PORT_H

#include "write_step.h"

/*
 * Restores ctx->goal. Sets ctx->ret: the outcome, and the settings that are not restored. The
 * caller has recorded the cause in ctx->ret->err. Returns true if that was the aim of the plan
 * itself, and is reached: the cause is dropped.
 */
bool roll_back_port(struct apply_ctx *ctx);

/*
 * Rolls a port back even if its plan was never started: writes for another port that had its name
 * may have reached it.
 */
void roll_back_port_unstarted(struct host *h, struct features all, const struct port *port,
			      const struct plan *p, struct result *ret);

#endif
