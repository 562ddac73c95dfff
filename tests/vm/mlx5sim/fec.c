// SPDX-License-Identifier: GPL-2.0
/* Forward error correction: mlx5e_get_fecparam(), mlx5e_set_fecparam() and mlx5e_stats_fec_get(). */
#include "mlx5sim.h"

#define LANES 4

const char *const sim_fec_names[SIM_FEC_COUNT] = {
#define SIM_FEC_NAME(name) [SIM_FEC_##name] = #name,
	SIM_FEC(SIM_FEC_NAME)
#undef SIM_FEC_NAME
};

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

static u64 read_blocks(const struct sim_port *p, enum sim_fec_counter id)
{
	return atomic64_read(&p->hw->fec_blocks[id]);
}

/*
 * Read PPCNT. Bits are counted in any mode but "off", blocks only while a mode is in force:
 * over all lanes by RS-FEC, and lane by lane by FC-FEC. A failed query leaves them out.
 */
void sim_get_fec_stats(struct net_device *dev, struct ethtool_fec_stats *stats)
{
	struct sim_port *p = sim_port(dev);
	int i;

	if (sim_enter(p, SIM_OP_GETFECSTATS) || p->hw->fec == ETHTOOL_FEC_OFF)
		return;
	stats->corrected_bits.total = sim_counter_read(p->hw, SIM_CTR_rx_corrected_bits_phy);
	if (!netif_carrier_ok(dev))
		return;
	if (p->hw->fec != ETHTOOL_FEC_BASER) {
		stats->corrected_blocks.total = read_blocks(p, SIM_FEC_rs_fec_corrected_blocks);
		stats->uncorrectable_blocks.total =
			read_blocks(p, SIM_FEC_rs_fec_uncorrectable_blocks);
		return;
	}
	for (i = 0; i < LANES; i++) {
		stats->corrected_blocks.lanes[i] =
			read_blocks(p, SIM_FEC_fc_fec_corrected_blocks_lane0 + i);
		stats->uncorrectable_blocks.lanes[i] =
			read_blocks(p, SIM_FEC_fc_fec_uncorrectable_blocks_lane0 + i);
	}
}
