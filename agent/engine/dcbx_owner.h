/* The program that runs DCBX on a port and could change its settings. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_DCBX_OWNER_H
#define LOSSLESSCTL_AGENT_ENGINE_DCBX_OWNER_H

#include <stdbool.h>

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

/* The name in JSON: "nobody", "lldpad-advertise-only". */
const char *owner_name(enum dcbx_owner who);

/* Does it write a port's DCB settings as it decides? Firmware and daemons do. */
bool owner_writes(enum dcbx_owner who);

#endif
