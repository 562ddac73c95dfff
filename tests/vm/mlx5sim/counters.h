/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names and numbering of the counters of ethtool -S, of the RDMA device and of FEC. The lists
 * follow mlx5's order of groups.
 */
#ifndef MLX5SIM_COUNTERS_H
#define MLX5SIM_COUNTERS_H

#include <linux/types.h>

/* name, width in hardware: groups sw, qcnt, vnic_env, vport, 802.3, 2863, 2819, phy, ext, pcie */
#define SIM_FIXED(X)						\
	X(rx_packets, 64) X(rx_bytes, 64) X(tx_packets, 64) X(tx_bytes, 64)	\
	X(tx_tso_packets, 64) X(tx_tso_bytes, 64) X(tx_nop, 64)	\
	X(rx_lro_packets, 64) X(rx_lro_bytes, 64) X(rx_gro_packets, 64)	\
	X(rx_ecn_mark, 64) X(rx_removed_vlan_packets, 64)	\
	X(rx_csum_unnecessary, 64) X(rx_csum_none, 64) X(rx_csum_complete, 64) \
	X(rx_xdp_drop, 64) X(rx_xdp_redirect, 64)		\
	X(tx_csum_none, 64) X(tx_csum_partial, 64) X(tx_queue_stopped, 64)	\
	X(tx_queue_dropped, 64) X(tx_xmit_more, 64) X(tx_recover, 64)	\
	X(tx_cqes, 64) X(tx_queue_wake, 64) X(tx_cqe_err, 64)	\
	X(rx_wqe_err, 64) X(rx_oversize_pkts_sw_drop, 64) X(rx_buff_alloc_err, 64) \
	X(rx_cqe_compress_blks, 64) X(rx_cqe_compress_pkts, 64)	\
	X(rx_congst_umr, 64) X(rx_arfs_err, 64) X(rx_recover, 64)	\
	X(ch_events, 64) X(ch_poll, 64) X(ch_arm, 64) X(ch_aff_change, 64)	\
	X(ch_force_irq, 64) X(ch_eq_rearm, 64)			\
	X(rx_out_of_buffer, 32) X(rx_if_down_packets, 32)	\
	X(rx_steer_missed_packets, 64) X(dev_internal_queue_oob, 32)	\
	X(rx_oversize_pkts_buffer, 32)				\
	X(rx_vport_unicast_packets, 64) X(rx_vport_unicast_bytes, 64)	\
	X(tx_vport_unicast_packets, 64) X(tx_vport_unicast_bytes, 64)	\
	X(rx_vport_multicast_packets, 64) X(rx_vport_multicast_bytes, 64)	\
	X(tx_vport_multicast_packets, 64) X(tx_vport_multicast_bytes, 64)	\
	X(rx_vport_broadcast_packets, 64) X(rx_vport_broadcast_bytes, 64)	\
	X(tx_vport_broadcast_packets, 64) X(tx_vport_broadcast_bytes, 64)	\
	X(rx_vport_rdma_unicast_packets, 64) X(rx_vport_rdma_unicast_bytes, 64) \
	X(tx_vport_rdma_unicast_packets, 64) X(tx_vport_rdma_unicast_bytes, 64) \
	X(rx_vport_rdma_multicast_packets, 64) X(rx_vport_rdma_multicast_bytes, 64) \
	X(tx_vport_rdma_multicast_packets, 64) X(tx_vport_rdma_multicast_bytes, 64) \
	X(tx_packets_phy, 64) X(rx_packets_phy, 64) X(rx_crc_errors_phy, 64)	\
	X(tx_bytes_phy, 64) X(rx_bytes_phy, 64)			\
	X(tx_multicast_phy, 64) X(tx_broadcast_phy, 64)		\
	X(rx_multicast_phy, 64) X(rx_broadcast_phy, 64)		\
	X(rx_in_range_len_errors_phy, 64) X(rx_out_of_range_len_phy, 64)	\
	X(rx_oversize_pkts_phy, 64) X(rx_symbol_err_phy, 64)	\
	X(tx_mac_control_phy, 64) X(rx_mac_control_phy, 64) X(rx_unsupported_op_phy, 64) \
	X(rx_pause_ctrl_phy, 64) X(tx_pause_ctrl_phy, 64)	\
	X(rx_discards_phy, 64) X(tx_discards_phy, 64) X(tx_errors_phy, 64)	\
	X(rx_undersize_pkts_phy, 64) X(rx_fragments_phy, 64) X(rx_jabbers_phy, 64) \
	X(rx_64_bytes_phy, 64) X(rx_65_to_127_bytes_phy, 64)	\
	X(rx_128_to_255_bytes_phy, 64) X(rx_256_to_511_bytes_phy, 64)	\
	X(rx_512_to_1023_bytes_phy, 64) X(rx_1024_to_1518_bytes_phy, 64)	\
	X(rx_1519_to_2047_bytes_phy, 64) X(rx_2048_to_4095_bytes_phy, 64)	\
	X(rx_4096_to_8191_bytes_phy, 64) X(rx_8192_to_10239_bytes_phy, 64)	\
	X(link_down_events_phy, 32)				\
	X(rx_pcs_symbol_err_phy, 64) X(rx_corrected_bits_phy, 64)	\
	X(rx_err_lane_0_phy, 64) X(rx_err_lane_1_phy, 64)	\
	X(rx_err_lane_2_phy, 64) X(rx_err_lane_3_phy, 64)	\
	X(rx_buffer_passed_thres_phy, 64)			\
	X(rx_pci_signal_integrity, 32) X(tx_pci_signal_integrity, 32)	\
	X(outbound_pci_buffer_overflow, 64)			\
	X(outbound_pci_stalled_rd, 32) X(outbound_pci_stalled_wr, 32)	\
	X(outbound_pci_stalled_rd_events, 32) X(outbound_pci_stalled_wr_events, 32)

#define SIM_CTR_ENUM(name, width) SIM_CTR_##name,
enum sim_counter { SIM_FIXED(SIM_CTR_ENUM) SIM_CTR_FIXED_COUNT };
#undef SIM_CTR_ENUM

/* Counters per priority and per ring: base + index * group size + place in the group. */
enum { SIM_T_RX_BYTES, SIM_T_RX_PACKETS, SIM_T_RX_DISCARDS, SIM_T_TX_BYTES, SIM_T_TX_PACKETS,
       SIM_TRAFFIC_COUNT };
enum { SIM_P_RX, SIM_P_RX_DURATION, SIM_P_TX, SIM_P_TX_DURATION, SIM_P_RX_TRANSITION,
       SIM_PAUSE_COUNT };
enum { SIM_CHANNEL_COUNT = 77 + 30 * 8 };
enum { SIM_STORM_COUNT = 2, SIM_PME_COUNT = 4, SIM_RING_COUNT = 4, SIM_CONGEST_COUNT = 3 };
enum { SIM_PCIE_CONG_COUNT = 4 };
enum {
	SIM_CTR_TRAFFIC = SIM_CTR_FIXED_COUNT,
	SIM_CTR_PAUSE = SIM_CTR_TRAFFIC + 8 * SIM_TRAFFIC_COUNT,
	SIM_CTR_STORM = SIM_CTR_PAUSE + 8 * SIM_PAUSE_COUNT,
	SIM_CTR_PME = SIM_CTR_STORM + SIM_STORM_COUNT,
	SIM_CTR_RING = SIM_CTR_PME + SIM_PME_COUNT,
	SIM_CTR_CONGEST = SIM_CTR_RING + 8 * SIM_RING_COUNT,
	SIM_CTR_PCIE_CONG = SIM_CTR_CONGEST + 8 * SIM_CONGEST_COUNT,
	SIM_CTR_COUNT = SIM_CTR_PCIE_CONG + SIM_PCIE_CONG_COUNT
};

/* RDMA: Q-counters (32 bits in firmware), congestion, ext ppcnt, optional. */
#define SIM_RDMA_Q(X)							\
	X(rx_write_requests) X(rx_read_requests) X(rx_atomic_requests)	\
	X(out_of_buffer) X(out_of_sequence) X(duplicate_request)	\
	X(rnr_nak_retry_err) X(packet_seq_err) X(implied_nak_seq_err)	\
	X(local_ack_timeout_err) X(resp_local_length_error) X(resp_cqe_error) \
	X(req_cqe_error) X(req_remote_invalid_request)			\
	X(req_remote_access_errors) X(resp_remote_access_errors)	\
	X(resp_cqe_flush_error) X(req_cqe_flush_error)			\
	X(roce_adp_retrans) X(roce_adp_retrans_to) X(roce_slow_restart)	\
	X(roce_slow_restart_cnps) X(roce_slow_restart_trans)
#define SIM_RDMA_CONG(X)						\
	X(rp_cnp_ignored) X(rp_cnp_handled) X(np_ecn_marked_roce_packets) X(np_cnp_sent)
#define SIM_RDMA_EXT(X)	X(rx_icrc_encapsulated)
#define SIM_RDMA_OPT(X)	X(cc_rx_ce_pkts) X(cc_rx_cnp_pkts) X(cc_tx_cnp_pkts)

#define SIM_RDMA_ENUM(name) SIM_RDMA_##name,
enum sim_rdma_counter {
	SIM_RDMA_Q(SIM_RDMA_ENUM)
	SIM_RDMA_CONG_FIRST,
	SIM_RDMA_CONG_BEFORE = SIM_RDMA_CONG_FIRST - 1,
	SIM_RDMA_CONG(SIM_RDMA_ENUM)
	SIM_RDMA_EXT(SIM_RDMA_ENUM)
	SIM_RDMA_OPT_FIRST,
	SIM_RDMA_OPT_BEFORE = SIM_RDMA_OPT_FIRST - 1,
	SIM_RDMA_OPT(SIM_RDMA_ENUM)
	SIM_RDMA_COUNT
};
#undef SIM_RDMA_ENUM

extern const char *const sim_rdma_names[SIM_RDMA_COUNT];

/* FEC: blocks over all lanes (RS), or lane by lane (BaseR). Not in ethtool -S. */
#define SIM_FEC(X)							\
	X(rs_fec_corrected_blocks) X(rs_fec_uncorrectable_blocks)	\
	X(fc_fec_corrected_blocks_lane0) X(fc_fec_corrected_blocks_lane1) \
	X(fc_fec_corrected_blocks_lane2) X(fc_fec_corrected_blocks_lane3) \
	X(fc_fec_uncorrectable_blocks_lane0) X(fc_fec_uncorrectable_blocks_lane1) \
	X(fc_fec_uncorrectable_blocks_lane2) X(fc_fec_uncorrectable_blocks_lane3)

#define SIM_FEC_ENUM(name) SIM_FEC_##name,
enum sim_fec_counter { SIM_FEC(SIM_FEC_ENUM) SIM_FEC_COUNT };
#undef SIM_FEC_ENUM

extern const char *const sim_fec_names[SIM_FEC_COUNT];

struct sim_port;
struct sim_hw;

/* The list of ethtool -S, which changes with PFC and pause. */
unsigned int sim_counters_visible(struct sim_port *p);
void sim_counters_strings(struct sim_port *p, u8 *data);
void sim_counters_values(struct sim_port *p, u64 *data);

/* Copy the firmware's counters to the driver's cache, as ethtool -S does. */
void sim_counters_refresh(struct sim_port *p);

u64 sim_counter_read(const struct sim_hw *hw, unsigned int id);
void sim_counter_add(struct sim_hw *hw, unsigned int id, u64 n);
u64 sim_rdma_read(const struct sim_hw *hw, unsigned int id);

/* Add the pause of storms up to now. Under RTNL. */
void sim_storm_settle(struct sim_hw *hw);
int sim_storm(struct sim_port *p, int argc, char **argv);

/* Add n to a counter by its ethtool, RDMA or FEC name, shown or not. */
int sim_counter_bump(struct sim_hw *hw, const char *name, u64 n);

#endif
