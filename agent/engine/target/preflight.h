/* Checks a plan before the first write. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_TARGET_PREFLIGHT_H
#define LOSSLESSCTL_AGENT_ENGINE_TARGET_PREFLIGHT_H

#include "../feature.h"
#include "target.h"

/* The fix for a difference that losslessctl verifies and never repairs. */

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

/* Members of a bond carry the same traffic, so they need the same settings. */

/* Refuses bond members whose desired settings differ. */
void bonds_check(struct targets *all);

/*
 * Lets guards look at the port of a planned task. Optional: preflight() of several ports, each of
 * which was looked at before, waits once.
 */
void preflight_look(const struct engine *e, struct target *t);

/*
 * Checks a planned task: adds a refusal for each obstacle, and to t->lints the findings that refuse
 * nothing. Warns of problems that block nothing. Of a captured host only standing guards are asked.
 */
void preflight(const struct engine *e, struct target *t);

/*
 * Returns the settings of a planned rollback that cannot be restored here: those that only a
 * feature without a write reads now, and those that must fit an unreadable one, as pause must fit
 * PFC.
 */
setting_set preflight_unrestorable(const struct target *t);

/*
 * Returns the configuration after the plan, as the lints of t->lints see it. What the firmware
 * derives from the writes is unknown until preflight_look_again().
 */
struct config preflight_setup(const struct target *t);

/* Reads after the writes what no plan foresees, and leaves in t->lints what that adds. */
void preflight_look_again(const struct engine *e, struct target *t);

#endif
