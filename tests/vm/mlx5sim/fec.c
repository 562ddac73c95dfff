// SPDX-License-Identifier: GPL-2.0
/* Forward error correction: mlx5e_get_fecparam() and mlx5e_set_fecparam(), register PPLM. */
#include "mlx5sim.h"

static const struct {
	const char *name;
	u32 fec;
} modes[] = {
	{ "off", ETHTOOL_FEC_OFF },
	{ "baser", ETHTOOL_FEC_BASER },
	{ "rs", ETHTOOL_FEC_RS },
	{ "llrs", ETHTOOL_FEC_LLRS },
};

int sim_fec_parse(const char *name, u32 *ret)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++)
		if (!strcmp(modes[i].name, name)) {
			*ret = modes[i].fec;
			return 0;
		}
	return -EINVAL;
}

const char *sim_fec_name(u32 fec)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++)
		if (modes[i].fec == fec)
			return modes[i].name;
	return "none";
}

/* pplm2ethtool_fec(): no mode is in force without a link, and that reads as "auto". */
int sim_get_fecparam(struct net_device *dev, struct ethtool_fecparam *fec)
{
	struct sim_port *p = sim_port(dev);
	int entered = sim_enter(p, SIM_OP_GETFEC);

	if (entered)
		return sim_verdict(entered);
	if (!sim_has(p, SIM_CAP_PPLM))
		return -EOPNOTSUPP;
	fec->active_fec = netif_carrier_ok(dev) ? p->hw->fec : ETHTOOL_FEC_AUTO;
	fec->fec = p->hw->fec_admin ?: ETHTOOL_FEC_AUTO;
	return 0;
}

/* A change takes the link down; the peer follows. */
int sim_set_fecparam(struct net_device *dev, struct ethtool_fecparam *fec)
{
	struct sim_port *p = sim_port(dev);

	if (!sim_has(p, SIM_CAP_PPLM) || hweight32(fec->fec) > 1)
		return -EOPNOTSUPP;
	if (fec->fec != ETHTOOL_FEC_AUTO && !strcmp(sim_fec_name(fec->fec), "none"))
		return -EINVAL;
	p->hw->fec_admin = fec->fec == ETHTOOL_FEC_AUTO ? 0 : fec->fec;
	if (p->hw->fec_admin)
		p->hw->fec = p->hw->fec_admin;
	sim_link_toggle(p);
	return 0;
}
