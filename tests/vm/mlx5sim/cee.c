// SPDX-License-Identifier: GPL-2.0
/* The CEE side: setters fill a pending copy, setall commits it as all-ETS. */
#include <linux/etherdevice.h>

#include "mlx5sim.h"

/* The callback reports every failure as status 1. */
u8 sim_cee_setall(struct sim_port *p)
{
	const struct sim_cee *cee = &p->cee;
	struct ieee_ets ets = {};
	struct ieee_pfc pfc = {};
	int i;

	if (!sim_has(p, SIM_CAP_ETS))
		return 1;

	for (i = 0; i < 8; i++) {
		ets.tc_tx_bw[i] = cee->pg_bw[i];
		ets.tc_tsa[i] = IEEE_8021QAZ_TSA_ETS;
		ets.prio_tc[i] = cee->prio_pg[i];
		if (cee->pfc_enable)
			pfc.pfc_en |= cee->pfc[i] << i;
	}
	if (sim_ets_validate(p, &ets) || sim_ets_write(p, &ets) || sim_pfc_set(p, &pfc))
		return 1;
	return 0;
}

static bool deaf(struct sim_port *p)
{
	return sim_enter(p, SIM_OP_SETCEE) != 0;
}

void sim_cee_setpgtccfgtx(struct net_device *dev, int prio, u8 type, u8 pgid, u8 bw, u8 up_map)
{
	struct sim_port *p = sim_port(dev);

	if (!deaf(p) && prio < 8 && pgid < 8)
		p->cee.prio_pg[prio] = pgid;
}

void sim_cee_setpgbwgcfgtx(struct net_device *dev, int pgid, u8 bw)
{
	struct sim_port *p = sim_port(dev);

	if (!deaf(p) && pgid < 8)
		p->cee.pg_bw[pgid] = bw;
}

void sim_cee_getpgtccfgtx(struct net_device *dev, int prio, u8 *type, u8 *pgid, u8 *bw,
			  u8 *up_map)
{
	struct sim_port *p = sim_port(dev);

	if (!sim_has(p, SIM_CAP_ETS) || prio >= 8)
		return;
	*type = 0;
	*bw = 0;
	*up_map = 0;
	*pgid = p->hw->prio_tc[prio];
}

void sim_cee_getpgbwgcfgtx(struct net_device *dev, int pgid, u8 *bw)
{
	struct ieee_ets ets = {};

	if (pgid >= 8)
		return;
	sim_ets_get(sim_port(dev), &ets);
	*bw = ets.tc_tx_bw[pgid];
}

void sim_cee_setpfccfg(struct net_device *dev, int prio, u8 setting)
{
	struct sim_port *p = sim_port(dev);

	if (!deaf(p) && prio < 8 && setting <= 1)
		p->cee.pfc[prio] = setting;
}

void sim_cee_getpfccfg(struct net_device *dev, int prio, u8 *setting)
{
	struct sim_port *p = sim_port(dev);

	if (prio < 8 && setting)
		*setting = sim_has(p, SIM_CAP_PFC) ? (p->hw->pfc >> prio) & 1 : 0;
}

u8 sim_cee_getcap(struct net_device *dev, int capid, u8 *cap)
{
	struct sim_port *p = sim_port(dev);

	switch (capid) {
	case DCB_CAP_ATTR_PG:
	case DCB_CAP_ATTR_PFC:
		*cap = true;
		return 0;
	case DCB_CAP_ATTR_UP2TC:
	case DCB_CAP_ATTR_GSP:
	case DCB_CAP_ATTR_BCN:
		*cap = false;
		return 0;
	case DCB_CAP_ATTR_PG_TCS:
	case DCB_CAP_ATTR_PFC_TCS:
		*cap = 1 << p->hw->max_tc;
		return 0;
	case DCB_CAP_ATTR_DCBX:
		*cap = p->dcbx_cap | DCB_CAP_DCBX_VER_CEE | DCB_CAP_DCBX_VER_IEEE;
		return 0;
	default:
		*cap = 0;
		return 1;
	}
}

int sim_cee_getnumtcs(struct net_device *dev, int tcid, u8 *num)
{
	if (tcid != DCB_NUMTCS_ATTR_PG && tcid != DCB_NUMTCS_ATTR_PFC)
		return -EINVAL;
	*num = sim_port(dev)->hw->max_tc + 1;
	return 0;
}

u8 sim_cee_getpfcstate(struct net_device *dev)
{
	struct sim_port *p = sim_port(dev);

	return sim_has(p, SIM_CAP_PFC) && p->hw->pfc;
}

void sim_cee_setpfcstate(struct net_device *dev, u8 state)
{
	struct sim_port *p = sim_port(dev);

	if (!deaf(p) && state <= 1)
		p->cee.pfc_enable = state;
}
