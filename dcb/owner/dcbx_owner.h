/*
 * Finds the program that runs DCBX on a port and could change its settings. Sends nothing to anyone
 * but the kernel.
 */
#ifndef LOSSLESSCTL_DCB_OWNER_DCBX_OWNER_H
#define LOSSLESSCTL_DCB_OWNER_DCBX_OWNER_H

#include "../../agent/host/host.h"

#define OWNER_WHAT_MAX 256

enum dcbx_owner {
	OWNER_NOBODY,
	OWNER_FIRMWARE,		 /* the adapter's own agent; also mlx5 until HOST is set */
	OWNER_LLDPAD,		 /* writes ETS, PFC and APP entries */
	OWNER_LLDPAD_ADVERTISES, /* -R: it advertises, and writes nothing to ports */
	OWNER_LLDPAD_SOCKET,	 /* systemd holds its socket: the first datagram starts it */
	OWNER_NETWORKMANAGER,
};

struct owner {
	enum dcbx_owner who;
	unsigned pid;		   /* process id of the daemon; 0 without one */
	bool firmware_too;	   /* two LLDP agents on one cable */
	char what[OWNER_WHAT_MAX]; /* a sentence for messages; "" for nobody */
};

/*
 * Finds the owner; among several the one that writes last. Without privileges neither
 * NetworkManager's profiles nor the holder of a socket can be seen.
 */
bool owner_find(struct host *h, const struct port *port, struct owner *ret,
		struct err *err) must_check;

/* The name in JSON: "nobody", "lldpad-advertise-only". */
const char *owner_name(enum dcbx_owner who);

/* True if no lldpad runs, but one starts at the next boot; `ret_what` says what it will do. */
bool owner_at_next_boot(struct host *h, char ret_what[OWNER_WHAT_MAX]);

#endif
