/*
 * Who runs DCBX on a port, and would change its setup beside us. Found by
 * looking: nothing is sent to anybody but the kernel.
 */
#ifndef LOSSLESSCTL_DCB_OWNER_DCBX_OWNER_H
#define LOSSLESSCTL_DCB_OWNER_DCBX_OWNER_H

#include "../../agent/host/host.h"

#define OWNER_WHAT_MAX 256

enum dcbx_owner {
	OWNER_NOBODY,
	OWNER_FIRMWARE,	     /* the adapter's own agent, or mlx5 before anybody set HOST */
	OWNER_LLDPAD,	     /* it writes ETS, PFC and APP entries */
	OWNER_LLDPAD_SPEAKS, /* -R: it advertises and writes nothing */
	OWNER_LLDPAD_SLEEPS, /* its socket is held for it: the first datagram starts it */
	OWNER_NETWORKMANAGER,
};

struct owner {
	enum dcbx_owner who;
	unsigned pid;		   /* of the daemon; 0: it is none */
	bool firmware_too;	   /* two agents on one wire */
	char what[OWNER_WHAT_MAX]; /* a sentence for people; "" for nobody */
};

/*
 * Of several the one that has the last word. A run without privilege sees less:
 * neither NetworkManager's profiles nor who holds a socket.
 */
bool owner_find(struct host *h, const struct port *port, struct owner *ret,
		struct err *err) must_check;

/* The word for JSON: "nobody", "lldpad-advertise-only". */
const char *owner_name(enum dcbx_owner who);

/* No lldpad runs, but the next boot starts one that does not know of us: why that matters. */
bool owner_looms(struct host *h, char ret_what[OWNER_WHAT_MAX]);

#endif
