/*
 * How a DSCP map is written and what it means. A policy names some DSCPs and
 * says what the rest get; inside, all 64 stand in dscp.prio, and trust goes
 * with them.
 */
#ifndef LOSSLESSCTL_POLICY_MODEL_DSCP_MAP_H
#define LOSSLESSCTL_POLICY_MODEL_DSCP_MAP_H

#include "../util/err.h"
#include "config.h"

/*
 * Folds dscp.rest and trust into dscp.prio: afterwards trust and dscp.prio are
 * both wanted or neither is, and dscp.rest is not. Fails with ERR_POLICY when
 * they contradict each other.
 */
bool dscp_complete(struct config *c, struct err *err) must_check;

/*
 * The other way, for printing. `unlisted` says what a DSCP without an entry
 * means: REST_KEEP in what show prints, REST_NONE where the exact state counts.
 */
struct config dscp_spelled(const struct config *c, enum dscp_rest unlisted);

#endif
