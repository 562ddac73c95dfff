/*
 * The ports of a run that was killed, which the next apply adds to its own. recovery.h plans what
 * is restored there.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_WRITE_RECOVERY_PORTS_H
#define LOSSLESSCTL_AGENT_ENGINE_WRITE_RECOVERY_PORTS_H

#include "../target/target.h"
#include "run.h"

/*
 * Adds the ports that an interrupted run left partially configured and that this run, which is
 * open, does not change: they are rolled back. Considers all ports, also those that the command
 * line does not name. Warns of that run, of its ports that are gone, and of a damaged journal.
 */
bool recovery_add(const struct engine *e, const struct run *r, struct targets *all,
		  struct err *err) must_check;

#endif
