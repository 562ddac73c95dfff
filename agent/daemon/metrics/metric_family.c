#include "metric_family.h"

#include <string.h>

#define GAUGE	"gauge"
#define COUNTER "counter"

/* clang-format off: one row per family */
const struct metric_family metric_families[] = {
	{ "build_info", GAUGE, "Version of losslessctl that is running." },
	{ "policy_info", GAUGE, "Policy in force, by name, checksum and generation." },
	{ "policy_last_reload_successful", GAUGE,
	  "1 if the last reload of the policy succeeded, else 0." },
	{ "transaction_incomplete", GAUGE, "1 while a transaction has not ended, else 0." },
	{ "policy_rules_unmet", GAUGE,
	  "Rules of the policy whose required ports this host lacks." },
	{ "last_verify_timestamp_seconds", GAUGE, "Unix time of the last check of the settings." },
	{ "port_info", GAUGE, "Interface, PCI address and RDMA device of a port." },
	{ "port_carrier", GAUGE, "1 if the port has a link, else 0." },
	{ "port_in_sync", GAUGE,
	  "1 if all settings are in sync and no lint of severity critical has a finding, else 0." },
	{ "settings", GAUGE, "Settings that the policy configures, by status at the last check." },
	{ "drift_events_total", COUNTER, "Times that a setting drifted." },
	{ "settings_repaired_total", COUNTER, "Drifted settings that the agent repaired." },
	{ "repair_failures_total", COUNTER,
	  "Repairs that failed, by outcome: failed (and rolled back) or rollback_failed." },
	{ "recordings_total", COUNTER,
	  "Recordings of the minutes before a critical symptom that the agent saved." },
	{ "last_recording_timestamp_seconds", GAUGE,
	  "Unix time of the symptom of a port's newest recording; absent without one." },
	{ "port_speed_bytes_per_second", GAUGE,
	  "Link speed in bytes per second, as in node_network_speed_bytes." },
	{ "setting_drifted", GAUGE,
	  "1 while a setting differs from the policy; absent otherwise." },
	{ "setting_contested", GAUGE,
	  "1 while a setting is contested: another writer reverts repairs; absent otherwise." },
	{ "finding_active", GAUGE, "1 while a lint has a finding on the port; absent otherwise." },
	{ "ready", GAUGE,
	  "1 if a check of losslessctl ready meets its expectation, else 0; absent if unknown." },
	{ "symptom_active", GAUGE, "1 while the counters show a symptom, else 0." },

	{ "pfc_pause_frames_total", COUNTER, "PFC frames, by priority: rx received, tx sent." },
	{ "pfc_pause_seconds_total", COUNTER,
	  "Time paused by PFC, by priority: rx this port, tx the peer." },
	{ "pfc_pause_transitions_total", COUNTER,
	  "Times that this port resumed sending a priority after a PFC pause." },
	{ "port_bytes_total", COUNTER, "Bytes received and sent by the port, by priority." },
	{ "port_packets_total", COUNTER, "Packets received and sent by the port, by priority." },
	{ "rx_drops_total", COUNTER,
	  "Received packets that were dropped, by priority and reason." },
	{ "rx_class_drops_total", COUNTER,
	  "Received packets that were dropped, by traffic class and reason." },
	{ "global_pause_frames_total", COUNTER,
	  "802.3x pause frames, which pause all priorities: rx received, tx sent." },
	{ "global_pause_seconds_total", COUNTER,
	  "Time paused by 802.3x pause: rx this port, tx the peer." },
	{ "pause_storm_warnings_total", COUNTER,
	  "Times that this port paused the peer on priority 0 for longer than the minor "
	  "watermark." },
	{ "pause_storm_watchdog_trips_total", COUNTER,
	  "Times that the storm watchdog turned pause off on priority 0; lossless packets may be "
	  "dropped." },
	{ "pause_storm_events_total", COUNTER,
	  "Times that the storm watchdog turned pause off on any priority; absent before Linux of "
	  "2026." },
	{ "port_drops_total", COUNTER,
	  "Packets dropped by the port; rx includes port_buffer of rx_drops_total, do not add "
	  "them." },
	{ "rx_crc_errors_total", COUNTER,
	  "Frames received with a bad checksum: a bad cable or module." },
	{ "rx_symbol_errors_total", COUNTER,
	  "Frames received with a coding error (symbol error): a bad cable or module." },
	{ "rx_pcs_symbol_errors_total", COUNTER,
	  "Wrong symbols in the PCS that FEC did not correct, or on a link without FEC." },
	{ "fec_corrected_blocks_total", COUNTER,
	  "Blocks in which FEC corrected errors; normal on links with PAM4." },
	{ "fec_uncorrectable_blocks_total", COUNTER,
	  "Blocks that FEC could not correct: a bad cable or module." },
	{ "rx_buffer_threshold_events_total", COUNTER,
	  "Times that the receive buffer was 85 % full." },
	{ "pci_stalled_ratio", GAUGE,
	  "Share of the last second in which the adapter could not access the host's memory." },
	{ "pci_buffer_overflow_drops_total", COUNTER,
	  "Packets dropped because the host took them too slowly." },
	{ "pci_congestion_events_total", COUNTER,
	  "Times that PCIe traffic crossed a threshold of the adapter; it is congested while the "
	  "count of high exceeds that of low." },
	{ "link_down_events_total", COUNTER,
	  "Times that the link went down; each change of PFC is one on some adapters." },
	{ "rdma_bytes_total", COUNTER, "RDMA bytes received and sent by this function." },
	{ "rdma_packets_total", COUNTER, "RDMA packets received and sent by this function." },
	{ "cnp_sent_total", COUNTER,
	  "Congestion notifications sent because marked packets arrived (NP)." },
	{ "ecn_marked_packets_total", COUNTER, "RoCE packets that arrived with a CE mark." },
	{ "cnp_handled_total", COUNTER,
	  "Congestion notifications that made this host send slower (RP)." },
	{ "cnp_ignored_total", COUNTER, "Congestion notifications that this host ignored." },
	{ "rdma_out_of_sequence_packets_total", COUNTER,
	  "RDMA packets that arrived out of order: some were dropped or overtaken." },
	{ "rdma_sequence_error_naks_total", COUNTER,
	  "Negative acknowledgements received: the remote host missed a packet." },
	{ "rdma_implied_naks_total", COUNTER,
	  "Acknowledgements that skipped a read or an atomic." },
	{ "rdma_ack_timeouts_total", COUNTER, "Acknowledgements that did not arrive in time." },
	{ "rdma_rnr_naks_total", COUNTER,
	  "RNR NAKs received: the remote host had no receive buffer posted." },
	{ "rdma_out_of_buffer_drops_total", COUNTER,
	  "Packets dropped because this host's application had no receive buffer posted." },
	{ "rdma_adaptive_retransmissions_total", COUNTER, "Adaptive retransmissions." },
	{ "rdma_slow_restarts_total", COUNTER,
	  "Times that a connection restarted slowly after a pause." },
	{ "rdma_icrc_errors_total", COUNTER, "RoCE packets with a bad invariant checksum." },
};
/* clang-format on */

const size_t metric_families_count = sizeof(metric_families) / sizeof(metric_families[0]);

const struct metric_family *metric_family_by_name(const char *name)
{
	for (size_t i = 0; i < metric_families_count; i++)
		if (strcmp(metric_families[i].name, name) == 0)
			return &metric_families[i];
	return NULL;
}
