/* Recognises entries that lldpad deleted when it ended. */
#ifndef LOSSLESSCTL_DCB_LLDPAD_EXIT_DAMAGE_H
#define LOSSLESSCTL_DCB_LLDPAD_EXIT_DAMAGE_H

#include "../../agent/engine/feature.h"

/*
 * Explains missing APP entries. An lldpad without -R deletes the entries that it knows when it
 * ends, and mlx5 trusts DSCP only while it has one. Recognised by lldpad's file, which still lists
 * them, or by the remaining entries. Writes a sentence to `ret`, or "" if lldpad is not the likely
 * cause.
 */
void lldpad_likely_cause(struct host *h, const struct port *port, const struct config *desired,
			 const struct config *actual, char ret[LIKELY_CAUSE_MAX]);

#endif
