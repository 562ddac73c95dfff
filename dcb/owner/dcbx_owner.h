/*
 * Finds the program that runs DCBX on a port and could change its settings. Sends nothing to anyone
 * but the kernel.
 */
#ifndef LOSSLESSCTL_DCB_OWNER_DCBX_OWNER_H
#define LOSSLESSCTL_DCB_OWNER_DCBX_OWNER_H

#include "../../agent/engine/other_writers.h"
#include "../../agent/host/host.h"

/*
 * Finds the owner; among several the one that writes last. Without privileges neither
 * NetworkManager's profiles nor the holder of a socket can be seen.
 */
bool owner_find(struct host *h, const struct port *port, struct owner *ret,
		struct err *err) must_check;

/* True if NetworkManager sets DCB of the port; fills *ret, but for the adapter's firmware. */
bool owner_is_network_manager(struct host *h, const struct port *port, struct owner *ret);

/* True if no lldpad runs, but one starts at the next boot; `ret_what` says what it will do. */
bool owner_at_next_boot(struct host *h, char ret_what[OWNER_WHAT_MAX]);

#endif
