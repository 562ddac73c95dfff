/*
 * Finds the program that runs DCBX on a port and could change its settings. Sends nothing to anyone
 * but the kernel.
 */
#ifndef LOSSLESSCTL_DCB_OWNER_DCBX_OWNER_H
#define LOSSLESSCTL_DCB_OWNER_DCBX_OWNER_H

#include "../../agent/engine/other_writers.h"
#include "../../agent/host/host.h"

/* ---- other writers ---- */

/* Finds management programs of other makers by their processes. */

/* Whether programs of other makers run: all are looked for in one walk over /proc, once a run. */

/* True if one of `names` may run, which are of the list in the source; NULL ends them. */
bool known_programs_run(struct host *h, const char *const *names);

/*
 * Finds those of root in this network namespace, which a DaemonSet with `hostNetwork` shares. A
 * program in a process namespace of its own is visible from the host, but not the other way round.
 */
void other_writers_find(struct host *h, struct other_writers *ret);

/* ---- dcbx owner ---- */

/* NetworkManager's DCB settings, which it passes to lldpad whenever it activates a connection. */

struct network_manager {
	unsigned pid;
	char profile[96]; /* the file that has the setting */
};

/*
 * True if NetworkManager runs and sets DCB of this port. Most profiles are readable by root only;
 * others get false.
 */
bool network_manager_sets_dcb(struct host *h, const struct port *port, struct network_manager *ret);

/*
 * Finds the owner; among several the one that writes last. Without privileges neither
 * NetworkManager's profiles nor the holder of a socket can be seen.
 */
bool owner_find(struct host *h, const struct port *port, struct owner *ret,
		struct err *err) must_check;

/* True if NetworkManager sets DCB of the port; fills *ret, but for the adapter's firmware. */
bool owner_is_network_manager(struct host *h, const struct port *port, struct owner *ret);

/* True if no lldpad runs, but one starts at the next boot; `ret_what` says what it will do. */
bool owner_at_next_boot(struct host *h, char ret_what[OWNER_WHAT_MAX]);

#endif
