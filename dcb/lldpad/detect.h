/* The lldpad that runs in our network namespace, and whether it writes. */
#ifndef LOSSLESSCTL_DCB_LLDPAD_DETECT_H
#define LOSSLESSCTL_DCB_LLDPAD_DETECT_H

#include "../../agent/host/host.h"

#define LLDPAD_DEFAULT_CONF "/var/lib/lldpad/lldpad.conf"

struct lldpad_process {
	unsigned pid;
	bool speaks_only;	  /* -R: it advertises and writes nothing */
	char conf[PATH_TEXT_MAX]; /* its configuration file */
};

/* Of several the one that writes. False: none runs. Nothing is sent to find out. */
bool lldpad_find(struct host *h, struct lldpad_process *ret);

/*
 * lldpad's socket is there although no lldpad is: systemd holds it and starts
 * lldpad with the first datagram, or somebody took it.
 */
bool lldpad_sleeps(struct host *h);

/* Is a unit of lldpad's enabled, so that it starts with the next boot? */
bool lldpad_is_enabled(struct host *h);

#endif
