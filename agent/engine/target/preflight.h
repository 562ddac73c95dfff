/* What speaks against carrying a plan out, found before the first write. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_TARGET_PREFLIGHT_H
#define LOSSLESSCTL_AGENT_ENGINE_TARGET_PREFLIGHT_H

#include "target.h"

/*
 * Once the task is planned: adds a refusal for everything that speaks against carrying it out, and
 * to t->lints what is no error. Warns of what stops nothing.
 */
void preflight(const struct engine *e, struct target *t);

/* The setup that the plan ends in, as the lints of t->lints judge it. */
struct config preflight_setup(const struct target *t);

/* What to do about a setting that others decide over, and are to go on; NULL: nobody does. */
const char *preflight_others_mend(const struct target *t, unsigned setting);

#endif
