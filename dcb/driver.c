#include "driver.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
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

bool limits_lack_class(const struct capabilities *capabilities, unsigned tc)
{
	return capabilities->traffic_classes && tc >= capabilities->traffic_classes;
}

bool limits_refuse_class(const struct capabilities *capabilities, struct err *err, const char *fmt,
			 ...)
{
	unsigned count = capabilities->traffic_classes;
	char subject[96];
	va_list args;

	va_start(args, fmt);
	vsnprintf(subject, sizeof(subject), fmt, args);
	va_end(args);
	err_record(err, ERR_REFUSED, EINVAL,
		   "%s, and the port has %u traffic class%s (dcbnl ets_cap)", subject, count,
		   count == 1 ? "" : "es");
	return count == 1 ? err_fix(err, "use traffic class 0 only")
			  : err_fix(err, "use traffic classes 0 to %u only", count - 1);
}
