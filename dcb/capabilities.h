/* Reads the limits of a port and finds other DCBX software on the host, for lints. */
#ifndef LOSSLESSCTL_DCB_CAPABILITIES_H
#define LOSSLESSCTL_DCB_CAPABILITIES_H

#include "../agent/host/host.h"
#include "../policy/lint/lint.h"

/*
 * Reads all capabilities that the port and the host report; the others become 0. Leaves the switch
 * map unchanged.
 */
void capabilities_read(struct host *h, const struct port *port, struct capabilities *ret);

/*
 * Finds the bond, or the VLAN device on the port or its bond, with the smallest MTU. On a tie the
 * bond wins, because its MTU limits its VLAN devices.
 */
void capabilities_read_upper(struct host *h, const struct port *port, struct capabilities *ret);

/* Reads the VLANs that the port gives its VFs. */
void capabilities_read_vf_vlans(struct host *h, const struct port *port, struct capabilities *ret);

#endif
