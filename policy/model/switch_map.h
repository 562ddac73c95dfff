/*
 * How switches classify frames: the traffic class of each DSCP or PCP, and which classes are
 * lossless. PFC pauses by priority, and on all of these switches the priority is the number of the
 * class.
 */
#ifndef LOSSLESSCTL_POLICY_MODEL_SWITCH_MAP_H
#define LOSSLESSCTL_POLICY_MODEL_SWITCH_MAP_H

#include <stddef.h>

#include "config.h"

#define SWITCH_MAP_NAME_MAX 64
#define NO_TC		    (-1)

/* The longest detection time of a watchdog: 1000 polls of 5 s (Cumulus Linux). */
#define WATCHDOG_MS_MAX 5000000

/*
 * One digit for each DSCP or PCP, its traffic class, or '-' if the source does not state it. Plain
 * data.
 */
struct switch_map {
	char name[SWITCH_MAP_NAME_MAX];		/* name in a policy */
	char display_name[SWITCH_MAP_NAME_MAX]; /* in a sentence: "a switch with …" */
	enum trust trust;			/* the mark by which it classifies RoCE v2 */
	uint8_t lossless;			/* bit per class */
	bool has_cnp_tc;
	uint8_t cnp_tc; /* the class reserved for CNPs */
	char dscp_tc[DSCPS + 1], pcp_tc[PRIOS + 1];
	const char *source; /* the document that states it */

	/*
	 * Where its PFC watchdog is on: pause that lasts as long makes it drop the queue. The
	 * shortest of its defaults; 0: unknown.
	 */
	uint32_t watchdog_ms;
	const char *watchdog_source; /* NULL: unknown */
};

/* Known switches; the last row has an empty name. */
extern const struct switch_map switch_maps[];

/* The switch map with this name, or NULL. */
const struct switch_map *switch_map_find(const char *name);

/* The traffic class of a DSCP or PCP; NO_TC if the map does not state it. */
int switch_map_tc_of_dscp(const struct switch_map *f, int dscp);
int switch_map_tc_of_pcp(const struct switch_map *f, int pcp);

/* True if `tc` is known and is not lossless. */
bool switch_map_drops(const struct switch_map *f, int tc);

/* The lossless marks as text: "DSCP 24 to 31", or "none". Returns `text`. */
const char *switch_map_lossless_marks(const struct switch_map *f, char *text, size_t size);

#endif
