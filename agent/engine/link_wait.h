/* Waits for the link to come back after a step that takes it down. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_LINK_WAIT_H
#define LOSSLESSCTL_AGENT_ENGINE_LINK_WAIT_H

#include "../host/host.h"

/* Maximum wait for a link that a step took down. */
#define CARRIER_WAIT_MS 60000

struct carrier {
	bool there;	  /* link up and, for a bond member, in use by LACP */
	uint32_t changes; /* carrier changes so far */
};

/* Reads the state of the link and the number of its changes. */
bool carrier_read(struct host *h, const struct port *port, struct carrier *ret,
		  struct err *err) must_check;

/*
 * Waits until the link is up, and reports the wait to the user. With `before`, a link that never
 * went down counts only after a grace period. Fails with ERR_SYSTEM (ENETDOWN) on a timeout. Under
 * `no_link_wait`, a stop request ends the wait as if the link were up.
 */
bool carrier_wait(struct host *h, const struct port *port, const struct carrier *before,
		  struct err *err) must_check;

#endif
