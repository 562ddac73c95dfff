/*
 * Applies a plan to one port: write, wait for the link, read back, verify; or roll back and verify
 * that. Knows no feature by name.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_WRITE_APPLY_PORT_H
#define LOSSLESSCTL_AGENT_ENGINE_WRITE_APPLY_PORT_H

#include "../../host/host.h"
#include "../observe.h"
#include "../outcome.h"
#include "../plan.h"

/*
 * Carries out a plan. A failure rolls it back; in the plan of a rollback, a write that fails stops
 * only itself. On a signal, finishes the current step and returns to the settings from before the
 * plan. Fills *ret. Returns true if the port is in sync.
 */
bool apply_port(struct host *h, struct features all, const struct port *port, const struct plan *p,
		struct result *ret);

/*
 * True if the plan has no step, and the reading that it was made from is as desired. Then fills
 * *ret. This proves a port that nothing was written to since that reading.
 */
bool apply_is_in_effect(const struct plan *p, struct result *ret);

#endif
