/* Who is at the other end of a cable, by the LLDP that comes out of it. */
#ifndef LOSSLESSCTL_DCB_LLDP_LISTEN_H
#define LOSSLESSCTL_DCB_LLDP_LISTEN_H

#include "../../agent/host/host.h"
#include "decode.h"

#define NEIGHBOURS_MAX 4

struct neighbour {
	uint8_t id[LLDP_ID_MAX]; /* chassis and port ID as sent: said.id_len bytes */
	struct lldp said;	 /* in its last frame */
	uint64_t heard_ms;	 /* when that came, by host.now_ms() */
	unsigned frames;
};

/* What was heard on one port. DCBX is between two: of several neighbours none is the peer. */
struct neighbours {
	unsigned ifindex; /* the port; the caller says it */
	struct neighbour list[NEIGHBOURS_MAX];
	unsigned count;
	unsigned more;	    /* frames of neighbours that found no room */
	unsigned malformed; /* frames that are no LLDPDU */
	struct err why;	    /* what is wrong with the first of these */
};

/*
 * Listens on `count` ports at once, until the time is over or each has heard
 * `enough` neighbours; 0 is never enough. They send every 30 s. After a failure
 * nothing was heard. Errors: as host_hear_lldp().
 */
bool neighbours_hear(struct host *h, struct neighbours *ports, size_t count, unsigned wait_ms,
		     unsigned enough, struct err *err) must_check;

/* Is it still there? Not if it took leave, or if what it said is older than its time to live. */
bool neighbour_is_present(const struct neighbour *n, uint64_t now_ms);

/* How many are there; those without room are one. */
unsigned neighbours_present(const struct neighbours *n, uint64_t now_ms);

#endif
