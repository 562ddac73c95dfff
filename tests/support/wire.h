/* A host that hears LLDP on the wire and asks lldpad. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_WIRE_H
#define LOSSLESSCTL_TESTS_SUPPORT_WIRE_H

#include "dcb/peer.h"

#define PORTS_MAX 2

/*
 * Frames that come out of the cable, a letter for each. a-y: a neighbour of that
 * name, which has PFC 3; "!" before it, PFC 4; "#" before it, another of its
 * ports; "-" before it, it leaves. z: no LLDPDU. "+": a minute goes by. A capital
 * is on port 8 and not 7.
 */
struct wire_scene {
	struct host host;
	const char *wire;
	enum err_kind wire_fails;
	const char *lldpad; /* its LLDPDU and the peer's on port 7; "." is nothing */
	unsigned answers;   /* questions that it answers before it hangs */
	unsigned asked;	    /* lldpad, without what it says of itself */
	unsigned listened;  /* on so many ports */
	uint64_t now_ms;
	char told[160];
};

/* A port with a link. */
struct port port_named(const char *name, unsigned ifindex);

/* Looks for the peers of `count` ports, the first of which has ifindex 7. */
bool look(struct wire_scene *p, size_t count, bool full_time, struct peer_info *ret,
	  struct err *err);

#endif
