/* Finds the lldpad of this network namespace, and whether it writes to ports. */
#ifndef LOSSLESSCTL_DCB_LLDPAD_DETECT_H
#define LOSSLESSCTL_DCB_LLDPAD_DETECT_H

#include "../../agent/host/host.h"

#define LLDPAD_DEFAULT_CONF "/var/lib/lldpad/lldpad.conf"

struct lldpad_process {
	unsigned pid;
	bool advertise_only;	  /* -R: it advertises, and writes nothing to ports */
	char conf[PATH_TEXT_MAX]; /* its configuration file */
};

/*
 * Prefers the one that writes to ports, if there are several. False if none runs. Sends nothing to
 * it.
 */
bool lldpad_find(struct host *h, struct lldpad_process *ret);

/*
 * True if lldpad's socket exists but no lldpad runs: systemd holds it and starts lldpad with the
 * first datagram, or another program has bound it.
 */
bool lldpad_socket_is_held(struct host *h);

/* True if its socket is held, by a process that may be an lldpad outside this container. */
bool lldpad_may_be_hidden(struct host *h);

/* True if one of lldpad's units is enabled, so that lldpad starts at boot. */
bool lldpad_is_enabled(struct host *h);

#endif
