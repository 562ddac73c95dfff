/* What a port could do at most, and who else is there, for rules that want to know. */
#ifndef LOSSLESSCTL_DCB_CAPABILITIES_H
#define LOSSLESSCTL_DCB_CAPABILITIES_H

#include "../agent/host/host.h"
#include "../policy/lint/lint.h"

/* Fills in what the port and the host tell; what they do not tell becomes 0. The fabric stays. */
void capabilities_read(struct host *h, const struct port *port, struct capabilities *ret);

/*
 * Finds the bond, or the VLAN device on the port or its bond, with the smallest MTU; of equal ones
 * the bond, whose MTU limits that of its VLAN devices.
 */
void capabilities_read_upper(struct host *h, const struct port *port, struct capabilities *ret);

#endif
