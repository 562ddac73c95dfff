#include "driver.h"

#include <errno.h>
#include <string.h>

bool is_mlx5(const struct port *port)
{
	return strcmp(port->id.driver, "mlx5_core") == 0;
}

bool owns_port_registers(const struct port *port, struct err *err)
{
	return !port->is_vf || err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP,
				       "the port is a VF or SF: its PF has the setting");
}
