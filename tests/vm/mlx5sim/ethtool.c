// SPDX-License-Identifier: GPL-2.0
/* The ethtool callbacks other than link settings. */
#include "mlx5sim.h"

enum { STALL_AUTO_MS = 100, STALL_MIN_MS = 80, STALL_MAX_MS = 8000 };

static void get_drvinfo(struct net_device *dev, struct ethtool_drvinfo *info)
{
	struct sim_port *p = sim_port(dev);

	strscpy(info->driver, sim_kind(p)->driver, sizeof(info->driver));
	strscpy(info->fw_version, "16.35.2000 (MT_0000000008)", sizeof(info->fw_version));
	strscpy(info->bus_info, pci_name(p->pdev), sizeof(info->bus_info));
}

static int get_sset_count(struct net_device *dev, int sset)
{
	return sset == ETH_SS_STATS ? sim_counters_visible(sim_port(dev)) : -EOPNOTSUPP;
}

static void get_strings(struct net_device *dev, u32 sset, u8 *data)
{
	if (sset == ETH_SS_STATS)
		sim_counters_strings(sim_port(dev), data);
}

/* Only this refreshes the counters of ieee_getpfc; a failed refresh is not reported. */
static void get_ethtool_stats(struct net_device *dev, struct ethtool_stats *stats, u64 *data)
{
	struct sim_port *p = sim_port(dev);

	if (!sim_enter(p, SIM_OP_GETSTATS))
		sim_counters_refresh(p);
	sim_counters_values(p, data);
}

/* A failed query is only logged: the caller reads "off". */
static void get_pauseparam(struct net_device *dev, struct ethtool_pauseparam *pause)
{
	struct sim_port *p = sim_port(dev);

	if (sim_enter(p, SIM_OP_GETPAUSE)) {
		netdev_err(dev, "%s: mlx5_query_port_pause failed\n", __func__);
		return;
	}
	pause->rx_pause = p->hw->rx_pause;
	pause->tx_pause = p->hw->tx_pause;
}

static int set_pauseparam(struct net_device *dev, struct ethtool_pauseparam *pause)
{
	struct sim_port *p = sim_port(dev);
	int entered = sim_enter(p, SIM_OP_SETPAUSE);

	if (entered)
		return sim_verdict(entered);
	if (!sim_has(p, SIM_CAP_PAUSEPARAM))
		return -EOPNOTSUPP;
	if (pause->autoneg)
		return -EINVAL;
	return fw_set_pause(p, pause->rx_pause, pause->tx_pause);
}

/* Other firmware ignores PFC here, and other drivers ignore autoneg. */
static int set_pause_plainly(struct net_device *dev, struct ethtool_pauseparam *pause)
{
	struct sim_port *p = sim_port(dev);
	int entered = sim_enter(p, SIM_OP_SETPAUSE);

	if (entered)
		return sim_verdict(entered);
	p->hw->rx_pause = pause->rx_pause;
	p->hw->tx_pause = pause->tx_pause;
	return 0;
}

static void get_pause_stats(struct net_device *dev, struct ethtool_pause_stats *stats)
{
	struct sim_port *p = sim_port(dev);

	if (sim_enter(p, SIM_OP_GETPAUSESTATS))
		return;
	stats->tx_pause_frames = sim_counter_read(p->hw, SIM_CTR_tx_pause_ctrl_phy);
	stats->rx_pause_frames = sim_counter_read(p->hw, SIM_CTR_rx_pause_ctrl_phy);
}

static int get_tunable(struct net_device *dev, const struct ethtool_tunable *tuna, void *data)
{
	struct sim_port *p = sim_port(dev);
	int entered = sim_enter(p, SIM_OP_GETTUNABLE);

	if (entered)
		return sim_verdict(entered);
	if (tuna->id != ETHTOOL_PFC_PREVENTION_TOUT)
		return -EINVAL;
	if (!sim_has(p, SIM_CAP_STALL))
		return -EOPNOTSUPP;
	*(u16 *)data = p->hw->stall_critical;
	return 0;
}

static int set_stall(struct sim_port *p, u16 ms)
{
	if (!sim_has(p, SIM_CAP_STALL))
		return -EOPNOTSUPP;
	if (ms == PFC_STORM_PREVENTION_AUTO)
		ms = STALL_AUTO_MS;
	if (ms != PFC_STORM_PREVENTION_DISABLE && (ms < STALL_MIN_MS || ms > STALL_MAX_MS))
		return -EINVAL;
	p->hw->stall_critical = ms;
	p->hw->stall_minor = max_t(u16, STALL_MIN_MS, ms * 85 / 100);
	return 0;
}

static int set_tunable(struct net_device *dev, const struct ethtool_tunable *tuna,
		       const void *data)
{
	struct sim_port *p = sim_port(dev);
	int entered = sim_enter(p, SIM_OP_SETTUNABLE);

	if (entered)
		return sim_verdict(entered);
	if (tuna->id != ETHTOOL_PFC_PREVENTION_TOUT)
		return -EINVAL;
	return set_stall(p, *(const u16 *)data);
}

const struct ethtool_ops sim_ethtool_ops = {
	.get_drvinfo = get_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_sset_count = get_sset_count,
	.get_strings = get_strings,
	.get_ethtool_stats = get_ethtool_stats,
	.get_pauseparam = get_pauseparam,
	.set_pauseparam = set_pauseparam,
	.get_pause_stats = get_pause_stats,
	.get_tunable = get_tunable,
	.set_tunable = set_tunable,
	.get_fec_stats = sim_get_fec_stats,
	.get_fecparam = sim_get_fecparam,
	.set_fecparam = sim_set_fecparam,
	.get_link_ksettings = sim_get_link_ksettings,
	.set_link_ksettings = sim_set_link_ksettings,
};

/* bnxt and ice have no storm timeout. */
const struct ethtool_ops sim_other_ethtool_ops = {
	.get_drvinfo = get_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_sset_count = get_sset_count,
	.get_strings = get_strings,
	.get_ethtool_stats = get_ethtool_stats,
	.get_pauseparam = get_pauseparam,
	.set_pauseparam = set_pause_plainly,
	.get_pause_stats = get_pause_stats,
	.get_link_ksettings = sim_get_link_ksettings,
	.set_link_ksettings = sim_set_link_ksettings,
};

/* A representor's callbacks, as mlx5's but without counters. */
const struct ethtool_ops sim_rep_ethtool_ops = {
	.get_drvinfo = get_drvinfo,
	.get_link = ethtool_op_get_link,
};
