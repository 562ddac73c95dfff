// SPDX-License-Identifier: GPL-2.0
/* Counters. */
#include "connectx.h"

#define PUT64(layout, at, name, value) \
	(*(__be64 *)((u8 *)(at) + MLX5_BYTE_OFF(layout, name##_high)) = cpu_to_be64(value))

static void count_8023(struct fw_counters *count, void *set)
{
	PUT64(eth_802_3_cntrs_grp_data_layout, set, a_frames_transmitted_ok, count->tx_frames);
	PUT64(eth_802_3_cntrs_grp_data_layout, set, a_frames_received_ok, count->rx_frames);
	PUT64(eth_802_3_cntrs_grp_data_layout, set, a_octets_transmitted_ok, count->tx_bytes);
	PUT64(eth_802_3_cntrs_grp_data_layout, set, a_octets_received_ok, count->rx_bytes);
	PUT64(eth_802_3_cntrs_grp_data_layout, set, a_multicast_frames_xmitted_ok,
	      count->tx_multicast);
	PUT64(eth_802_3_cntrs_grp_data_layout, set, a_broadcast_frames_xmitted_ok,
	      count->tx_broadcast);
	PUT64(eth_802_3_cntrs_grp_data_layout, set, a_multicast_frames_received_ok,
	      count->rx_multicast);
	PUT64(eth_802_3_cntrs_grp_data_layout, set, a_broadcast_frames_received_ok,
	      count->rx_broadcast);
}

static void count_prio(struct fw_counters *count, u8 prio, void *set)
{
	PUT64(eth_per_prio_grp_data_layout, set, rx_octets, count->prio[prio].rx_bytes);
	PUT64(eth_per_prio_grp_data_layout, set, rx_frames, count->prio[prio].rx_frames);
	PUT64(eth_per_prio_grp_data_layout, set, tx_octets, count->prio[prio].tx_bytes);
	PUT64(eth_per_prio_grp_data_layout, set, tx_frames, count->prio[prio].tx_frames);
	PUT64(eth_per_prio_grp_data_layout, set, rx_pause, count->prio[prio].rx_pause);
	PUT64(eth_per_prio_grp_data_layout, set, rx_pause_duration, count->prio[prio].rx_pause_us);
	PUT64(eth_per_prio_grp_data_layout, set, tx_pause, count->prio[prio].tx_pause);
	PUT64(eth_per_prio_grp_data_layout, set, tx_pause_duration, count->prio[prio].tx_pause_us);
	PUT64(eth_per_prio_grp_data_layout, set, rx_pause_transition,
	      count->prio[prio].rx_transition);
	PUT64(eth_per_prio_grp_data_layout, set, rx_discards, count->prio[prio].rx_discards);
}

static int reg_ppcnt(struct fw_function *fn, void *in, void *out, bool write)
{
	u8 group = MLX5_GET(ppcnt_reg, in, grp), prio = MLX5_GET(ppcnt_reg, in, prio_tc);
	void *set = MLX5_ADDR_OF(ppcnt_reg, out, counter_set);

	MLX5_SET(ppcnt_reg, out, local_port, 1);
	MLX5_SET(ppcnt_reg, out, grp, group);
	switch (group) {
	case MLX5_IEEE_802_3_COUNTERS_GROUP:
		count_8023(&fn->port.count, set);
		break;
	case MLX5_PER_PRIORITY_COUNTERS_GROUP:
		count_prio(&fn->port.count, prio, set);
		break;
	case MLX5_PHYSICAL_LAYER_COUNTERS_GROUP:
		MLX5_SET(phys_layer_cntrs, set, link_down_events, fn->port.count.link_down_events);
		break;
	}
	return MLX5_CMD_STAT_OK;
}

const struct fw_register fw_counter_registers[] = {
	{ MLX5_REG_PPCNT, reg_ppcnt },
	{}
};
