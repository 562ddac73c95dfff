/* Finds the peer of a port, and what the port advertises to it. */
#ifndef LOSSLESSCTL_DCB_PEER_H
#define LOSSLESSCTL_DCB_PEER_H

#include "../agent/engine/target/target.h"
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

/* The peer of each target: received by LLDP, and compared. */

struct compared_peer {
	struct peer_info seen;
	struct peer_comparison agreed[AGREE_COUNT];
};

/*
 * Listens for the peers of the targets, which have been observed, and judges them: of all, or of
 * those whose policy asks for the switch's agreement. `listen_s` is for how long, 0 until every
 * peer was heard. The caller frees *ret, one a target; the others stay zero.
 */
bool compared_peers_find(struct host *h, const struct targets *all, bool only_asked,
			 unsigned listen_s, struct compared_peer **ret, struct err *err) must_check;

/*
 * Returns them as the plain values of the engine, one a target; the caller frees them. NULL: out of
 * memory.
 */
struct peer *compared_peers_plain(const struct compared_peer *found, size_t count);

/* Both, of the peers that are asked for (backends.h). */
bool compared_peers_read(struct host *h, const struct targets *all, unsigned listen_s,
			 struct peer **ret, struct err *err) must_check;

#endif
