#include "counter.h"

#include <stdio.h>
#include <string.h>

#define DIR(dir)	      "direction=\"" dir "\""
#define PCI_EVENT(dir, level) DIR(dir) ",threshold=\"" level "\""

const struct counter counters[COUNTER_COUNT] = {
	[COUNT_RX_PAUSE] = { "rx_prio#_pause", FROM_ETHTOOL, "frames", 64, false,
			     "pfc_pause_frames_total", DIR("rx"), 1,
			     "PFC frames received: the peer paused this port." },
	[COUNT_RX_PAUSE_US] = { "rx_prio#_pause_duration", FROM_ETHTOOL, "microseconds", 64, false,
				"pfc_pause_seconds_total", DIR("rx"), 1e-6,
				"Time that this port was paused." },
	[COUNT_RX_PAUSE_TRANSITIONS] = { "rx_prio#_pause_transition", FROM_ETHTOOL, "events", 64,
					 false, "pfc_pause_transitions_total", NULL, 1,
					 "Times that sending resumed after a pause." },
	[COUNT_TX_PAUSE] = { "tx_prio#_pause", FROM_ETHTOOL, "frames", 64, false,
			     "pfc_pause_frames_total", DIR("tx"), 1,
			     "PFC frames sent: this port paused the peer." },
	[COUNT_TX_PAUSE_US] = { "tx_prio#_pause_duration", FROM_ETHTOOL, "microseconds", 64, false,
				"pfc_pause_seconds_total", DIR("tx"), 1e-6,
				"Time that the peer was paused." },
	[COUNT_RX_BYTES] = { "rx_prio#_bytes", FROM_ETHTOOL, "bytes", 64, false, "port_bytes_total",
			     DIR("rx"), 1, "Bytes received." },
	[COUNT_RX_PACKETS] = { "rx_prio#_packets", FROM_ETHTOOL, "packets", 64, false,
			       "port_packets_total", DIR("rx"), 1, "Packets received." },
	[COUNT_RX_DISCARDS] = { "rx_prio#_discards", FROM_ETHTOOL, "packets", 64, false,
				"rx_drops_total", "reason=\"port_buffer\"", 1,
				"Packets dropped for lack of receive buffer." },
	[COUNT_RX_BUFFER_DISCARDS] = { "rx_prio#_buf_discard", FROM_ETHTOOL, "packets", 64, false,
				       "rx_class_drops_total", "reason=\"host_buffer\"", 1,
				       "Packets of a traffic class that were dropped for lack of a "
				       "per-host buffer." },
	[COUNT_RX_CONGESTION_DISCARDS] = { "rx_prio#_cong_discard", FROM_ETHTOOL, "packets", 64,
					   false, "rx_class_drops_total",
					   "reason=\"host_congestion\"", 1,
					   "Packets of a traffic class that were dropped because "
					   "the host is congested." },
	[COUNT_RX_MARKED] = { "rx_prio#_marked", FROM_ETHTOOL, "packets", 64, false, NULL, NULL, 1,
			      "Packets of a traffic class that this adapter marked (CE) because "
			      "the host is congested." },
	[COUNT_TX_BYTES] = { "tx_prio#_bytes", FROM_ETHTOOL, "bytes", 64, false, "port_bytes_total",
			     DIR("tx"), 1, "Bytes sent." },
	[COUNT_TX_PACKETS] = { "tx_prio#_packets", FROM_ETHTOOL, "packets", 64, false,
			       "port_packets_total", DIR("tx"), 1, "Packets sent." },

	[COUNT_RX_GLOBAL_PAUSE] = { "rx_global_pause", FROM_ETHTOOL, "frames", 64, false,
				    "global_pause_frames_total", DIR("rx"), 1,
				    "802.3x pause frames received, which pause all priorities." },
	[COUNT_RX_GLOBAL_PAUSE_US] = { "rx_global_pause_duration", FROM_ETHTOOL, "microseconds", 64,
				       false, "global_pause_seconds_total", DIR("rx"), 1e-6,
				       "Time that all priorities of this port were paused." },
	[COUNT_RX_GLOBAL_PAUSE_TRANSITIONS] = { "rx_global_pause_transition", FROM_ETHTOOL,
						"events", 64, false, NULL, NULL, 1,
						"Times that sending resumed after a pause." },
	[COUNT_TX_GLOBAL_PAUSE] = { "tx_global_pause", FROM_ETHTOOL, "frames", 64, false,
				    "global_pause_frames_total", DIR("tx"), 1,
				    "802.3x pause frames sent." },
	[COUNT_TX_GLOBAL_PAUSE_US] = { "tx_global_pause_duration", FROM_ETHTOOL, "microseconds", 64,
				       false, "global_pause_seconds_total", DIR("tx"), 1e-6,
				       "Time that all priorities of the peer were paused." },
	[COUNT_STORM_WARNINGS] = { "tx_pause_storm_warning_events", FROM_ETHTOOL, "events", 64,
				   false, "pause_storm_warnings_total", NULL, 1,
				   "Times that this port paused the peer on priority 0 for longer "
				   "than the minor watermark." },
	[COUNT_STORM_ERRORS] = { "tx_pause_storm_error_events", FROM_ETHTOOL, "events", 64, false,
				 "pause_storm_watchdog_trips_total", NULL, 1,
				 "Times that the storm watchdog turned pause off on priority 0; "
				 "lossless packets may be dropped." },
	[COUNT_STORM_EVENTS] = { "tx_pause_storm_events", FROM_PAUSE, "events", 64, false,
				 "pause_storm_events_total", NULL, 1,
				 "Times that the storm watchdog turned pause off on any priority; "
				 "kernels before 2026 lack this counter." },
	[COUNT_RX_DISCARDS_PORT] = { "rx_discards_phy", FROM_ETHTOOL, "packets", 64, false,
				     "port_drops_total", DIR("rx"), 1,
				     "Packets dropped for lack of receive buffer, all "
				     "priorities." },
	[COUNT_TX_DISCARDS_PORT] = { "tx_discards_phy", FROM_ETHTOOL, "packets", 64, false,
				     "port_drops_total", DIR("tx"), 1,
				     "Packets that could not be sent." },
	[COUNT_RX_CRC_ERRORS] = { "rx_crc_errors_phy", FROM_ETHTOOL, "frames", 64, false,
				  "rx_crc_errors_total", NULL, 1,
				  "Frames received with a bad checksum: a bad cable or module." },
	[COUNT_RX_SYMBOL_ERRORS] = { "rx_symbol_err_phy", FROM_ETHTOOL, "frames", 64, false,
				     "rx_symbol_errors_total", NULL, 1,
				     "Frames received with a coding error (symbol error): a bad "
				     "cable or module." },
	[COUNT_RX_PCS_SYMBOL_ERRORS] = { "rx_pcs_symbol_err_phy", FROM_ETHTOOL, "symbols", 64,
					 false, "rx_pcs_symbol_errors_total", NULL, 1,
					 "Wrong symbols in the PCS that FEC did not correct, or on "
					 "a link without FEC." },
	[COUNT_FEC_CORRECTED_BLOCKS] = { "corrected_blocks", FROM_FEC, "blocks", 64, false,
					 "fec_corrected_blocks_total", NULL, 1,
					 "Blocks in which FEC corrected errors; normal on links "
					 "with PAM4." },
	[COUNT_FEC_UNCORRECTABLE_BLOCKS] = { "uncorrectable_blocks", FROM_FEC, "blocks", 64, false,
					     "fec_uncorrectable_blocks_total", NULL, 1,
					     "Blocks that FEC could not correct, with the frames "
					     "in them: a bad cable or module." },
	[COUNT_RX_BUFFER_NEARLY_FULL] = { "rx_buffer_passed_thres_phy", FROM_ETHTOOL, "events", 64,
					  false, "rx_buffer_threshold_events_total", NULL, 1,
					  "Times that the receive buffer was 85 % full." },
	[COUNT_PCI_STALLED_READ] = { "outbound_pci_stalled_rd", FROM_ETHTOOL, "% of a second", 32,
				     true, "pci_stalled_ratio", "operation=\"read\"", 0.01,
				     "Share of the last second in which the adapter could not read "
				     "from memory." },
	[COUNT_PCI_STALLED_WRITE] = { "outbound_pci_stalled_wr", FROM_ETHTOOL, "% of a second", 32,
				      true, "pci_stalled_ratio", "operation=\"write\"", 0.01,
				      "Share of the last second in which the adapter could not "
				      "write to memory." },
	[COUNT_PCI_STALLED_READ_EVENTS] = { "outbound_pci_stalled_rd_events", FROM_ETHTOOL,
					    "events", 32, false, NULL, NULL, 1,
					    "Seconds in which reads from memory were stalled for "
					    "over 30 %." },
	[COUNT_PCI_STALLED_WRITE_EVENTS] = { "outbound_pci_stalled_wr_events", FROM_ETHTOOL,
					     "events", 32, false, NULL, NULL, 1,
					     "Seconds in which writes to memory were stalled for "
					     "over 30 %." },
	[COUNT_PCI_OVERFLOW] = { "outbound_pci_buffer_overflow", FROM_ETHTOOL, "packets", 64, false,
				 "pci_buffer_overflow_drops_total", NULL, 1,
				 "Packets dropped because the host took them too slowly." },
	[COUNT_PCI_INBOUND_HIGH] = { "pci_bw_inbound_high", FROM_ETHTOOL, "events", 32, false,
				     "pci_congestion_events_total", PCI_EVENT("inbound", "high"), 1,
				     "Times that PCIe traffic to the adapter rose above the "
				     "adapter's high threshold (default: 90 %)." },
	[COUNT_PCI_INBOUND_LOW] = { "pci_bw_inbound_low", FROM_ETHTOOL, "events", 32, false,
				    "pci_congestion_events_total", PCI_EVENT("inbound", "low"), 1,
				    "Times that PCIe traffic to the adapter fell below the "
				    "adapter's low threshold (default: 75 %) again." },
	[COUNT_PCI_OUTBOUND_HIGH] = { "pci_bw_outbound_high", FROM_ETHTOOL, "events", 32, false,
				      "pci_congestion_events_total", PCI_EVENT("outbound", "high"),
				      1,
				      "Times that PCIe traffic to memory rose above the adapter's "
				      "high threshold (default: 90 %)." },
	[COUNT_PCI_OUTBOUND_LOW] = { "pci_bw_outbound_low", FROM_ETHTOOL, "events", 32, false,
				     "pci_congestion_events_total", PCI_EVENT("outbound", "low"), 1,
				     "Times that PCIe traffic to memory fell below the adapter's "
				     "low threshold (default: 75 %) again." },
	[COUNT_LINK_DOWNS] = { "link_down_events_phy", FROM_ETHTOOL, "events", 32, false,
			       "link_down_events_total", NULL, 1,
			       "Times that the link went down; each change of PFC is one." },
	[COUNT_RX_RDMA_BYTES] = { "rx_vport_rdma_unicast_bytes", FROM_ETHTOOL, "bytes", 64, false,
				  "rdma_bytes_total", DIR("rx"), 1,
				  "RDMA bytes received by this function." },
	[COUNT_RX_RDMA_PACKETS] = { "rx_vport_rdma_unicast_packets", FROM_ETHTOOL, "packets", 64,
				    false, "rdma_packets_total", DIR("rx"), 1,
				    "RDMA packets received by this function." },
	[COUNT_TX_RDMA_BYTES] = { "tx_vport_rdma_unicast_bytes", FROM_ETHTOOL, "bytes", 64, false,
				  "rdma_bytes_total", DIR("tx"), 1,
				  "RDMA bytes sent by this function." },
	[COUNT_TX_RDMA_PACKETS] = { "tx_vport_rdma_unicast_packets", FROM_ETHTOOL, "packets", 64,
				    false, "rdma_packets_total", DIR("tx"), 1,
				    "RDMA packets sent by this function." },

	[COUNT_CNP_SENT] = { "np_cnp_sent", FROM_RDMA, "CNPs", 64, false, "cnp_sent_total", NULL, 1,
			     "Congestion notifications sent because marked packets arrived (NP)." },
	[COUNT_ECN_MARKED] = { "np_ecn_marked_roce_packets", FROM_RDMA, "packets", 64, false,
			       "ecn_marked_packets_total", NULL, 1,
			       "RoCE packets that arrived with a CE mark." },
	[COUNT_CNP_HANDLED] = { "rp_cnp_handled", FROM_RDMA, "CNPs", 64, false, "cnp_handled_total",
				NULL, 1,
				"Congestion notifications that made this host send slower (RP)." },
	[COUNT_CNP_IGNORED] = { "rp_cnp_ignored", FROM_RDMA, "CNPs", 64, false, "cnp_ignored_total",
				NULL, 1, "Congestion notifications that this host ignored." },
	[COUNT_OUT_OF_SEQUENCE] = { "out_of_sequence", FROM_RDMA, "packets", 32, false,
				    "rdma_out_of_sequence_packets_total", NULL, 1,
				    "RDMA packets that arrived out of order: some were dropped or "
				    "overtaken." },
	[COUNT_PACKET_SEQUENCE_ERRORS] = { "packet_seq_err", FROM_RDMA, "acknowledgements", 32,
					   false, "rdma_sequence_error_naks_total", NULL, 1,
					   "Negative acknowledgements received: the remote host "
					   "missed a packet." },
	[COUNT_IMPLIED_NAKS] = { "implied_nak_seq_err", FROM_RDMA, "acknowledgements", 32, false,
				 "rdma_implied_naks_total", NULL, 1,
				 "Acknowledgements that skipped a read or an atomic." },
	[COUNT_ACK_TIMEOUTS] = { "local_ack_timeout_err", FROM_RDMA, "events", 32, false,
				 "rdma_ack_timeouts_total", NULL, 1,
				 "Acknowledgements that did not arrive in time." },
	[COUNT_DUPLICATES] = { "duplicate_request", FROM_RDMA, "requests", 32, false, NULL, NULL, 1,
			       "Requests that arrived twice: the remote host sent them again." },
	[COUNT_RNR_NAKS] = { "rnr_nak_retry_err", FROM_RDMA, "acknowledgements", 32, false,
			     "rdma_rnr_naks_total", NULL, 1,
			     "RNR NAKs received: the remote host had no receive buffer posted." },
	[COUNT_OUT_OF_BUFFER] = { "out_of_buffer", FROM_RDMA, "packets", 32, false,
				  "rdma_out_of_buffer_drops_total", NULL, 1,
				  "Packets dropped because this host's application had no receive "
				  "buffer posted." },
	[COUNT_ADAPTIVE_RETRANSMISSIONS] = { "roce_adp_retrans", FROM_RDMA, "packets", 32, false,
					     "rdma_adaptive_retransmissions_total", NULL, 1,
					     "Adaptive retransmissions." },
	[COUNT_SLOW_RESTARTS] = { "roce_slow_restart", FROM_RDMA, "events", 32, false,
				  "rdma_slow_restarts_total", NULL, 1,
				  "Times that a connection restarted slowly after a pause." },
	[COUNT_SLOW_RESTART_CNPS] = { "roce_slow_restart_cnps", FROM_RDMA, "CNPs", 32, false, NULL,
				      NULL, 1,
				      "Handled CNPs that the adapter made itself, to restart a "
				      "connection slowly: nobody sent them." },
	[COUNT_ICRC_ERRORS] = { "rx_icrc_encapsulated", FROM_RDMA, "packets", 64, false,
				"rdma_icrc_errors_total", NULL, 1,
				"RoCE packets with a bad invariant checksum." },

	[COUNT_CARRIER_DOWNS] = { "carrier_down_count", FROM_NETDEV, "events", 32, false, NULL,
				  NULL, 1,
				  "Times that the kernel saw the link go down, on any driver." },
	[COUNT_CARRIER_UPS] = { "carrier_up_count", FROM_NETDEV, "events", 32, false, NULL, NULL, 1,
				"Times that the kernel saw the link come up, on any driver." },
};

const enum counter_id link_error_counters[LINK_ERROR_COUNTERS] = {
	COUNT_RX_CRC_ERRORS,
	COUNT_RX_SYMBOL_ERRORS,
	COUNT_RX_PCS_SYMBOL_ERRORS,
	COUNT_FEC_UNCORRECTABLE_BLOCKS,
};

size_t counter_slot(enum counter_id id, unsigned prio)
{
	return id < COUNTERS_PER_PRIO ? id * PRIOS + prio
				      : COUNTERS_PER_PRIO * PRIOS + (id - COUNTERS_PER_PRIO);
}

enum counter_id slot_counter(size_t slot, int *ret_prio)
{
	if (slot < COUNTERS_PER_PRIO * PRIOS) {
		*ret_prio = (int)(slot % PRIOS);
		return (enum counter_id)(slot / PRIOS);
	}
	*ret_prio = -1;
	return (enum counter_id)(slot - COUNTERS_PER_PRIO * PRIOS + COUNTERS_PER_PRIO);
}

const char *counter_slot_name(size_t slot, char name[COUNTER_NAME_MAX])
{
	int prio;
	char *digit;

	snprintf(name, COUNTER_NAME_MAX, "%s", counters[slot_counter(slot, &prio)].name);
	digit = strchr(name, '#');
	if (digit)
		*digit = (char)('0' + prio);
	return name;
}

/* Compares with a row's name, in which '#' stands for the digit of a priority. */
static bool matches_name(const char *row, const char *name, size_t size, unsigned *ret_prio)
{
	size_t i;

	*ret_prio = 0;
	for (i = 0; i < size && row[i]; i++) {
		bool is_digit = name[i] >= '0' && name[i] < '0' + PRIOS;

		if (row[i] == '#' ? !is_digit : row[i] != name[i])
			return false;
		if (row[i] == '#')
			*ret_prio = (unsigned)(name[i] - '0');
	}
	return !row[i] && (i == size || !name[i]);
}

size_t slot_by_name(enum counter_source source, const char *name, size_t size)
{
	unsigned prio;

	for (unsigned id = 0; id < COUNTER_COUNT; id++)
		if (counters[id].source == source &&
		    matches_name(counters[id].name, name, size, &prio))
			return counter_slot(id, prio);
	return COUNTER_SLOTS;
}
