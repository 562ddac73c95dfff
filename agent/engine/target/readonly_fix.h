/* The fix for a difference that losslessctl verifies and never repairs. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_TARGET_READONLY_FIX_H
#define LOSSLESSCTL_AGENT_ENGINE_TARGET_READONLY_FIX_H

#include "../feature.h"
#include "target.h"

#define READONLY_FIX_MAX 512

/* A setting that differs; borrows both configurations. */
struct difference {
	unsigned setting;
	const struct config *desired, *actual;
};

/*
 * Writes the feature's hint with the port's and the setting's values for the words PORT, ADDRESS
 * and VALUE, so that its commands can be run as they are. Returns buf.
 */
const char *readonly_fix(const struct feature *f, const struct port *port,
			 const struct difference *d, char buf[READONLY_FIX_MAX]);

/*
 * The same for a setting of the target. If another controller owns it, the fix names that; it
 * borrows nothing.
 */
const char *target_readonly_fix(const struct target *t, const struct feature *f, unsigned setting,
				char buf[READONLY_FIX_MAX]);

#endif
