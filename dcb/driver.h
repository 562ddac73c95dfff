/*
 * The driver of a port: mlx5_core, or one that nobody has tried losslessctl with. The kernel's
 * interfaces do not report side effects and disruptions, so features ask here.
 */
#ifndef LOSSLESSCTL_DCB_DRIVER_H
#define LOSSLESSCTL_DCB_DRIVER_H

#include "../agent/engine/feature.h"
#include "../policy/lint/lint.h"
#include "../policy/util/err.h"

/* True if the port has the driver that losslessctl is made for. */
bool is_mlx5(const struct port *port);

/*
 * False with ERR_UNSUPPORTED for a VF or SF, whose PF has the port's registers. mlx5 lets it read
 * them, and refuses its writes or leaves them to the firmware.
 */
bool owns_port_registers(const struct port *port, struct err *err) must_check;

/* Refuses settings beyond the port's reported limits, for the `accepts` of features. */

/* True if the port lacks this traffic class; false if it does not report its number of classes. */
bool limits_lack_class(const struct capabilities *capabilities, unsigned tc);

/* Records "SUBJECT, and the port has N traffic classes"; always false. */
bool limits_refuse_class(const struct capabilities *capabilities, struct err *err, const char *fmt,
			 ...) __attribute__((format(printf, 3, 4)));

#endif
