/* A host that receives LLDP frames and asks lldpad. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_WIRE_H
#define LOSSLESSCTL_TESTS_SUPPORT_WIRE_H

#include "dcb/peer.h"

#define PORTS_MAX 2

/*
 * Frames that arrive, a letter for each. a-y: a neighbour of that name with PFC on
 * 3; "!" before it: PFC on 4; "#" before it: another of its ports; "-" before it:
 * its shutdown (TTL 0). z: no LLDPDU. "+": a minute passes. A capital letter
 * arrives on port 8 instead of 7.
 */
struct wire_scene {
	struct host host;
	const char *wire;
	enum err_kind wire_fails;
	const char *lldpad; /* the LLDPDUs of lldpad and the peer on port 7; ".": none */
	unsigned answers;   /* requests that lldpad answers before it hangs */
	unsigned asked;	    /* requests to lldpad so far */
	unsigned listened;  /* the number of ports listened on */
	uint64_t now_ms;
	char told[160];
};

/* A port with a link. */
struct port port_named(const char *name, unsigned ifindex);

/* Looks for the peers of `count` ports, the first of which has ifindex 7. */
bool look(struct wire_scene *p, size_t count, bool full_time, struct peer_info *ret,
	  struct err *err);

#endif
