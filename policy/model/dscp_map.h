/*
 * Converts between the two forms of a DSCP map. A policy names some DSCPs and gives a rule for the
 * rest; internally dscp.prio has all 64 entries, and trust is set along with them.
 */
#ifndef LOSSLESSCTL_POLICY_MODEL_DSCP_MAP_H
#define LOSSLESSCTL_POLICY_MODEL_DSCP_MAP_H

#include "../util/err.h"
#include "config.h"

/*
 * Expands dscp.rest and trust into dscp.prio. Afterwards both trust and dscp.prio are set or
 * neither is, and dscp.rest is not. Fails with ERR_POLICY if they contradict each other.
 */
bool dscp_complete(struct config *c, struct err *err) must_check;

/*
 * The reverse, for output. `unlisted` is the meaning of a DSCP without an entry: REST_KEEP in the
 * output of show, REST_NONE where the exact state matters.
 */
struct config dscp_compact(const struct config *c, enum dscp_rest unlisted);

/*
 * Reverses dscp_compact(c, REST_KEEP): what show printed is the port's map again. A DSCP that is
 * not listed has no entry.
 */
void dscp_restore(struct config *c);

#endif
