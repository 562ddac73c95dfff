/* What a port could do at most, and who else is there, for rules that want to know. */
#ifndef LOSSLESSCTL_DCB_FACTS_H
#define LOSSLESSCTL_DCB_FACTS_H

#include "../agent/host.h"
#include "../policy/rules.h"

/* Fills in what the port and the host tell; what they do not tell becomes 0. The fabric stays. */
void facts_read(struct host *h, const struct port *port, struct facts *ret);

#endif
