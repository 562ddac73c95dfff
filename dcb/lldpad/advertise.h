/* Configures the advertisement of an lldpad started with -R: through its file and SIGHUP. */
#ifndef LOSSLESSCTL_DCB_LLDPAD_ADVERTISE_H
#define LOSSLESSCTL_DCB_LLDPAD_ADVERTISE_H

#include "../../agent/host/host.h"
#include "../../policy/model/config.h"

/*
 * Writes the port's section of lldpad's file and makes lldpad reload it. If to->dcbx.advertise is
 * false, restores the earlier section. The rest of the file stays. ERR_MISSING: no lldpad runs.
 */
bool advertise_by_file(struct host *h, const char *port, const struct config *to,
		       struct err *err) must_check;

/*
 * Restores the port's section from before advertise_by_file(), unless that has been restored since;
 * a running lldpad reloads it.
 */
bool restore_advertise_file(struct host *h, const char *port, struct err *err) must_check;

/* True if lldpad's file may hold what advertise_by_file() wrote, also if no lldpad runs. */
bool advertise_file_is_ours(struct host *h, const char *port);

#endif
