/* The mode of a port's E-Switch, which decides whether the port has RoCE of its own. */
#ifndef LOSSLESSCTL_ROCE_ESWITCH_H
#define LOSSLESSCTL_ROCE_ESWITCH_H

#include "../agent/host/host.h"

/*
 * The mode that devlink reports. Where this process may not ask, signs of it: a representor of
 * `links` proves switchdev, and a GID of the manager of an E-Switch legacy mode.
 */
enum eswitch_mode eswitch_mode(struct host *h, const struct link_list *links, const struct port *p);

#endif
