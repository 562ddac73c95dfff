/* SPDX-License-Identifier: GPL-2.0 */
/* How a dcbnl callback is made of what a driver does: first it is counted, and may fail. */
#ifndef MLX5SIM_DCBNL_H
#define MLX5SIM_DCBNL_H

#include "mlx5sim.h"

#define SIM_IEEE_OP(name, op, type, act)				\
static int name(struct net_device *dev, type *arg)			\
{									\
	struct sim_port *p = sim_port(dev);				\
	int entered = sim_enter(p, op);					\
									\
	return entered ? sim_verdict(entered) : act(p, arg);		\
}

/* Refusals of these are status 1, whatever the reason. */
#define SIM_STATUS_OP(name, op, act)					\
static u8 name(struct net_device *dev, u8 arg)				\
{									\
	struct sim_port *p = sim_port(dev);				\
	int entered = sim_enter(p, op);					\
									\
	return entered ? entered < 0 : act(p, arg);			\
}

u8 sim_getdcbx(struct net_device *dev);
u8 sim_getstate(struct net_device *dev);
void sim_getpermhwaddr(struct net_device *dev, u8 *addr);

#endif
