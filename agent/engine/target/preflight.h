/* Checks a plan before the first write. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_TARGET_PREFLIGHT_H
#define LOSSLESSCTL_AGENT_ENGINE_TARGET_PREFLIGHT_H

#include "target.h"

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
