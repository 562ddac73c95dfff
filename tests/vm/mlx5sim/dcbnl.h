/* SPDX-License-Identifier: GPL-2.0 */
/* Macros that make a dcbnl callback of a driver's function: count the call, which may fail. */
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

/* These callbacks report every refusal as status 1. */
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
