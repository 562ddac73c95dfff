/*
 * The driver of a port: mlx5_core, or one that nobody has tried losslessctl with. The kernel's
 * interfaces do not report side effects and disruptions, so features ask here.
 */
#ifndef LOSSLESSCTL_DCB_DRIVER_H
#define LOSSLESSCTL_DCB_DRIVER_H

#include "../agent/engine/feature.h"

/* True if the port has the driver that losslessctl is made for. */
bool is_mlx5(const struct port *port);

/*
 * False with ERR_UNSUPPORTED for a VF or SF, whose PF has the port's registers. mlx5 lets it read
 * them, and refuses its writes or leaves them to the firmware.
 */
bool owns_port_registers(const struct port *port, struct err *err) must_check;

#endif
