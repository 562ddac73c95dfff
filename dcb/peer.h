/* Finding out what stands at the other end of a cable, and what this end says to it. */
#ifndef LOSSLESSCTL_DCB_PEER_H
#define LOSSLESSCTL_DCB_PEER_H

#include "../agent/host/host.h"
#include "lldp/peer_compare.h"

/* A switch sends every 30 seconds, if nobody set it otherwise (IEEE 802.1AB-2016 9.2.5.7). */
#define PEER_WAIT_MS 35000

/* Whom to look for, and how long. */
struct peer_question {
	const struct port *const *ports;
	size_t count;
	unsigned wait_ms;
	bool to_the_end; /* listen to the end, which finds a second sender, too */
};

/*
 * Fills ret[], one for each port: from lldpad where it speaks for the port, else
 * by listening on the wire to all of them at once, until each was heard or the
 * time is over. What cannot be found out is said in ret[]; fails only when it is
 * interrupted (ERR_INTERRUPTED) or there is no memory.
 */
bool peers_look(struct host *h, const struct peer_question *q, struct peer_seen *ret,
		struct err *err) must_check;

#endif
