/* NetworkManager's own DCB setting, which it hands to lldpad whenever it activates a connection. */
#ifndef LOSSLESSCTL_DCB_OWNER_NETWORK_MANAGER_H
#define LOSSLESSCTL_DCB_OWNER_NETWORK_MANAGER_H

#include "../../agent/host/host.h"

struct network_manager {
	unsigned pid;
	char profile[96]; /* the file that says so */
};

/*
 * Does NetworkManager run, and set DCB of this port? Only root may read most
 * profiles; for others it does not.
 */
bool network_manager_sets_dcb(struct host *h, const struct port *port, struct network_manager *ret);

#endif
