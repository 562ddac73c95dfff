/* The peer of each target: received by LLDP, and compared. */
#ifndef LOSSLESSCTL_DCB_COMPARED_PEER_H
#define LOSSLESSCTL_DCB_COMPARED_PEER_H

#include "../agent/engine/target/target.h"
#include "peer.h"

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
