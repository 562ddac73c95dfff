/* Finds the peer of a port, and what the port advertises to it. */
#ifndef LOSSLESSCTL_DCB_PEER_H
#define LOSSLESSCTL_DCB_PEER_H

#include "../agent/host/host.h"
#include "lldp/peer_compare.h"

/* Switches send every 30 seconds by default (IEEE 802.1AB-2016, 9.2.5.7). */
#define PEER_WAIT_MS 35000

/* The ports to find peers of, and how long to listen. */
struct peer_request {
	const struct port *const *ports;
	size_t count;
	unsigned wait_ms;
	bool full_time; /* listen for the whole time, which also finds a second sender */
};

/*
 * Fills ret[], one entry for each port: from lldpad if it has a neighbour for the port, else by
 * listening on all ports at once until each peer was heard or the time is over. Failures of a port
 * are reported in ret[]. Fails itself only if interrupted (ERR_INTERRUPTED) or out of memory.
 */
bool peers_read(struct host *h, const struct peer_request *q, struct peer_info *ret,
		struct err *err) must_check;

#endif
