/* The CEE side of dcbnl, asked only about objects that the IEEE side leaves out. */
#ifndef LOSSLESSCTL_DCB_CEE_H
#define LOSSLESSCTL_DCB_CEE_H

#include "../agent/host/host.h"

/*
 * Does a driver that supports IEEE DCBX have this object (DCB_ATTR_IEEE_ETS or
 * DCB_ATTR_IEEE_PFC), by its answer to CEE_GET? mlx5 answers that without the
 * functions that IEEE_GET calls.
 */
bool dcb_cee_has(struct host *h, const char *port, uint16_t attr);

#endif
