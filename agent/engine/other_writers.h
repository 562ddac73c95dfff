/*
 * Management programs of other makers that run on this host and write settings of its ports, beside
 * the one that runs DCBX.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_OTHER_WRITERS_H
#define LOSSLESSCTL_AGENT_ENGINE_OTHER_WRITERS_H

#include <stdbool.h>
#include <stddef.h>

#include "../../policy/model/config.h"

/* ---- the owner of DCBX ---- */

/* The program that runs DCBX on a port and may change its settings. */

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

/* ---- other writers ---- */

struct other_writer {
	const char *name;   /* its program; the kernel keeps 15 bytes of it */
	setting_set writes; /* settings that it can write */
	const char *fix;    /* how to keep it from writing them */
};

struct running_writer {
	const struct other_writer *writer;
	unsigned pid;
};

#define OTHER_WRITERS_MAX 4

struct other_writers {
	struct running_writer list[OTHER_WRITERS_MAX]; /* one process of each */
	size_t count;
};

/* Returns the first one that writes the setting; NULL: none does. */
const struct running_writer *other_writers_of(const struct other_writers *all, unsigned setting);

#endif
