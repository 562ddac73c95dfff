/* Finds the neighbours of ports by listening for LLDP. */
#ifndef LOSSLESSCTL_DCB_LLDP_LISTEN_H
#define LOSSLESSCTL_DCB_LLDP_LISTEN_H

#include "../../agent/host/host.h"
#include "decode.h"

#define NEIGHBOURS_MAX 4

struct neighbour {
	uint8_t id[LLDP_ID_MAX]; /* chassis and port ID TLVs as sent; said.id_len bytes */
	struct lldp pdu;	 /* content of its last frame */
	uint64_t heard_ms;	 /* time of its last frame, by host.now_ms() */
	unsigned frames;
};

/*
 * The neighbours heard on one port. DCBX needs exactly one peer: among several neighbours none
 * counts as the peer.
 */
struct neighbours {
	unsigned ifindex; /* the port, set by the caller */
	struct neighbour list[NEIGHBOURS_MAX];
	unsigned count;
	unsigned more;	    /* frames of neighbours beyond NEIGHBOURS_MAX */
	unsigned malformed; /* frames that are not valid LLDPDUs */
	struct err why;	    /* the error of the first of these */
};

/*
 * Listens on `count` ports at once, until `wait_ms` are over or each port has heard `enough`
 * neighbours; 0 listens until the end. Neighbours send every 30 s. After a failure no neighbour is
 * reported. Errors are those of host_listen_lldp().
 */
bool neighbours_listen(struct host *h, struct neighbours *ports, size_t count, unsigned wait_ms,
		       unsigned enough, struct err *err) must_check;

/* False once the neighbour has shut down or its time to live is over. */
bool neighbour_is_present(const struct neighbour *n, uint64_t now_ms);

/* The number of present neighbours; all beyond NEIGHBOURS_MAX count as one. */
unsigned neighbours_present(const struct neighbours *n, uint64_t now_ms);

#endif
