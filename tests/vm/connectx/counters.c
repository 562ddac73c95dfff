// SPDX-License-Identifier: GPL-2.0
/*
 * Counters: one row for each, with its name outside (ethtool -S, hw_counters, ethtool -I), the
 * answer that has it, and its place there. A counter is what the data path counted, and what was
 * added by name.
 */
#include "connectx.h"

#include <linux/slab.h>

/* Answers: groups of PPCNT by their number, and the rest. */
enum answer {
	MPCNT = 0x40, VNIC_ENV, VPORT, CONGESTION, MODULE_EVENTS,
	Q_ETHERNET,	/* the set of mlx5e's receive queues */
	Q_DROPPING,	/* the set of the queue that receives while the port is down */
	Q_RDMA,		/* all others */
};

#define NOTHING	0xffff

/* States and errors of a module, as the driver's lib/events.c counts them. */
enum { MODULE_UNPLUGGED = 2, MODULE_ERROR = 3 };
enum { BUS_STUCK = 2, HOT = 6, BAD_CABLE = 7 };

struct counter {
	const char *name;	/* with %u: one for each priority or traffic class; NULL: none */
	u8 answer;
	u8 bytes;		/* 4 or 8 */
	u16 at;
	u16 live;		/* in struct fw_counters, or in that of a set of Q counters */
	u16 stride;		/* to that of the next priority */
};

#define C64(name_, answer_, layout, field, live_) \
	{ name_, answer_, 8, MLX5_BYTE_OFF(layout, field), live_ }
#define C32(name_, answer_, layout, field, live_) \
	{ name_, answer_, 4, MLX5_BYTE_OFF(layout, field), live_ }
#define LIVE(field) offsetof(struct fw_counters, field)
#define LIVE_Q(field) offsetof(struct fw_q_counters, field)

#define IEEE(name, field, live) \
	C64(name, MLX5_IEEE_802_3_COUNTERS_GROUP, eth_802_3_cntrs_grp_data_layout, \
	    field##_high, live)
#define RFC2863(name, field, live) \
	C64(name, MLX5_RFC_2863_COUNTERS_GROUP, eth_2863_cntrs_grp_data_layout, field##_high, live)
#define RFC2819(name, field, live) \
	C64(name, MLX5_RFC_2819_COUNTERS_GROUP, eth_2819_cntrs_grp_data_layout, field##_high, live)
#define RFC3635(name, field, live) \
	C64(name, MLX5_RFC_3635_COUNTERS_GROUP, eth_3635_cntrs_grp_data_layout, field##_high, live)
#define PHYSICAL(name, field) \
	C64(name, MLX5_PHYSICAL_LAYER_COUNTERS_GROUP, phys_layer_cntrs, field##_high, NOTHING)
#define STATISTICAL(name, field) \
	C64(name, MLX5_PHYSICAL_LAYER_STATISTICAL_GROUP, phys_layer_statistical_cntrs, \
	    field##_high, NOTHING)
#define EXTENDED(name, field, live) \
	C64(name, MLX5_ETHERNET_EXTENDED_COUNTERS_GROUP, eth_extended_cntrs_grp_data_layout, \
	    field##_high, live)
#define PRIO(name_, field, live_) { \
	.name = name_, .answer = MLX5_PER_PRIORITY_COUNTERS_GROUP, .bytes = 8, \
	.at = MLX5_BYTE_OFF(eth_per_prio_grp_data_layout, field##_high), \
	.live = live_, .stride = sizeof_field(struct fw_counters, prio[0]) }
#define VPORT_TRAFFIC(name, field, live) \
	C64(name "_packets", VPORT, query_vport_counter_out, field.packets, LIVE(live.frames)), \
	C64(name "_bytes", VPORT, query_vport_counter_out, field.octets, LIVE(live.bytes))
#define ENVIRONMENT(c, name, field) c(name, VNIC_ENV, query_vnic_env_out, vport_env.field, NOTHING)
#define PCIE(c, name, field, live) c(name, MPCNT, pcie_perf_cntrs_grp_data_layout, field, live)
#define Q(field) C32(#field, Q_RDMA, query_q_counter_out, field, NOTHING)
#define Q_LIVE(field) C32(#field, Q_RDMA, query_q_counter_out, field, LIVE_Q(field))

static const struct counter counters[] = {
	IEEE("tx_packets_phy", a_frames_transmitted_ok, LIVE(tx_frames)),
	IEEE("rx_packets_phy", a_frames_received_ok, LIVE(rx_frames)),
	IEEE("rx_crc_errors_phy", a_frame_check_sequence_errors, LIVE(crc_errors)),
	IEEE("tx_bytes_phy", a_octets_transmitted_ok, LIVE(tx_bytes)),
	IEEE("rx_bytes_phy", a_octets_received_ok, LIVE(rx_bytes)),
	IEEE("tx_multicast_phy", a_multicast_frames_xmitted_ok, LIVE(tx[FW_MULTICAST].frames)),
	IEEE("tx_broadcast_phy", a_broadcast_frames_xmitted_ok, LIVE(tx[FW_BROADCAST].frames)),
	IEEE("rx_multicast_phy", a_multicast_frames_received_ok, LIVE(rx[FW_MULTICAST].frames)),
	IEEE("rx_broadcast_phy", a_broadcast_frames_received_ok, LIVE(rx[FW_BROADCAST].frames)),
	IEEE("rx_in_range_len_errors_phy", a_in_range_length_errors, NOTHING),
	IEEE("rx_out_of_range_len_phy", a_out_of_range_length_field, NOTHING),
	IEEE("rx_oversize_pkts_phy", a_frame_too_long_errors, NOTHING),
	IEEE("rx_symbol_err_phy", a_symbol_error_during_carrier, NOTHING),
	IEEE("tx_mac_control_phy", a_mac_control_frames_transmitted, LIVE(tx_pause)),
	IEEE("rx_mac_control_phy", a_mac_control_frames_received, LIVE(rx_pause)),
	IEEE("rx_unsupported_op_phy", a_unsupported_opcodes_received, NOTHING),
	IEEE("rx_pause_ctrl_phy", a_pause_mac_ctrl_frames_received, LIVE(rx_pause)),
	IEEE("tx_pause_ctrl_phy", a_pause_mac_ctrl_frames_transmitted, LIVE(tx_pause)),

	RFC2863("rx_discards_phy", if_in_discards, LIVE(rx_discards)),
	RFC2863("tx_discards_phy", if_out_discards, NOTHING),
	RFC2863("tx_errors_phy", if_out_errors, NOTHING),
	RFC2863(NULL, if_in_octets, LIVE(rx_bytes)),
	RFC2863(NULL, if_out_octets, LIVE(tx_bytes)),
	RFC2863(NULL, if_in_ucast_pkts, LIVE(rx[FW_UNICAST].frames)),
	RFC2863(NULL, if_out_ucast_pkts, LIVE(tx[FW_UNICAST].frames)),

	RFC2819("rx_undersize_pkts_phy", ether_stats_undersize_pkts, NOTHING),
	RFC2819("rx_fragments_phy", ether_stats_fragments, NOTHING),
	RFC2819("rx_jabbers_phy", ether_stats_jabbers, NOTHING),
	RFC2819("rx_64_bytes_phy", ether_stats_pkts64octets, LIVE(rx_sizes[0])),
	RFC2819("rx_65_to_127_bytes_phy", ether_stats_pkts65to127octets, LIVE(rx_sizes[1])),
	RFC2819("rx_128_to_255_bytes_phy", ether_stats_pkts128to255octets, LIVE(rx_sizes[2])),
	RFC2819("rx_256_to_511_bytes_phy", ether_stats_pkts256to511octets, LIVE(rx_sizes[3])),
	RFC2819("rx_512_to_1023_bytes_phy", ether_stats_pkts512to1023octets, LIVE(rx_sizes[4])),
	RFC2819("rx_1024_to_1518_bytes_phy", ether_stats_pkts1024to1518octets, LIVE(rx_sizes[5])),
	RFC2819("rx_1519_to_2047_bytes_phy", ether_stats_pkts1519to2047octets, LIVE(rx_sizes[6])),
	RFC2819("rx_2048_to_4095_bytes_phy", ether_stats_pkts2048to4095octets, LIVE(rx_sizes[7])),
	RFC2819("rx_4096_to_8191_bytes_phy", ether_stats_pkts4096to8191octets, LIVE(rx_sizes[8])),
	RFC2819("rx_8192_to_10239_bytes_phy", ether_stats_pkts8192to10239octets, LIVE(rx_sizes[9])),

	RFC3635(NULL, dot3in_pause_frames, LIVE(rx_pause)),
	RFC3635(NULL, dot3out_pause_frames, LIVE(tx_pause)),

	C32("link_down_events_phy", MLX5_PHYSICAL_LAYER_COUNTERS_GROUP, phys_layer_cntrs,
	    link_down_events, LIVE(link_down_events)),
	PHYSICAL("rs_fec_corrected_blocks", rs_fec_corrected_blocks),
	PHYSICAL("rs_fec_uncorrectable_blocks", rs_fec_uncorrectable_blocks),
	PHYSICAL("fc_fec_corrected_blocks_lane0", fc_fec_corrected_blocks_lane0),
	PHYSICAL("fc_fec_corrected_blocks_lane1", fc_fec_corrected_blocks_lane1),
	PHYSICAL("fc_fec_corrected_blocks_lane2", fc_fec_corrected_blocks_lane2),
	PHYSICAL("fc_fec_corrected_blocks_lane3", fc_fec_corrected_blocks_lane3),
	PHYSICAL("fc_fec_uncorrectable_blocks_lane0", fc_fec_uncorrectable_blocks_lane0),
	PHYSICAL("fc_fec_uncorrectable_blocks_lane1", fc_fec_uncorrectable_blocks_lane1),
	PHYSICAL("fc_fec_uncorrectable_blocks_lane2", fc_fec_uncorrectable_blocks_lane2),
	PHYSICAL("fc_fec_uncorrectable_blocks_lane3", fc_fec_uncorrectable_blocks_lane3),
	STATISTICAL("rx_pcs_symbol_err_phy", phy_symbol_errors),
	STATISTICAL("rx_corrected_bits_phy", phy_corrected_bits),
	STATISTICAL("rx_err_lane_0_phy", phy_corrected_bits_lane0),
	STATISTICAL("rx_err_lane_1_phy", phy_corrected_bits_lane1),
	STATISTICAL("rx_err_lane_2_phy", phy_corrected_bits_lane2),
	STATISTICAL("rx_err_lane_3_phy", phy_corrected_bits_lane3),
	EXTENDED("rx_buffer_passed_thres_phy", rx_buffer_almost_full, NOTHING),
	EXTENDED("rx_icrc_encapsulated", rx_icrc_encapsulated, LIVE(icrc_errors)),

	PRIO("rx_prio%u_bytes", rx_octets, LIVE(prio[0].rx_bytes)),
	PRIO("rx_prio%u_packets", rx_frames, LIVE(prio[0].rx_frames)),
	PRIO("rx_prio%u_discards", rx_discards, LIVE(prio[0].rx_discards)),
	PRIO("tx_prio%u_bytes", tx_octets, LIVE(prio[0].tx_bytes)),
	PRIO("tx_prio%u_packets", tx_frames, LIVE(prio[0].tx_frames)),
	PRIO("rx_prio%u_pause", rx_pause, LIVE(prio[0].rx_pause)),
	PRIO("rx_prio%u_pause_duration", rx_pause_duration, LIVE(prio[0].rx_pause_us)),
	PRIO("tx_prio%u_pause", tx_pause, LIVE(prio[0].tx_pause)),
	PRIO("tx_prio%u_pause_duration", tx_pause_duration, LIVE(prio[0].tx_pause_us)),
	PRIO("rx_prio%u_pause_transition", rx_pause_transition, LIVE(prio[0].rx_transition)),
	/* The driver reads these of priority 0 alone, for all. */
	PRIO("tx_pause_storm_warning_events", device_stall_minor_watermark_cnt,
	     LIVE(prio[0].stall_minor)),
	PRIO("tx_pause_storm_error_events", device_stall_critical_watermark_cnt,
	     LIVE(prio[0].stall_critical)),

	{ "rx_prio%u_buf_discard", MLX5_PER_TRAFFIC_CLASS_COUNTERS_GROUP, 8,
	  MLX5_BYTE_OFF(eth_per_tc_prio_grp_data_layout, no_buffer_discard_uc_high),
	  LIVE(tc_discards), sizeof(u64) },
	C64("rx_prio%u_cong_discard", MLX5_PER_TRAFFIC_CLASS_CONGESTION_GROUP,
	    eth_per_tc_congest_prio_grp_data_layout, wred_discard_high, NOTHING),
	C64("rx_prio%u_marked", MLX5_PER_TRAFFIC_CLASS_CONGESTION_GROUP,
	    eth_per_tc_congest_prio_grp_data_layout, ecn_marked_tc_high, NOTHING),

	PCIE(C32, "rx_pci_signal_integrity", rx_errors, NOTHING),
	PCIE(C32, "tx_pci_signal_integrity", tx_errors, NOTHING),
	PCIE(C64, "outbound_pci_buffer_overflow", tx_overflow_buffer_pkt_high, NOTHING),
	PCIE(C32, "outbound_pci_stalled_rd", outbound_stalled_reads, NOTHING),
	PCIE(C32, "outbound_pci_stalled_wr", outbound_stalled_writes, LIVE(stalled_percent)),
	PCIE(C32, "outbound_pci_stalled_rd_events", outbound_stalled_reads_events, NOTHING),
	PCIE(C32, "outbound_pci_stalled_wr_events", outbound_stalled_writes_events,
	     LIVE(stalled_seconds)),

	ENVIRONMENT(C64, "rx_steer_missed_packets", nic_receive_steering_discard),
	ENVIRONMENT(C32, "dev_internal_queue_oob", internal_rq_out_of_buffer),
	ENVIRONMENT(C32, "rx_oversize_pkts_buffer", eth_wqe_too_small),

	VPORT_TRAFFIC("rx_vport_unicast", received_eth_unicast, rx[FW_UNICAST]),
	VPORT_TRAFFIC("tx_vport_unicast", transmitted_eth_unicast, tx[FW_UNICAST]),
	VPORT_TRAFFIC("rx_vport_multicast", received_eth_multicast, rx[FW_MULTICAST]),
	VPORT_TRAFFIC("tx_vport_multicast", transmitted_eth_multicast, tx[FW_MULTICAST]),
	VPORT_TRAFFIC("rx_vport_broadcast", received_eth_broadcast, rx[FW_BROADCAST]),
	VPORT_TRAFFIC("tx_vport_broadcast", transmitted_eth_broadcast, tx[FW_BROADCAST]),
	VPORT_TRAFFIC("rx_vport_rdma_unicast", received_ib_unicast, rx[FW_RDMA]),
	VPORT_TRAFFIC("tx_vport_rdma_unicast", transmitted_ib_unicast, tx[FW_RDMA]),
	VPORT_TRAFFIC("rx_vport_rdma_multicast", received_ib_multicast, rx[FW_RDMA_MULTICAST]),
	VPORT_TRAFFIC("tx_vport_rdma_multicast", transmitted_ib_multicast, tx[FW_RDMA_MULTICAST]),

	/* The driver counts these events itself; their "places" are what the events say. */
	{ "module_unplug", MODULE_EVENTS, 4, MODULE_UNPLUGGED << 8, NOTHING },
	{ "module_bus_stuck", MODULE_EVENTS, 4, MODULE_ERROR << 8 | BUS_STUCK, NOTHING },
	{ "module_high_temp", MODULE_EVENTS, 4, MODULE_ERROR << 8 | HOT, NOTHING },
	{ "module_bad_shorted", MODULE_EVENTS, 4, MODULE_ERROR << 8 | BAD_CABLE, NOTHING },

	C32("rx_out_of_buffer", Q_ETHERNET, query_q_counter_out, out_of_buffer,
	    LIVE_Q(out_of_buffer)),
	C32("rx_if_down_packets", Q_DROPPING, query_q_counter_out, out_of_buffer,
	    LIVE_Q(out_of_buffer)),
	Q_LIVE(rx_write_requests),
	Q_LIVE(rx_read_requests),
	Q_LIVE(rx_atomic_requests),
	Q(rx_dct_connect),
	Q_LIVE(out_of_buffer),
	Q_LIVE(out_of_sequence),
	Q_LIVE(duplicate_request),
	Q_LIVE(rnr_nak_retry_err),
	Q_LIVE(packet_seq_err),
	Q_LIVE(implied_nak_seq_err),
	Q_LIVE(local_ack_timeout_err),
	Q_LIVE(resp_local_length_error),
	Q_LIVE(resp_cqe_error),
	Q_LIVE(req_cqe_error),
	Q_LIVE(req_remote_invalid_request),
	Q_LIVE(req_remote_access_errors),
	Q_LIVE(resp_remote_access_errors),
	Q_LIVE(resp_cqe_flush_error),
	Q_LIVE(req_cqe_flush_error),
	Q_LIVE(req_transport_retries_exceeded),
	/* The oldest header does not name it. */
	{ "req_rnr_retries_exceeded", Q_RDMA, 4, 0x380 / 8, LIVE_Q(req_rnr_retries_exceeded) },
	Q(roce_adp_retrans),
	Q(roce_adp_retrans_to),
	Q_LIVE(roce_slow_restart),
	Q_LIVE(roce_slow_restart_cnps),
	Q_LIVE(roce_slow_restart_trans),

	C64("rp_cnp_ignored", CONGESTION, query_cong_statistics_out, rp_cnp_ignored_high,
	    LIVE(cnp_ignored)),
	C64("rp_cnp_handled", CONGESTION, query_cong_statistics_out, rp_cnp_handled_high,
	    LIVE(cnp_handled)),
	C64("np_ecn_marked_roce_packets", CONGESTION, query_cong_statistics_out,
	    np_ecn_marked_roce_packets_high, LIVE(ecn_marked)),
	C64("np_cnp_sent", CONGESTION, query_cong_statistics_out, np_cnp_sent_high, LIVE(cnp_sent)),
};

static_assert(ARRAY_SIZE(counters) <= FW_COUNTER_ROWS);

/* Fill in the counters of this answer; LIVE is where the data path counts for it. */
static void put(struct fw_port *port, enum answer answer, unsigned int index, const void *live,
		bool added, void *out)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		const struct counter *c = &counters[i];
		u64 value = added ? port->added[i][index] : 0;

		if (c->answer != answer)
			continue;
		if (c->live != NOTHING && live)
			value += *(const u64 *)(live + c->live + index * c->stride);
		if (c->bytes == 8)
			put_unaligned_be64(value, out + c->at);
		else
			put_unaligned_be32(value, out + c->at);
	}
}

static bool per_index(const struct counter *c)
{
	return c->name && strchr(c->name, '%');
}

bool fw_counter_name(unsigned int n, char *name, size_t size)
{
	const struct counter *c = counters;
	unsigned int names;

	for (; c < counters + ARRAY_SIZE(counters); c++) {
		names = per_index(c) ? FW_PRIOS : c->name != NULL;
		if (n < names) {
			snprintf(name, size, c->name, n);
			return true;
		}
		n -= names;
	}
	return false;
}

static bool is_named(const struct counter *c, unsigned int index, const char *name)
{
	char own[FW_COUNTER_NAME];

	if (!c->name || (index && !per_index(c)))
		return false;
	snprintf(own, sizeof(own), c->name, index);
	return !strcmp(own, name);
}

/* The driver shows what it reads of priority 0 as that of global pause. */
bool fw_counter_add(struct fw_function *fn, const char *name, s64 n)
{
	const char *global = strstr(name, "_global_");
	char prio0[FW_COUNTER_NAME];
	unsigned int i, index;

	if (global) {
		snprintf(prio0, sizeof(prio0), "%.*s_prio0_%s", (int)(global - name), name,
			 global + strlen("_global_"));
		name = prio0;
	}
	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		for (index = 0; index < FW_PRIOS; index++) {
			if (!is_named(&counters[i], index, name))
				continue;
			fn->port.added[i][index] += n;
			fn->port.module_events |= counters[i].answer == MODULE_EVENTS;
			fw_wake();
			return true;
		}
	}
	return false;
}

/* Events of the module that were added by name: one of each kind at a time. */
bool fw_counter_poll(struct fw_function *fn)
{
	bool busy = false;
	int i;

	if (!fn->port.module_events)
		return false;
	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		struct mlx5_eqe_port_module event = {
			.module = fn->index % 2,
			.module_status = counters[i].at >> 8,
			.error_type = counters[i].at,
		};

		if (counters[i].answer != MODULE_EVENTS || (s64)fn->port.added[i][0] <= 0)
			continue;
		fn->port.added[i][0]--;
		fw_event(fn, MLX5_EVENT_TYPE_PORT_MODULE_EVENT, 0, &event, sizeof(event));
		busy = true;
	}
	fn->port.module_events = busy;
	return busy;
}

static int frame_size_class(u32 bytes)
{
	static const u16 last[] = { 64, 127, 255, 511, 1023, 1518, 2047, 4095, 8191 };
	int i;

	for (i = 0; i < ARRAY_SIZE(last) && bytes > last[i]; i++)
		;
	return i;
}

void fw_count(struct fw_function *fn, bool tx, enum fw_cast cast, u8 prio, u64 frames, u64 bytes)
{
	struct fw_counters *count = &fn->port.count;

	if (tx) {
		count->tx_frames += frames;
		count->tx_bytes += bytes;
		count->tx[cast].frames += frames;
		count->tx[cast].bytes += bytes;
		count->prio[prio].tx_frames += frames;
		count->prio[prio].tx_bytes += bytes;
		return;
	}
	count->rx_frames += frames;
	count->rx_bytes += bytes;
	count->rx[cast].frames += frames;
	count->rx[cast].bytes += bytes;
	count->prio[prio].rx_frames += frames;
	count->prio[prio].rx_bytes += bytes;
	count->rx_sizes[frame_size_class(div64_u64(bytes, frames ?: 1))] += frames;
}

static int reg_ppcnt(struct fw_function *fn, void *in, void *out, bool write)
{
	u8 group = MLX5_GET(ppcnt_reg, in, grp), index = MLX5_GET(ppcnt_reg, in, prio_tc);

	MLX5_SET(ppcnt_reg, out, local_port, 1);
	MLX5_SET(ppcnt_reg, out, grp, group);
	MLX5_SET(ppcnt_reg, out, prio_tc, index);
	fw_pause_settle(&fn->port);
	put(&fn->port, group, index, &fn->port.count, true,
	    MLX5_ADDR_OF(ppcnt_reg, out, counter_set));
	return MLX5_CMD_STAT_OK;
}

static int reg_mpcnt(struct fw_function *fn, void *in, void *out, bool write)
{
	u8 group = MLX5_GET(mpcnt_reg, in, grp);

	MLX5_SET(mpcnt_reg, out, grp, group);
	fw_queue_settle(fn);
	if (group == MLX5_PCIE_PERFORMANCE_COUNTERS_GROUP)
		put(&fn->port, MPCNT, 0, &fn->port.count, true,
		    MLX5_ADDR_OF(mpcnt_reg, out, counter_set));
	return MLX5_CMD_STAT_OK;
}

/*
 * Sets of Q counters have no owner. mlx5e makes two in a row, and its first receive queue, which
 * drops, names the second one.
 */
void fw_counter_receive_queue(struct fw_function *fn, u8 set)
{
	fn->dropping_set = set;
}

static enum answer owner_of(struct fw_function *fn, u32 set)
{
	if (!fn->dropping_set)
		return Q_RDMA;
	if (set == fn->dropping_set)
		return Q_DROPPING;
	return set + 1 == fn->dropping_set ? Q_ETHERNET : Q_RDMA;
}

/* mlx5_ib has one set from its start; those that programs ask for come later. */
static bool is_first(struct fw_function *fn, u32 set)
{
	struct fw_object *object;
	unsigned long id;

	xa_for_each(&fn->object[FW_QCOUNTER], id, object) {
		if (owner_of(fn, id) == owner_of(fn, set))
			return id == set;
	}
	return false;
}

void fw_counter_set_dropped(struct fw_function *fn, u32 set)
{
	int i;

	if (!is_first(fn, set))
		return;
	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		if (counters[i].answer == owner_of(fn, set))
			memset(fn->port.added[i], 0, sizeof(fn->port.added[i]));
	}
}

static int query_q_counter(struct fw_command *cmd)
{
	u32 id = MLX5_GET(query_q_counter_in, cmd->in, counter_set_id);
	struct fw_object *set = fw_object_get(cmd->fn, FW_QCOUNTER, id);

	if (set)
		put(&cmd->fn->port, owner_of(cmd->fn, id), 0, &set->q, is_first(cmd->fn, id),
		    cmd->out);
	return MLX5_CMD_STAT_OK;
}

int fw_counter_command(struct fw_command *cmd)
{
	struct fw_port *port = &cmd->fn->port;

	switch (cmd->opcode) {
	case MLX5_CMD_OP_QUERY_VPORT_COUNTER:
		put(port, VPORT, 0, &port->count, true, cmd->out);
		return MLX5_CMD_STAT_OK;
	case MLX5_CMD_OP_QUERY_VNIC_ENV:
		put(port, VNIC_ENV, 0, NULL, true, cmd->out);
		return MLX5_CMD_STAT_OK;
	case MLX5_CMD_OP_QUERY_CONG_STATISTICS:
		put(port, CONGESTION, 0, &port->count, true, cmd->out);
		return MLX5_CMD_STAT_OK;
	case MLX5_CMD_OP_QUERY_Q_COUNTER:
		return query_q_counter(cmd);
	}
	return -ENOENT;
}

const struct fw_register fw_counter_registers[] = {
	{ MLX5_REG_PPCNT, reg_ppcnt },
	{ MLX5_REG_MPCNT, reg_mpcnt },
	{}
};
