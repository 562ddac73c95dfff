/*
 * Finds other programs of this host that write what a policy sets: the one that runs DCBX, which
 * has a guard, and those of other makers (other_writers.h).
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_TARGET_WRITER_CHECK_H
#define LOSSLESSCTL_AGENT_ENGINE_TARGET_WRITER_CHECK_H

#include "../engine.h"

/* Finds those of other makers; none if the back ends cannot. Lists all processes. */
void writers_read(const struct engine *e, struct other_writers *ret);

/* Writes which program writes desired settings of the port, and how to stop that; "": none does. */
void writer_check(const struct engine *e, const struct port *port, const struct config *desired,
		  char ret[LINT_TEXT_MAX]);

#endif
