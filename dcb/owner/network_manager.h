/* NetworkManager's DCB settings, which it passes to lldpad whenever it activates a connection. */
#ifndef LOSSLESSCTL_DCB_OWNER_NETWORK_MANAGER_H
#define LOSSLESSCTL_DCB_OWNER_NETWORK_MANAGER_H

#include <stdbool.h>

#include "../../agent/host/host.h"

struct network_manager {
	unsigned pid;
	char profile[96]; /* the file that has the setting */
};

/*
 * True if NetworkManager runs and sets DCB of this port. Most profiles are readable by root only;
 * others get false.
 */
bool network_manager_sets_dcb(struct host *h, const struct port *port, struct network_manager *ret);

#endif
