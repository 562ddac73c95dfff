/*
 * Congestion controls that a policy can name: what each asserts of a port, which settings belong to
 * another controller, and which contradict it.
 */
#ifndef LOSSLESSCTL_POLICY_MODEL_CONGESTION_CONTROL_H
#define LOSSLESSCTL_POLICY_MODEL_CONGESTION_CONTROL_H

#include "setting_table.h"

struct congestion_control {
	const char *name; /* in a policy */
	const char *description;
	const char *owner;	/* the controller; NULL: DCQCN, by the port's settings */
	struct config asserted; /* settings that every profile gets unless it has them */
	setting_set verified;	/* settings of the owner: verified, never written */
	setting_set rejected;	/* settings that no policy with this congestion control has */
	const char *reason;	/* why they are rejected; NULL: none is */
	const char *source;	/* the document that states it */
};

/* The settings that decide how the port answers congestion: ecn.*, cnp.* and dcqcn.*. */
extern const setting_set congestion_settings;

/* All rows; the last one has no name. */
extern const struct congestion_control congestion_controls[];

/* The row with this name, or NULL. */
const struct congestion_control *congestion_control_find(const char *name);

/* The settings that a policy with this congestion control verifies only. `c` may be NULL: none. */
setting_set congestion_verified(const struct congestion_control *c);

#endif
