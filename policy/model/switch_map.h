/*
 * What switches make of a mark: the traffic class that a DSCP or a PCP lands
 * in, and which classes are lossless there. PFC pauses by priority, which on
 * all of them is the number of the class.
 */
#ifndef LOSSLESSCTL_POLICY_MODEL_SWITCH_MAP_H
#define LOSSLESSCTL_POLICY_MODEL_SWITCH_MAP_H

#include <stddef.h>

#include "config.h"

#define FABRIC_NAME_MAX 64
#define NO_TC		(-1)

/* One digit for each DSCP or PCP, the class it lands in, or '-' where nobody says. Plain data. */
struct fabric {
	char name[FABRIC_NAME_MAX];   /* what a policy says */
	char called[FABRIC_NAME_MAX]; /* in a sentence: "a switch with …" */
	enum trust trust;	      /* by which of the two it sorts RoCE v2 */
	uint8_t lossless;	      /* bit per class */
	bool has_cnp_tc;
	uint8_t cnp_tc; /* the class that it keeps for CNPs */
	char dscp_tc[DSCPS + 1], pcp_tc[PRIOS + 1];
	const char *source; /* who says so */
};

/* The switches that are known by name; ends in a row without one. */
extern const struct fabric fabrics[];

/* The row with this name, or NULL. */
const struct fabric *fabric_find(const char *name);

/* Where a DSCP or a PCP lands, or NO_TC where nobody says. */
int fabric_tc_of_dscp(const struct fabric *f, int dscp);
int fabric_tc_of_pcp(const struct fabric *f, int pcp);

/* Is it known to land, and to land in a class that is not lossless? */
bool fabric_drops(const struct fabric *f, int tc);

/* "DSCP 24 to 31": the marks that are lossless there. Returns `text`. */
const char *fabric_lossless_marks(const struct fabric *f, char *text, size_t size);

#endif
