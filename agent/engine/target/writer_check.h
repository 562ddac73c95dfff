/* Checks whether other programs of this host write what a policy sets (other_writers.h). */
#ifndef LOSSLESSCTL_AGENT_ENGINE_TARGET_WRITER_CHECK_H
#define LOSSLESSCTL_AGENT_ENGINE_TARGET_WRITER_CHECK_H

#include "target.h"

/* Finds them; none if the back ends cannot. Lists all processes. */
void writers_read(const struct engine *e, struct other_writers *ret);

/* Warns of each program that writes settings which the policy sets on any of the ports. */
void writers_check(const struct engine *e, const struct targets *all);

#endif
