/* Waits for the link to come back after a step that takes it down. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_LINK_WAIT_H
#define LOSSLESSCTL_AGENT_ENGINE_LINK_WAIT_H

#include "../host/host.h"

/* Maximum wait for a link that a step took down. */
#define CARRIER_WAIT_MS 60000

/* Reads whether the link is up and, for a bond member, in use by LACP. */
bool carrier_read(struct host *h, const struct port *port, bool *ret, struct err *err) must_check;

/*
 * Waits until the link is up, and reports the wait to the user. If it `flaps`, a link that was not
 * seen down counts only after a grace period. Fails with ERR_SYSTEM (ENETDOWN) on a timeout, and
 * with ERR_INTERRUPTED at a stop request if it `yields`. Under `no_link_wait`, a stop request ends
 * any wait as if the link were up.
 */
bool carrier_wait(struct host *h, const struct port *port, bool flaps, bool yields,
		  struct err *err) must_check;

#endif
