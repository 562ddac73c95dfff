/*
 * How drivers differ where the kernel's interfaces do not say so: side effects, disruptions, units.
 * A row for each driver; features ask here what their own write does on a port.
 */
#ifndef LOSSLESSCTL_DCB_DRIVER_H
#define LOSSLESSCTL_DCB_DRIVER_H

#include "../agent/engine/feature.h"

struct driver {
	const char *name;	/* as ethtool reports it */
	bool cable_in_metres;	/* PFC delay is a cable length; elsewhere it counts bits */
	bool pfc_clears_pause;	/* a new PFC mask switches 802.3x pause off */
	bool entries_set_trust; /* the port trusts DSCP while it has DSCP entries, unless one failed
				 */
	bool trust_resets_classes; /* the first DSCP entry gives each priority its own class, and
				      deleting the last one resets ETS and PFC */
	bool rates_with_ets;	   /* where it reports ETS it has rates: none is a failed read */
	bool only_strict_behind;   /* a class behind those that there are must be strict */
	enum disruption pfc;	   /* by a new PFC mask */
	enum disruption ets;	   /* by other classes, algorithms or shares */
	enum disruption trust;	   /* by the first DSCP entry, and by deleting the last one */
	const char
		*dscp_irreversible; /* what deleting a DSCP entry leaves in the adapter, or NULL */
};

/* The row of a port's driver. A driver that is not listed has no side effects, and may disrupt. */
const struct driver *driver_of(const struct port *port);

#endif
