/* What an lldpad that ended has taken along. */
#ifndef LOSSLESSCTL_DCB_LLDPAD_EXIT_DAMAGE_H
#define LOSSLESSCTL_DCB_LLDPAD_EXIT_DAMAGE_H

#include "../../agent/engine/feature.h"

/*
 * An lldpad without -R deletes, when it ends, the APP entries that it knows, and
 * mlx5 trusts DSCP only while there is one. Does what a port lacks look like
 * that? By lldpad's file, which still has them, or by what is left. Says so in
 * `ret`, a sentence, or leaves it empty.
 */
void lldpad_likely_cause(struct host *h, const struct port *port, const struct config *desired,
			 const struct config *actual, char ret[LIKELY_CAUSE_MAX]);

#endif
