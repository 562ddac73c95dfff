// SPDX-License-Identifier: GPL-2.0
/* A port's state from power on. */
#include "connectx.h"

#include <linux/slab.h>

void fw_port_init(struct fw_function *fn)
{
	xa_init(&fn->port.other);
	fw_link_init(fn);
	fw_qos_init(&fn->port);
	fw_buffer_init(&fn->port);
}

void fw_port_free(struct fw_function *fn)
{
	unsigned long id;
	void *value;

	xa_for_each(&fn->port.other, id, value)
		kfree(value);
	xa_destroy(&fn->port.other);
}

void fw_port_reset(struct fw_function *fn)
{
	const struct fw_link_mode *mode = fn->port.mode;
	u8 admin_up = fn->port.admin_up, oper_up = fn->port.oper_up;
	u32 speed_mbps = fn->port.speed_mbps;

	fw_port_free(fn);
	memset(&fn->port, 0, sizeof(fn->port));
	fw_port_init(fn);
	fw_congestion_init(fn);
	fn->port.admin_up = admin_up;
	fn->port.oper_up = oper_up;
	fn->port.mode = mode;
	fn->port.speed_mbps = speed_mbps;
	fw_link_update(fn);
}

void fw_port_cold(struct fw_function *fn)
{
	fw_port_reset(fn);
	fn->port.admin_up = false;
}
