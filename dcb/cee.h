/* Reads the CEE side of dcbnl, to check objects that the IEEE side leaves out of its reply. */
#ifndef LOSSLESSCTL_DCB_CEE_H
#define LOSSLESSCTL_DCB_CEE_H

#include "../agent/host/host.h"

/*
 * True if the driver has this object (DCB_ATTR_IEEE_ETS or DCB_ATTR_IEEE_PFC), according to
 * CEE_GET. mlx5 answers CEE_GET without the functions that serve IEEE_GET. The driver must support
 * IEEE DCBX.
 */
bool dcb_cee_has(struct host *h, const char *port, uint16_t attr);

#endif
