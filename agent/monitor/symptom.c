#include "symptom.h"

#include "symptom_checks.h"

/*
 * Counted events are certain. Keep them raised for a minute, so that a scrape per minute sees them.
 */
#define AT_ONCE .windows = { 1, 1, 6 }
/* A single window over a threshold may be one burst. */
#define SUSTAINED .windows = { 2, 3, 3 }
/* A switch's watchdog breaks a deadlock within seconds, if it is on. */
#define LASTING .windows = { 3, 3, 3 }
/* Link downs are counted over thresholds.link_down_window_s, which is hysteresis enough. */
#define SLIDING .windows = { 1, 1, 1 }

/* clang-format off: one block per symptom, the worst first */
const struct symptom symptoms[] = {
	{ "storm-watchdog-tripped", SEVERITY_CRITICAL, ORIGIN_HOST, true, AT_ONCE,
	  shows_watchdog_tripped,
	  "The storm watchdog turned pause off: the port is no longer lossless.",
	  "A stalled PCIe slot, slow memory or a hung application kept this host from taking "
	  "packets for longer than pfc.storm_timeout_ms. Kernels before 2026 lack "
	  "tx_pause_storm_events and count priority 0 only: a storm of another priority does not "
	  "show there.",
	  "Check outbound_pci_stalled_wr and the processes that ran then; compare the timeout with "
	  "the switch's own watchdog." },
	{ "lossless-drops", SEVERITY_CRITICAL, ORIGIN_HOST, false, AT_ONCE, shows_lossless_drops,
	  "Packets of a lossless priority were dropped on arrival.",
	  "The buffer of the priority is smaller than the headroom that cable, speed and MTU need, "
	  "or the peer ignores PFC.",
	  "Run `losslessctl verify` for the buffers and their lints, then `losslessctl peer` to "
	  "check PFC of this priority on the switch." },
	{ "pause-storm-sent", SEVERITY_CRITICAL, ORIGIN_HOST, false, SUSTAINED, shows_storm_sent,
	  "This port pauses its peer most of the time.",
	  "This host takes packets more slowly than they arrive: PCIe, memory, IOMMU, or receive "
	  "queues that no application empties.",
	  "Check this host for host-congestion, PCIe width and speed, and NUMA; the fabric is only "
	  "the victim.",
	  adapter_warned },
	{ "pause-deadlock-suspected", SEVERITY_CRITICAL, ORIGIN_FABRIC, false, LASTING,
	  shows_deadlock,
	  "The peer pauses a lossless priority all the time, and nothing is sent on it.",
	  "Switches that pause each other in a circle, or a switch port that is stuck. A host sees "
	  "the pause and the lack of progress, not the circle. A port that had nothing more to "
	  "send looks the same.",
	  "Read the PFC watchdog statistics of the switches, and look for the same symptom on "
	  "other hosts of the switch. Leave PFC on: turning it off drops packets on this port and "
	  "does not break the deadlock." },
	{ "pause-storm-received", SEVERITY_CRITICAL, ORIGIN_FABRIC, false, SUSTAINED,
	  shows_storm_received, "The peer pauses this port most of the time.",
	  "Congestion further on: an incast, a slow receiver whose pause spreads, or a stuck "
	  "switch port.",
	  "Follow the pause through the switches to the port that sent it first, and check that "
	  "port." },
	{ "host-congestion", SEVERITY_WARNING, ORIGIN_HOST, false, SUSTAINED,
	  shows_host_is_bottleneck,
	  "The adapter waits for this host's memory and pauses the peer meanwhile.",
	  "A PCIe slot with too few lanes or too low a speed, a remote NUMA node, or IOMMU and "
	  "relaxed ordering. outbound_pci_stalled_wr_events or outbound_pci_buffer_overflow rises "
	  "while tx_prio#_pause_duration does.",
	  "Check `lspci -vv` (LnkSta), the NUMA nodes of port and application, and PCIe relaxed "
	  "ordering." },
	{ "pause-without-cnp", SEVERITY_WARNING, ORIGIN_FABRIC, false, SUSTAINED,
	  shows_pause_without_cnp, "PFC is active, but there are no ECN marks or CNPs.",
	  "The switch does not mark (no WRED/ECN on this class), the packets carry no ECT, or "
	  "connections use another congestion control (ZTR-RTT is negotiated per connection). Not "
	  "judged until the RDMA device has counted a CNP or an ECN-marked packet: DCQCN may not "
	  "run.",
	  "Check the switch's ECN thresholds, and roce.tos on this host: its last two bits must be "
	  "2.",
	  .cannot_judge = cannot_judge_pause_without_cnp },
	{ "ecn-marks-without-cnp", SEVERITY_WARNING, ORIGIN_HOST, false, SUSTAINED,
	  shows_marks_without_cnp, "ECN-marked packets arrive, but this host sends no CNPs.",
	  "The notification point (NP) is off on this port.",
	  "Set ecn.np, or check the firmware's ROCE_CC_PRIO_MASK; run `losslessctl show` to see "
	  "the actual settings." },
	{ "cnp-ignored", SEVERITY_WARNING, ORIGIN_HOST, false, SUSTAINED, shows_cnps_ignored,
	  "CNPs arrive, but this host does not send more slowly.",
	  "The reaction point (RP) is off for the priority of the traffic.",
	  "Set ecn.rp_priorities, or check the firmware's ROCE_CC_PRIO_MASK." },
	{ "roce-on-wrong-priority", SEVERITY_WARNING, ORIGIN_HOST, false, SUSTAINED,
	  shows_wrong_priority, "RDMA traffic uses priorities that are not lossless.",
	  "roce.tos affects connections of rdma_cm only. Applications that create queue pairs "
	  "themselves choose their own class (NCCL: NCCL_IB_TC), or DSCP and priority do not "
	  "match.",
	  "Compare NCCL_IB_TC, UCX_IB_TRAFFIC_CLASS and roce.traffic_class with dscp.prio." },
	{ "rx-link-errors", SEVERITY_WARNING, ORIGIN_CABLE, false, SUSTAINED, shows_link_errors,
	  "Frames arrive damaged, and the port drops them.",
	  "A bad or dirty cable or module of this port, or an unsuitable FEC mode. With "
	  "rx_crc_errors_phy alone, a cut-through switch may forward frames that were damaged "
	  "before it.",
	  "Check `ethtool -m PORT` (power, temperature) and `ethtool -I --show-fec PORT` (mode, "
	  "blocks); reseat or replace the cable, then check the switch port's error counters." },
	{ "rdma-icrc-errors", SEVERITY_WARNING, ORIGIN_FABRIC, false, SUSTAINED, shows_icrc_errors,
	  "RoCE packets arrive with a valid Ethernet checksum and a bad invariant checksum (ICRC).",
	  "A switch or an adapter on the path damaged them in its memory, or rewrote a field that "
	  "the ICRC covers.",
	  "Find the switch that the affected hosts share, and check its memory (ECC) errors." },
	{ "rdma-out-of-order", SEVERITY_WARNING, ORIGIN_FABRIC, false, SUSTAINED,
	  shows_out_of_sequence,
	  "RDMA packets are dropped or overtaken, although their class should be lossless.",
	  "Receive errors of this port's cable, a hop that is not lossless, a wrong priority on "
	  "the path, or adaptive routing without support for it.",
	  "Check rx_crc_errors_phy, rx_symbol_err_phy and uncorrectable_blocks of this port, then "
	  "drops and checksum errors of the switches on the path; run `losslessctl peer` for the "
	  "first hop.",
	  .origin_of = points_to_own_cable },
	{ "pause-on-lossy-priority", SEVERITY_WARNING, ORIGIN_FABRIC, false, SUSTAINED,
	  shows_pause_on_lossy, "PFC frames are seen on a priority that the policy makes lossy.",
	  "PFC has drifted on this port: an adapter counts PFC frames only of a priority with PFC "
	  "on. This port or the switch pauses the priority.",
	  "Run `losslessctl verify`, then `losslessctl peer`." },
	{ "global-pause-active", SEVERITY_WARNING, ORIGIN_FABRIC, false, SUSTAINED,
	  shows_global_pause, "802.3x pause stops all priorities at once; PFC stops only one.",
	  "Global pause is on at this port, or the switch sends it.",
	  "Set pause.rx and pause.tx to false, and turn flow control off on the switch's port." },
	{ "link-flapping", SEVERITY_WARNING, ORIGIN_FABRIC, true, SLIDING, shows_link_flaps,
	  "The link goes down repeatedly.",
	  "A bad cable or module, a switch port that is turned off and on, or software that resets "
	  "the port.",
	  "Check `ethtool -m PORT` and the switch's log; run `losslessctl history` to see whether "
	  "a program rewrites PFC." },
	{ "receiver-not-ready", SEVERITY_INFO, ORIGIN_HOST, false, SUSTAINED,
	  shows_receiver_not_ready,
	  "RDMA packets find no receive buffer, and their senders wait and retry.",
	  "An application posts receive buffers too slowly: a busy or hung process, or a receive "
	  "queue that is too short. The network is not the cause.",
	  "out_of_buffer: check the processes of this host (`rdma resource show qp`). "
	  "rnr_nak_retry_err: check those of the remote host.",
	  .origin_of = points_to_receiver },
};
/* clang-format on */

const size_t symptoms_count = sizeof(symptoms) / sizeof(symptoms[0]);
_Static_assert(sizeof(symptoms) / sizeof(symptoms[0]) <= SYMPTOMS_MAX, "room for all of them");

bool symptom_shows(const struct symptom *s, const struct symptom_input *e,
		   struct active_symptom *ret)
{
	if ((!e->steady && !s->even_unsteady) || !s->shows(e, ret->text))
		return false;
	ret->symptom = s;
	ret->severity = s->severity;
	ret->origin = s->origin_of ? s->origin_of(e) : s->origin;
	return true;
}

size_t symptoms_check(const struct symptom_input *e, struct active_symptom ret[SYMPTOMS_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < symptoms_count; i++)
		count += symptom_shows(&symptoms[i], e, &ret[count]);
	return count;
}

size_t symptoms_not_judged(const struct symptom_input *e, struct active_symptom ret[SYMPTOMS_MAX])
{
	size_t count = 0;

	for (size_t i = 0; e->steady && i < symptoms_count; i++) {
		const struct symptom *s = &symptoms[i];

		if (!s->cannot_judge || !s->cannot_judge(e, ret[count].text))
			continue;
		ret[count].symptom = s;
		ret[count].severity = s->severity;
		ret[count++].origin = s->origin;
	}
	return count;
}

enum severity symptom_severity_of(const struct symptom *symptom, const struct severities *s)
{
	enum severity stated;

	return severity_of_symptom(s, symptom->name, &stated) ? stated : symptom->severity;
}

void active_symptoms_set_severity(struct active_symptom *list, size_t count,
				  const struct severities *s)
{
	for (size_t i = 0; i < count; i++)
		list[i].severity = symptom_severity_of(list[i].symptom, s);
}

static const struct {
	const char *name, *text;
} origins[] = {
	[ORIGIN_HOST] = { "host", "this host" },
	[ORIGIN_FABRIC] = { "fabric", "the fabric" },
	[ORIGIN_CABLE] = { "cable", "this port's cable" },
	[ORIGIN_REMOTE] = { "remote_host", "the remote host" },
};

const char *symptom_origin_name(enum symptom_origin o)
{
	return origins[o].name;
}

const char *symptom_origin_text(enum symptom_origin o)
{
	return origins[o].text;
}
