#include "thresholds.h"

#define KEY(name) "thresholds." name, name

/* A symptom clears at half the value that raises it; durations have no such level. */
#define HALF 50
#define SAME 100

/* clang-format off */
const struct threshold thresholds[THRESHOLD_COUNT] = {
	[THRESHOLD_WINDOW_S] = { KEY("window_s"),
		1, 3600, 10, SAME, "seconds",
		"How long is counted before it is judged.",
		"It averages over a burst, and a symptom that needs two windows is still "
		"raised within half a minute." },
	[THRESHOLD_MIN_RDMA_PACKETS_PER_S] = { KEY("min_rdma_packets_per_s"),
		1, 100000000, 1000, HALF, "packets a second",
		"Below it a port is idle, and shares of its RDMA traffic are not meaningful.",
		"Keep-alives and management traffic stay below it; any job is far above it." },
	[THRESHOLD_PAUSE_SENT_PERCENT] = { KEY("pause_sent_percent"),
		1, 100, 50, HALF, "% of the time",
		"Time share of sent pauses from which a storm is reported.",
		"Bursts pause for a few percent of the time. Above half the time the peer's "
		"queue grows and pause spreads." },
	[THRESHOLD_PAUSE_RECEIVED_PERCENT] = { KEY("pause_received_percent"),
		1, 100, 50, HALF, "% of the time",
		"Time share of received pauses from which a storm is reported.",
		"An incast may pause a sender often and is normal. Above half the time the "
		"port is slower than half its speed." },
	[THRESHOLD_DEADLOCK_PAUSE_PERCENT] = { KEY("deadlock_pause_percent"),
		1, 100, 90, HALF, "% of the time",
		"Time share of received pauses from which a priority that sends nothing may be "
		"in a deadlock.",
		"An incast pauses a sender for long, but lets bytes through in between. A "
		"deadlock does not." },
	[THRESHOLD_PAUSE_FRAMES_PER_S] = { KEY("pause_frames_per_s"),
		1, 100000000, 100, HALF, "frames a second",
		"Pause frames from which pausing is continuous, not a single burst.",
		"One burst sends a few dozen frames; continuous pause sends thousands a second." },
	[THRESHOLD_ECN_MARKED_PACKETS_PER_S] = { KEY("ecn_marked_packets_per_s"),
		1, 100000000, 10, HALF, "packets a second",
		"Marked packets from which the port must send CNPs.",
		"The adapter sends at most one CNP in some microseconds: ten packets a second "
		"leave no doubt." },
	[THRESHOLD_CNP_IGNORED_PER_S] = { KEY("cnp_ignored_per_s"),
		1, 100000000, 1, HALF, "CNPs a second",
		"Ignored CNPs from which a symptom is reported.",
		"A CNP for a connection that has just ended is ignored rightly, and rare." },
	[THRESHOLD_WRONG_PRIORITY_PERCENT] = { KEY("wrong_priority_percent"),
		1, 100, 5, HALF, "% of RDMA bytes",
		"Share of RDMA bytes that may use other priorities than the lossless ones.",
		"Connection management travels on priority 0 and is far below one percent of a "
		"job's bytes." },
	[THRESHOLD_RDMA_OUT_OF_ORDER_PER_MILLION] = { KEY("rdma_out_of_order_per_million"),
		1, 1000000, 10, HALF, "of a million RDMA packets",
		"Packets that may be retransmitted or arrive out of order.",
		"A lossless fabric loses none. Ten leave room for a bit error and for a peer "
		"that restarts." },
	[THRESHOLD_PCI_STALLED_PERCENT] = { KEY("pci_stalled_percent"),
		1, 100, 10, HALF, "% of the seconds",
		"Seconds in which the adapter waits for the host's memory for over 30 % of the "
		"time (outbound_pci_stalled_wr_events).",
		"A slot that fits the port's speed hardly stalls; with a tenth of the seconds "
		"stalled the receive buffer fills again and again." },
	[THRESHOLD_LINK_DOWN_EVENTS] = { KEY("link_down_events"),
		1, 1000, 3, HALF, "times",
		"Link downs within link_down_window_s from which the link is flapping.",
		"A reboot of the switch or a new cable takes the link down once or twice." },
	[THRESHOLD_LINK_DOWN_WINDOW_S] = { KEY("link_down_window_s"),
		1, 86400, 600, SAME, "seconds",
		"Time over which link downs are counted.",
		"A module that fails goes down every few minutes." },
	[THRESHOLD_LINK_ERRORS_PER_MINUTE] = { KEY("link_errors_per_minute"),
		1, 1000000000, 6, HALF, "errors a minute",
		"Receive errors of the port's own link, by the counter that rises most.",
		"A link within the frame loss ratio of IEEE 802.3 loses less than one frame a "
		"minute." },
	[THRESHOLD_ICRC_ERRORS_PER_MINUTE] = { KEY("icrc_errors_per_minute"),
		1, 1000000000, 6, HALF, "packets a minute",
		"RoCE packets that a device on the path damaged.",
		"Switches and adapters protect their memory: one such packet a day is rare, "
		"one in each window is a fault." },
	[THRESHOLD_RECEIVER_NOT_READY_PER_S] = { KEY("receiver_not_ready_per_s"),
		1, 100000000, 100, HALF, "packets a second",
		"RDMA packets that found no receive buffer, here or at the remote host.",
		"Some dozens a second are how applications with small receive queues work; "
		"each costs a pause of its connection." },
};
/* clang-format on */

struct thresholds thresholds_defaults(void)
{
	struct thresholds l;

	for (size_t i = 0; i < THRESHOLD_COUNT; i++)
		l.value[i] = thresholds[i].default_value;
	return l;
}

struct thresholds thresholds_to_clear(const struct thresholds *raise)
{
	struct thresholds l;

	for (size_t i = 0; i < THRESHOLD_COUNT; i++) {
		uint64_t level = (uint64_t)raise->value[i] * thresholds[i].clear_percent / 100;

		l.value[i] = level ? (uint32_t)level : 1;
	}
	return l;
}

static bool threshold_row(size_t i, struct key *ret)
{
	const struct threshold *t = &thresholds[i];

	if (i >= THRESHOLD_COUNT)
		return false;
	*ret = (struct key){ t->name,	       t->path,
			     KEY_NUMBER,       i * sizeof(uint32_t),
			     sizeof(uint32_t), t->min,
			     t->max,	       .default_number = t->default_value,
			     .unit = t->unit,  .doc = t->doc };
	return true;
}

const struct key_object thresholds_object = {
	.row = threshold_row,
	.expected = "an object of thresholds, such as {\"window_s\": 10}",
};
