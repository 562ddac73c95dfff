#include "counter.h"

#include <string.h>

#define PAUSE(dir)	"direction=\"" dir "\""
#define WRAPS_NEAR_END	((uint64_t)3 << 30) /* of 2^32 */
#define WRAPS_TO_BEGIN	((uint64_t)1 << 30)

/* clang-format off: one row per counter */
const struct counter counters[COUNTER_COUNT] = {
	[COUNT_RX_PAUSE] = { "rx_prio#_pause", FROM_ETHTOOL, 64, false, "pause_frames_total", PAUSE("rx"), 1,
		"PFC frames received: the peer asked this port to be silent." },
	[COUNT_RX_PAUSE_US] = { "rx_prio#_pause_duration", FROM_ETHTOOL, 64, false, "pause_seconds_total", PAUSE("rx"), 1e-6,
		"Time that this port was not allowed to send." },
	[COUNT_RX_PAUSE_TRANSITIONS] = { "rx_prio#_pause_transition", FROM_ETHTOOL, 64, false, "pause_transitions_total", PAUSE("rx"), 1,
		"How often sending was allowed again." },
	[COUNT_TX_PAUSE] = { "tx_prio#_pause", FROM_ETHTOOL, 64, false, "pause_frames_total", PAUSE("tx"), 1,
		"PFC frames sent: this port asked the peer to be silent." },
	[COUNT_TX_PAUSE_US] = { "tx_prio#_pause_duration", FROM_ETHTOOL, 64, false, "pause_seconds_total", PAUSE("tx"), 1e-6,
		"Time that the peer was not allowed to send." },
	[COUNT_RX_BYTES] = { "rx_prio#_bytes", FROM_ETHTOOL, 64, false, "priority_bytes_total", PAUSE("rx"), 1,
		"Bytes received." },
	[COUNT_RX_PACKETS] = { "rx_prio#_packets", FROM_ETHTOOL, 64, false, "priority_packets_total", PAUSE("rx"), 1,
		"Packets received." },
	[COUNT_RX_DISCARDS] = { "rx_prio#_discards", FROM_ETHTOOL, 64, false, "discards_total", "reason=\"port\"", 1,
		"Packets lost for lack of receive buffer." },
	[COUNT_RX_BUFFER_DISCARDS] = { "rx_prio#_buf_discard", FROM_ETHTOOL, 64, false, "discards_total", "reason=\"buffer\"", 1,
		"Packets lost for lack of a per-host buffer." },
	[COUNT_RX_CONGESTION_DISCARDS] = { "rx_prio#_cong_discard", FROM_ETHTOOL, 64, false, "discards_total", "reason=\"congestion\"", 1,
		"Packets lost to congestion of the host." },
	[COUNT_RX_MARKED] = { "rx_prio#_marked", FROM_ETHTOOL, 64, false, NULL, NULL, 1,
		"Packets that this adapter marked (CE) because the host is congested." },
	[COUNT_TX_BYTES] = { "tx_prio#_bytes", FROM_ETHTOOL, 64, false, "priority_bytes_total", PAUSE("tx"), 1,
		"Bytes sent." },
	[COUNT_TX_PACKETS] = { "tx_prio#_packets", FROM_ETHTOOL, 64, false, "priority_packets_total", PAUSE("tx"), 1,
		"Packets sent." },

	[COUNT_RX_GLOBAL_PAUSE] = { "rx_global_pause", FROM_ETHTOOL, 64, false, "global_pause_frames_total", PAUSE("rx"), 1,
		"802.3x pause frames received, which silence all priorities." },
	[COUNT_RX_GLOBAL_PAUSE_US] = { "rx_global_pause_duration", FROM_ETHTOOL, 64, false, "global_pause_seconds_total", PAUSE("rx"), 1e-6,
		"Time that this port was not allowed to send anything." },
	[COUNT_RX_GLOBAL_PAUSE_TRANSITIONS] = { "rx_global_pause_transition", FROM_ETHTOOL, 64, false, NULL, NULL, 1,
		"How often sending was allowed again." },
	[COUNT_TX_GLOBAL_PAUSE] = { "tx_global_pause", FROM_ETHTOOL, 64, false, "global_pause_frames_total", PAUSE("tx"), 1,
		"802.3x pause frames sent." },
	[COUNT_TX_GLOBAL_PAUSE_US] = { "tx_global_pause_duration", FROM_ETHTOOL, 64, false, "global_pause_seconds_total", PAUSE("tx"), 1e-6,
		"Time that the peer was not allowed to send anything." },
	[COUNT_STORM_WARNINGS] = { "tx_pause_storm_warning_events", FROM_ETHTOOL, 64, false, "pause_storm_events_total", "severity=\"warning\"", 1,
		"How often this port held the peer back for longer than the minor watermark." },
	[COUNT_STORM_ERRORS] = { "tx_pause_storm_error_events", FROM_ETHTOOL, 64, false, "pause_storm_events_total", "severity=\"error\"", 1,
		"How often the storm watchdog switched pause off: from then on packets may be lost." },
	[COUNT_RX_DISCARDS_PORT] = { "rx_discards_phy", FROM_ETHTOOL, 64, false, "port_discards_total", PAUSE("rx"), 1,
		"Packets lost for lack of receive buffer, of all priorities." },
	[COUNT_TX_DISCARDS_PORT] = { "tx_discards_phy", FROM_ETHTOOL, 64, false, "port_discards_total", PAUSE("tx"), 1,
		"Packets that could not be sent." },
	[COUNT_RX_CRC_ERRORS] = { "rx_crc_errors_phy", FROM_ETHTOOL, 64, false, "crc_errors_total", NULL, 1,
		"Frames received with a bad checksum: a bad cable or module." },
	[COUNT_RX_BUFFER_NEARLY_FULL] = { "rx_buffer_passed_thres_phy", FROM_ETHTOOL, 64, false, "buffer_threshold_total", NULL, 1,
		"How often the receive buffer was 85 % full." },
	[COUNT_PCI_STALLED_READ] = { "outbound_pci_stalled_rd", FROM_ETHTOOL, 32, true, "pci_stalled_ratio", "operation=\"read\"", 0.01,
		"Share of the last second in which the adapter could not read from memory." },
	[COUNT_PCI_STALLED_WRITE] = { "outbound_pci_stalled_wr", FROM_ETHTOOL, 32, true, "pci_stalled_ratio", "operation=\"write\"", 0.01,
		"Share of the last second in which the adapter could not write to memory." },
	[COUNT_PCI_STALLED_READ_EVENTS] = { "outbound_pci_stalled_rd_events", FROM_ETHTOOL, 32, false, NULL, NULL, 1,
		"Seconds in which reads from memory were stalled for long." },
	[COUNT_PCI_STALLED_WRITE_EVENTS] = { "outbound_pci_stalled_wr_events", FROM_ETHTOOL, 32, false, NULL, NULL, 1,
		"Seconds in which writes to memory were stalled for long." },
	[COUNT_PCI_OVERFLOW] = { "outbound_pci_buffer_overflow", FROM_ETHTOOL, 64, false, "pci_buffer_overflow_total", NULL, 1,
		"Packets lost because the host took them too slowly." },
	[COUNT_LINK_DOWNS] = { "link_down_events_phy", FROM_ETHTOOL, 32, false, "link_downs_total", NULL, 1,
		"How often the link went down; each change of PFC is one." },
	[COUNT_RX_RDMA_BYTES] = { "rx_vport_rdma_unicast_bytes", FROM_ETHTOOL, 64, false, "rdma_bytes_total", PAUSE("rx"), 1,
		"RDMA bytes received by this function." },
	[COUNT_RX_RDMA_PACKETS] = { "rx_vport_rdma_unicast_packets", FROM_ETHTOOL, 64, false, "rdma_packets_total", PAUSE("rx"), 1,
		"RDMA packets received by this function." },
	[COUNT_TX_RDMA_BYTES] = { "tx_vport_rdma_unicast_bytes", FROM_ETHTOOL, 64, false, "rdma_bytes_total", PAUSE("tx"), 1,
		"RDMA bytes sent by this function." },
	[COUNT_TX_RDMA_PACKETS] = { "tx_vport_rdma_unicast_packets", FROM_ETHTOOL, 64, false, "rdma_packets_total", PAUSE("tx"), 1,
		"RDMA packets sent by this function." },

	[COUNT_CNP_SENT] = { "np_cnp_sent", FROM_RDMA, 64, false, "cnp_sent_total", NULL, 1,
		"Congestion notifications sent: this host received marked packets (NP)." },
	[COUNT_ECN_MARKED] = { "np_ecn_marked_roce_packets", FROM_RDMA, 64, false, "ecn_marked_total", NULL, 1,
		"RoCE packets that arrived with a CE mark." },
	[COUNT_CNP_HANDLED] = { "rp_cnp_handled", FROM_RDMA, 64, false, "cnp_handled_total", NULL, 1,
		"Congestion notifications that made this host send slower (RP)." },
	[COUNT_CNP_IGNORED] = { "rp_cnp_ignored", FROM_RDMA, 64, false, "cnp_ignored_total", NULL, 1,
		"Congestion notifications that this host did nothing about." },
	[COUNT_OUT_OF_SEQUENCE] = { "out_of_sequence", FROM_RDMA, 32, false, "rdma_out_of_sequence_total", NULL, 1,
		"RDMA packets that came out of order: some were lost, or overtaken." },
	[COUNT_PACKET_SEQUENCE_ERRORS] = { "packet_seq_err", FROM_RDMA, 32, false, "rdma_sequence_errors_total", NULL, 1,
		"Negative acknowledgements received: the other end missed a packet." },
	[COUNT_IMPLIED_NAKS] = { "implied_nak_seq_err", FROM_RDMA, 32, false, "rdma_implied_naks_total", NULL, 1,
		"Acknowledgements that skipped a read or an atomic." },
	[COUNT_ACK_TIMEOUTS] = { "local_ack_timeout_err", FROM_RDMA, 32, false, "rdma_ack_timeouts_total", NULL, 1,
		"Acknowledgements that did not come in time." },
	[COUNT_DUPLICATES] = { "duplicate_request", FROM_RDMA, 32, false, NULL, NULL, 1,
		"Requests that came twice: the other end sent again." },
	[COUNT_RNR_NAKS] = { "rnr_nak_retry_err", FROM_RDMA, 32, false, "rdma_rnr_naks_total", NULL, 1,
		"The other end had no receive buffer posted." },
	[COUNT_OUT_OF_BUFFER] = { "out_of_buffer", FROM_RDMA, 32, false, "rdma_out_of_buffer_total", NULL, 1,
		"Packets for which no receive buffer was posted here: a slow application, not the fabric." },
	[COUNT_ADAPTIVE_RETRANSMISSIONS] = { "roce_adp_retrans", FROM_RDMA, 32, false, "rdma_adaptive_retransmissions_total", NULL, 1,
		"Adaptive retransmissions." },
	[COUNT_SLOW_RESTARTS] = { "roce_slow_restart", FROM_RDMA, 32, false, "rdma_slow_restarts_total", NULL, 1,
		"How often a connection started slowly after a pause." },
	[COUNT_ICRC_ERRORS] = { "rx_icrc_encapsulated", FROM_RDMA, 64, false, "rdma_icrc_errors_total", NULL, 1,
		"RoCE packets with a bad invariant checksum." },
};
/* clang-format on */

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

/* Compares with a row's name, in which '#' is one digit of a priority. */
static bool is_called(const char *row, const char *name, size_t size, unsigned *ret_prio)
{
	size_t i;

	*ret_prio = 0;
	for (i = 0; i < size && row[i]; i++) {
		if (row[i] == '#' && name[i] >= '0' && name[i] < '0' + PRIOS)
			*ret_prio = (unsigned)(name[i] - '0');
		else if (row[i] != name[i])
			return false;
	}
	return !row[i] && (i == size || !name[i]);
}

size_t slot_by_name(enum counter_source source, const char *name, size_t size)
{
	unsigned prio;

	for (unsigned id = 0; id < COUNTER_COUNT; id++)
		if (counters[id].source == source &&
		    is_called(counters[id].name, name, size, &prio))
			return counter_slot(id, prio);
	return COUNTER_SLOTS;
}

static bool has_wrapped(const struct counter *c, uint64_t from, uint64_t to)
{
	return c->bits == 32 && from >= WRAPS_NEAR_END && to < WRAPS_TO_BEGIN;
}

/* What a gauge counted is its last reading. */
static void compare(struct interval *s, size_t slot, const struct sample *from,
		    const struct sample *to)
{
	int prio;
	const struct counter *c = &counters[slot_counter(slot, &prio)];
	uint64_t a = from->value[slot], b = to->value[slot];

	s->known[slot] = true;
	if (c->is_gauge)
		s->count[slot] = b;
	else if (b >= a)
		s->count[slot] = b - a;
	else if (has_wrapped(c, a, b))
		s->count[slot] = ((uint64_t)1 << c->bits) - a + b;
	else
		s->restarted[c->source] = true;
}

struct interval interval_between(const struct sample *from, const struct sample *to)
{
	struct interval s = { .seconds = (double)(to->at_ms - from->at_ms) / 1000 };
	int prio;

	for (size_t i = 0; i < COUNTER_SLOTS; i++)
		if (from->has[i] && to->has[i])
			compare(&s, i, from, to);
	for (size_t i = 0; i < COUNTER_SLOTS; i++)
		if (s.restarted[counters[slot_counter(i, &prio)].source]) {
			s.known[i] = false;
			s.count[i] = 0;
		}
	return s;
}

bool interval_knows(const struct interval *s, enum counter_id id, unsigned prio)
{
	return s->known[counter_slot(id, prio)];
}

uint64_t interval_count(const struct interval *s, enum counter_id id, unsigned prio)
{
	size_t slot = counter_slot(id, prio);

	return s->known[slot] ? s->count[slot] : 0;
}

double interval_rate(const struct interval *s, enum counter_id id)
{
	return s->seconds > 0 ? (double)interval_count(s, id, 0) / s->seconds : 0;
}
