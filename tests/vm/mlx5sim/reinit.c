// SPDX-License-Identifier: GPL-2.0
/* What the driver does when it attaches: read some registers back, reset others. */
#include <linux/rtnetlink.h>

#include "mlx5sim.h"

/* ETS is reset; PFC, pause, trust and rates stay as the registers have them. */
void sim_driver_init(struct sim_port *p)
{
	sim_app_align(p);
	sim_dcbx_init(p);
	p->manual_buffer = false;
	p->cable_len = SIM_CABLE_M;
	sim_ets_init(p);
	fw_resize_buffers(p);
}

/*
 * devlink reload, firmware reset or health recovery: the netdev stays, everything
 * behind it is set up again, and nobody on the dcbnl group hears of it.
 */
void sim_driver_reinit(struct sim_port *p, bool cold)
{
	bool running;

	sim_rdma_remove(p);

	rtnl_lock();
	sim_app_withdraw(p);
	running = netif_running(p->dev);
	if (running)
		sim_link_stop(p);
	netif_device_detach(p->dev);
	if (cold)
		fw_power_on(p->hw);
	sim_driver_init(p);
	sim_app_publish(p);
	netif_device_attach(p->dev);
	if (running)
		sim_link_start(p);
	rtnl_unlock();

	if (sim_rdma_add(p))
		netdev_err(p->dev, "the RDMA device did not come back\n");
}
