/*
 * Differences between drivers that the kernel's interfaces do not report: side effects, disruptions
 * and units. One row per driver; features look up the effects of their writes here.
 */
#ifndef LOSSLESSCTL_DCB_DRIVER_H
#define LOSSLESSCTL_DCB_DRIVER_H

#include "../agent/engine/feature.h"

struct driver {
	const char *name;      /* as ethtool reports it */
	bool cable_in_metres;  /* PFC delay is a cable length; other drivers count bit times */
	bool pfc_clears_pause; /* a new PFC mask turns 802.3x pause off */
	/* A new PFC mask resizes the buffers, unless a program has written some since power on. */
	bool pfc_sizes_buffers;
	/* The port trusts DSCP while it has DSCP entries, unless writing one has failed. */
	bool entries_set_trust;
	/*
	 * The first DSCP entry gives each priority its own class; deleting the last one resets ETS
	 * and PFC.
	 */
	bool trust_resets_classes;
	/* A port with ETS also has rate limits: if they are missing, reading them has failed. */
	bool rates_with_ets;
	bool map_rereads_pfc;	 /* a new map of the buffers makes those under PFC lossless */
	bool only_strict_behind; /* classes beyond the port's number must be strict */
	enum disruption pfc;	 /* disruption by a new PFC mask */
	enum disruption ets;	 /* by new classes, algorithms or shares */
	enum disruption trust;	 /* by the first DSCP entry, and by deleting the last */
	enum disruption trust_on_connectx4; /* the same, on ConnectX-4 and ConnectX-4 Lx */
	const char
		/* The irreversible effect of deleting a DSCP entry, or NULL. */
		*dscp_irreversible;
};

/*
 * False with ERR_UNSUPPORTED for a VF or SF, whose PF has the port's registers. mlx5 lets it read
 * them, and refuses its writes or leaves them to the firmware.
 */
bool owns_port_registers(const struct port *port, struct err *err) must_check;

/* The row of a port's driver. An unlisted driver has no side effects, and may disrupt. */
const struct driver *driver_of(const struct port *port);

#endif
