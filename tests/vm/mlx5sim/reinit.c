// SPDX-License-Identifier: GPL-2.0
/* Driver initialisation at attach: reads some registers back, resets others. */
#include <linux/rtnetlink.h>

#include "mlx5sim.h"

void sim_driver_init(struct sim_port *p)
{
	memset(&p->reco, 0, sizeof(p->reco));
	sim_kind(p)->init(p);
	sim_apptrust_init(p);
	fw_resize_buffers(p);
}

/* The core stores APP entries; the driver's memory decides which it adds. */
void sim_publish_apps(struct sim_port *p)
{
	if (p->dev->dcbnl_ops && sim_netdev_there(p) && sim_kind(p)->publish)
		sim_kind(p)->publish(p);
}

/*
 * Play a firmware reset or health recovery: the netdev stays, everything behind it is set up
 * again, and the dcbnl group gets no notification.
 */
void sim_driver_reinit(struct sim_port *p, bool cold)
{
	bool running;

	sim_rdma_remove(p);

	rtnl_lock();
	sim_kind(p)->withdraw(p);
	running = netif_running(p->dev);
	if (running)
		sim_link_stop(p);
	netif_device_detach(p->dev);
	if (cold)
		fw_power_on(p->hw);
	sim_driver_init(p);
	sim_publish_apps(p);
	netif_device_attach(p->dev);
	if (running)
		sim_link_start(p);
	rtnl_unlock();

	if (sim_rdma_add(p))
		netdev_err(p->dev, "the RDMA device did not come back\n");
}
