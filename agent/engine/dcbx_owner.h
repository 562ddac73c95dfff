/* The program that runs DCBX on a port and may change its settings. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_DCBX_OWNER_H
#define LOSSLESSCTL_AGENT_ENGINE_DCBX_OWNER_H

#include <stdbool.h>

#include "../../policy/model/config.h"

#define OWNER_WHAT_MAX 256

enum dcbx_owner {
	OWNER_NOBODY,
	OWNER_FIRMWARE,		 /* the adapter's own agent; also mlx5 until HOST is set */
	OWNER_LLDPAD,		 /* writes ETS, PFC and APP entries */
	OWNER_LLDPAD_ADVERTISES, /* -R: only advertises, never writes to ports */
	OWNER_LLDPAD_SOCKET,	 /* systemd holds its socket; the first datagram starts it */
	OWNER_NETWORKMANAGER,
};

struct owner {
	enum dcbx_owner who;
	unsigned pid;		   /* process ID of the daemon; 0: none */
	bool firmware_too;	   /* the firmware runs a second LLDP agent on the cable */
	char what[OWNER_WHAT_MAX]; /* description for messages; "" for nobody */
};

/* Returns the name in JSON: "none", "lldpad_advertise_only". */
const char *owner_name(enum dcbx_owner who);

/*
 * Returns those of the settings `differ` that lldpad keeps for the port: the kernel has no such
 * setting, or has it as desired.
 */
setting_set lldpad_keeps(setting_set differ, const struct config *desired,
			 const struct config *actual);

/* True for owners that write a port's DCB settings on their own, as firmware and daemons do. */
bool owner_writes(enum dcbx_owner who);

#endif
