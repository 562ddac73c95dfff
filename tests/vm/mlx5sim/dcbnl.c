// SPDX-License-Identifier: GPL-2.0
/*
 * The dcbnl callbacks: exactly mlx5's set. Each first asks fault.c whether to go on.
 * The core calls all of them under RTNL, and getdcbx under a spinlock.
 */
#include <linux/etherdevice.h>

#include "dcbnl.h"

SIM_IEEE_OP(ieee_getets, SIM_OP_GETETS, struct ieee_ets, sim_ets_get)
SIM_IEEE_OP(ieee_setets, SIM_OP_SETETS, struct ieee_ets, sim_ets_set)
SIM_IEEE_OP(ieee_getmaxrate, SIM_OP_GETMAXRATE, struct ieee_maxrate, sim_maxrate_get)
SIM_IEEE_OP(ieee_setmaxrate, SIM_OP_SETMAXRATE, struct ieee_maxrate, sim_maxrate_set)
SIM_IEEE_OP(ieee_getpfc, SIM_OP_GETPFC, struct ieee_pfc, sim_pfc_get)
SIM_IEEE_OP(ieee_setpfc, SIM_OP_SETPFC, struct ieee_pfc, sim_pfc_set)
SIM_IEEE_OP(ieee_setapp, SIM_OP_SETAPP, struct dcb_app, sim_app_set)
SIM_IEEE_OP(ieee_delapp, SIM_OP_DELAPP, struct dcb_app, sim_app_del)
SIM_IEEE_OP(getbuffer, SIM_OP_GETBUFFER, struct dcbnl_buffer, sim_buffer_get)
SIM_IEEE_OP(setbuffer, SIM_OP_SETBUFFER, struct dcbnl_buffer, sim_buffer_set)

SIM_STATUS_OP(setdcbx, SIM_OP_SETDCBX, sim_dcbx_set)

u8 sim_getdcbx(struct net_device *dev)
{
	struct sim_port *p = sim_port(dev);

	sim_enter(p, SIM_OP_GETDCBX);
	return p->dcbx_cap;
}

static u8 setall(struct net_device *dev)
{
	struct sim_port *p = sim_port(dev);
	int entered = sim_enter(p, SIM_OP_SETALL);

	return entered ? entered < 0 : sim_cee_setall(p);
}

u8 sim_getstate(struct net_device *dev)
{
	return 1;
}

void sim_getpermhwaddr(struct net_device *dev, u8 *addr)
{
	memset(addr, 0xff, MAX_ADDR_LEN);
	ether_addr_copy(addr, dev->perm_addr);
}

const struct dcbnl_rtnl_ops sim_dcbnl_ops = {
	.ieee_getets = ieee_getets,
	.ieee_setets = ieee_setets,
	.ieee_getmaxrate = ieee_getmaxrate,
	.ieee_setmaxrate = ieee_setmaxrate,
	.ieee_getpfc = ieee_getpfc,
	.ieee_setpfc = ieee_setpfc,
	.ieee_setapp = ieee_setapp,
	.ieee_delapp = ieee_delapp,
	.getdcbx = sim_getdcbx,
	.setdcbx = setdcbx,
	.dcbnl_getbuffer = getbuffer,
	.dcbnl_setbuffer = setbuffer,

	.setall = setall,
	.getstate = sim_getstate,
	.getpermhwaddr = sim_getpermhwaddr,
	.setpgtccfgtx = sim_cee_setpgtccfgtx,
	.setpgbwgcfgtx = sim_cee_setpgbwgcfgtx,
	.getpgtccfgtx = sim_cee_getpgtccfgtx,
	.getpgbwgcfgtx = sim_cee_getpgbwgcfgtx,
	.setpfccfg = sim_cee_setpfccfg,
	.getpfccfg = sim_cee_getpfccfg,
	.getcap = sim_cee_getcap,
	.getnumtcs = sim_cee_getnumtcs,
	.getpfcstate = sim_cee_getpfcstate,
	.setpfcstate = sim_cee_setpfcstate,
};
