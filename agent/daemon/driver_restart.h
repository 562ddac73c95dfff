/* Restarts of a driver: repairs wait until it has settled. */
#ifndef LOSSLESSCTL_AGENT_DAEMON_DRIVER_RESTART_H
#define LOSSLESSCTL_AGENT_DAEMON_DRIVER_RESTART_H

#include "drift.h"

/*
 * Delay of repairs after a driver restart. It doubles with each further restart within the hour, so
 * that a driver that restarts forever is not written to in a tight loop.
 */
#define DRIVER_SETTLE_MS     1000u
#define DRIVER_SETTLE_MAX_MS (5 * 60 * 1000u)

/*
 * Records a driver restart that may have reset these settings; this does not count as a reverted
 * repair. Repairs wait until the port has settled, and then all of these are due.
 */
void driver_restarted(struct drift *d, setting_set which, uint64_t now_ms);

#endif
