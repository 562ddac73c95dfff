/* Waiting for the link to come back after a step that takes it down. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_LINK_WAIT_H
#define LOSSLESSCTL_AGENT_ENGINE_LINK_WAIT_H

#include "../host/host.h"

/* Longest wait for a link that a step took down. */
#define CARRIER_WAIT_MS 60000

struct carrier {
	bool there;	  /* and, for the member of a bond, in use: LACP is through */
	uint32_t changes; /* how often it came or went so far */
};

/* Reads whether the link is there, and how often that changed. */
bool carrier_look(struct host *h, const struct port *port, struct carrier *ret,
		  struct err *err) must_check;

/*
 * Waits until the link is there, telling the user what for. With `before`, a
 * link that is still there counts only once it has been away, or has had time
 * to go. ERR_SYSTEM (ENETDOWN) when it does not come back in time. A host in
 * haste is told that the link is there once it was asked to stop.
 */
bool carrier_wait(struct host *h, const struct port *port, const struct carrier *before,
		  struct err *err) must_check;

#endif
