#include "symptom.h"

#include <stdarg.h>
#include <stdio.h>

#include "../policy/knob.h"

#define USEC 1e6

static bool __attribute__((format(printf, 2, 3)))
says(char text[SYMPTOM_TEXT_MAX], const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, SYMPTOM_TEXT_MAX, fmt, ap);
	va_end(ap);
	return true;
}

/* The priorities that must not lose: the policy's, or what the port has. */
static uint8_t lossless(const struct evidence *e)
{
	if (e->want && (e->want->has & KNOB(KNOB_PFC_PRIORITIES)))
		return e->want->pfc.priorities;
	return e->have->has & KNOB(KNOB_PFC_PRIORITIES) ? e->have->pfc.priorities : 0;
}

static double percent_of_time(const struct evidence *e, enum counter_id us, unsigned prio)
{
	return e->interval->seconds > 0 ? 100 * (double)interval_count(e->interval, us, prio) /
						  (e->interval->seconds * USEC)
					: 0;
}

static double per_second(const struct evidence *e, uint64_t count)
{
	return e->interval->seconds > 0 ? (double)count / e->interval->seconds : 0;
}

/* The priority with the most of a counter. */
static unsigned most(const struct evidence *e, enum counter_id id)
{
	unsigned top = 0;

	for (unsigned p = 1; p < PRIOS; p++)
		if (interval_count(e->interval, id, p) > interval_count(e->interval, id, top))
			top = p;
	return top;
}

static uint64_t over_priorities(const struct evidence *e, enum counter_id id, uint8_t of)
{
	uint64_t sum = 0;

	for (unsigned p = 0; p < PRIOS; p++)
		sum += of & (1u << p) ? interval_count(e->interval, id, p) : 0;
	return sum;
}

static bool is_busy(const struct evidence *e)
{
	return interval_rate(e->interval, COUNT_RX_RDMA_PACKETS) +
		       interval_rate(e->interval, COUNT_TX_RDMA_PACKETS) >=
	       e->limits->is[LIMIT_RDMA_PACKETS_PER_S];
}

/* Time counts, and not frames: how often pause is refreshed says nothing. */
static bool is_storm(const struct evidence *e, enum counter_id us, enum counter_id global_us,
		     enum limit_id limit, const char *whom, char text[SYMPTOM_TEXT_MAX])
{
	unsigned p = most(e, us);

	if (percent_of_time(e, us, p) >= e->limits->is[limit])
		return says(text, "%s held back on priority %u for %.0f %% of %.0f s", whom, p,
			    percent_of_time(e, us, p), e->interval->seconds);
	if (percent_of_time(e, global_us, 0) >= e->limits->is[limit])
		return says(text, "%s held back by global pause for %.0f %% of %.0f s", whom,
			    percent_of_time(e, global_us, 0), e->interval->seconds);
	return false;
}

static bool storm_sent(const struct evidence *e, char text[SYMPTOM_TEXT_MAX])
{
	uint64_t warnings = interval_count(e->interval, COUNT_STORM_WARNINGS, 0);

	if (is_storm(e, COUNT_TX_PAUSE_US, COUNT_TX_GLOBAL_PAUSE_US, LIMIT_PAUSE_SENT_PERCENT,
		     "the peer was", text))
		return true;
	return warnings && says(text,
				"the adapter warned %llu times that it held the peer back too "
				"long",
				(unsigned long long)warnings);
}

static bool storm_suffered(const struct evidence *e, char text[SYMPTOM_TEXT_MAX])
{
	return is_storm(e, COUNT_RX_PAUSE_US, COUNT_RX_GLOBAL_PAUSE_US,
			LIMIT_PAUSE_RECEIVED_PERCENT, "this port was", text);
}

static bool watchdog_tripped(const struct evidence *e, char text[SYMPTOM_TEXT_MAX])
{
	uint64_t n = interval_count(e->interval, COUNT_STORM_ERRORS, 0);

	return n && says(text, "the storm watchdog switched pause off %llu time%s",
			 (unsigned long long)n, n == 1 ? "" : "s");
}

static bool lossless_drops(const struct evidence *e, char text[SYMPTOM_TEXT_MAX])
{
	static const enum counter_id drops[] = { COUNT_RX_DISCARDS, COUNT_RX_BUFFER_DISCARDS,
						 COUNT_RX_CONGESTION_DISCARDS };
	uint64_t n = 0;
	unsigned at = 0;

	for (unsigned p = 0; p < PRIOS; p++)
		for (size_t i = 0; i < 3 && (lossless(e) & (1u << p)); i++)
			if (interval_count(e->interval, drops[i], p)) {
				n += interval_count(e->interval, drops[i], p);
				at = p;
			}
	return n && says(text, "%llu packets were lost on arrival on lossless priority %u",
			 (unsigned long long)n, at);
}

static bool pause_on_lossy(const struct evidence *e, char text[SYMPTOM_TEXT_MAX])
{
	if (!e->want || !(e->want->has & KNOB(KNOB_PFC_PRIORITIES)))
		return false;
	for (unsigned p = 0; p < PRIOS; p++) {
		uint64_t n = interval_count(e->interval, COUNT_RX_PAUSE, p) +
			     interval_count(e->interval, COUNT_TX_PAUSE, p);

		if (n && !(lossless(e) & (1u << p)))
			return says(text, "%llu PFC frames on priority %u, which is to be lossy",
				    (unsigned long long)n, p);
	}
	return false;
}

/* A policy without ECN means it so. */
static bool wants_ecn(const struct evidence *e)
{
	const struct config *w = e->want ? e->want : e->have;

	if ((w->has & KNOB(KNOB_ECN_NP)) && !w->ecn.np)
		return false;
	return !(w->has & KNOB(KNOB_ECN_RP_PRIORITIES)) || (w->ecn.rp_priorities & lossless(e));
}

static bool pause_without_cnp(const struct evidence *e, char text[SYMPTOM_TEXT_MAX])
{
	const struct interval *s = e->interval;
	uint64_t frames = over_priorities(e, COUNT_RX_PAUSE, lossless(e)) +
			  over_priorities(e, COUNT_TX_PAUSE, lossless(e));

	if (!is_busy(e) || !wants_ecn(e) || !interval_knows(s, COUNT_CNP_SENT, 0) ||
	    !interval_knows(s, COUNT_CNP_HANDLED, 0) ||
	    per_second(e, frames) < e->limits->is[LIMIT_PAUSE_FRAMES_PER_S])
		return false;
	if (interval_count(s, COUNT_CNP_SENT, 0) || interval_count(s, COUNT_CNP_HANDLED, 0) ||
	    interval_count(s, COUNT_ECN_MARKED, 0))
		return false;
	return says(text, "%.0f PFC frames a second, and not one packet marked or CNP seen",
		    per_second(e, frames));
}

static bool marks_without_cnp(const struct evidence *e, char text[SYMPTOM_TEXT_MAX])
{
	double marked = interval_rate(e->interval, COUNT_ECN_MARKED);

	return interval_knows(e->interval, COUNT_CNP_SENT, 0) &&
	       marked >= e->limits->is[LIMIT_MARKED_PACKETS_PER_S] &&
	       !interval_count(e->interval, COUNT_CNP_SENT, 0) &&
	       says(text, "%.0f packets a second came marked, and no CNP was sent", marked);
}

static bool cnps_ignored(const struct evidence *e, char text[SYMPTOM_TEXT_MAX])
{
	uint64_t ignored = interval_count(e->interval, COUNT_CNP_IGNORED, 0);
	uint64_t handled = interval_count(e->interval, COUNT_CNP_HANDLED, 0);

	return per_second(e, ignored) >= e->limits->is[LIMIT_CNP_IGNORED_PER_S] &&
	       ignored > handled &&
	       says(text, "%llu CNPs were ignored, and %llu handled", (unsigned long long)ignored,
		    (unsigned long long)handled);
}

/* RDMA bytes of this function against all bytes of the lossless priorities. */
static bool strays(const struct evidence *e, enum counter_id rdma, enum counter_id bytes,
		   enum counter_id packets, const char *way, char text[SYMPTOM_TEXT_MAX])
{
	uint64_t all = interval_count(e->interval, rdma, 0);
	uint64_t on = over_priorities(e, bytes, lossless(e));
	double percent = all > on ? 100 * (double)(all - on) / (double)all : 0;

	if (interval_rate(e->interval, packets) < e->limits->is[LIMIT_RDMA_PACKETS_PER_S] ||
	    percent < e->limits->is[LIMIT_WRONG_PRIORITY_PERCENT])
		return false;
	for (unsigned p = 0; p < PRIOS; p++)
		if (!interval_knows(e->interval, bytes, p))
			return false;
	return says(text,
		    "at least %.0f %% of the RDMA bytes %s travel outside the lossless "
		    "priorities",
		    percent, way);
}

static bool wrong_priority(const struct evidence *e, char text[SYMPTOM_TEXT_MAX])
{
	return lossless(e) && (strays(e, COUNT_TX_RDMA_BYTES, COUNT_TX_BYTES, COUNT_TX_RDMA_PACKETS,
				      "sent", text) ||
			       strays(e, COUNT_RX_RDMA_BYTES, COUNT_RX_BYTES, COUNT_RX_RDMA_PACKETS,
				      "received", text));
}

static bool out_of_sequence(const struct evidence *e, char text[SYMPTOM_TEXT_MAX])
{
	static const enum counter_id signs[] = { COUNT_OUT_OF_SEQUENCE,
						 COUNT_PACKET_SEQUENCE_ERRORS, COUNT_IMPLIED_NAKS,
						 COUNT_ACK_TIMEOUTS };
	uint64_t packets = interval_count(e->interval, COUNT_RX_RDMA_PACKETS, 0) +
			   interval_count(e->interval, COUNT_TX_RDMA_PACKETS, 0);
	uint64_t lost = 0;

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		lost += interval_count(e->interval, signs[i], 0);
	return lossless(e) && is_busy(e) &&
	       1e6 * (double)lost / (double)packets >= e->limits->is[LIMIT_LOST_PER_MILLION] &&
	       says(text, "%llu of %llu RDMA packets came out of order or were sent again",
		    (unsigned long long)lost, (unsigned long long)packets);
}

static bool host_is_bottleneck(const struct evidence *e, char text[SYMPTOM_TEXT_MAX])
{
	uint64_t stalled = interval_count(e->interval, COUNT_PCI_STALLED_WRITE, 0);
	uint64_t events = interval_count(e->interval, COUNT_PCI_STALLED_WRITE_EVENTS, 0);
	uint64_t overflows = interval_count(e->interval, COUNT_PCI_OVERFLOW, 0);
	uint64_t paused = over_priorities(e, COUNT_TX_PAUSE_US, 0xff) +
			  interval_count(e->interval, COUNT_TX_GLOBAL_PAUSE_US, 0);

	if (!paused || (stalled < e->limits->is[LIMIT_PCI_STALLED_PERCENT] && !overflows))
		return false;
	return says(text,
		    "the adapter waits %llu %% of the time to write to memory (%llu long "
		    "stalls), and holds the peer back meanwhile",
		    (unsigned long long)stalled, (unsigned long long)events);
}

static bool link_flaps(const struct evidence *e, char text[SYMPTOM_TEXT_MAX])
{
	return e->link_downs >= e->limits->is[LIMIT_LINK_DOWNS] &&
	       says(text, "the link went down %llu times", (unsigned long long)e->link_downs);
}

/* Where the policy wants it on, or only watches a port that has it on, it is no surprise. */
static bool global_pause_works(const struct evidence *e, char text[SYMPTOM_TEXT_MAX])
{
	uint64_t rx = interval_count(e->interval, COUNT_RX_GLOBAL_PAUSE, 0);
	uint64_t tx = interval_count(e->interval, COUNT_TX_GLOBAL_PAUSE, 0);

	if (!rx && !tx)
		return false;
	if (e->want && (e->want->has & KNOB(KNOB_PAUSE_RX)) &&
	    (e->want->pause.rx || e->want->pause.tx))
		return false;
	return per_second(e, rx + tx) >= e->limits->is[LIMIT_PAUSE_FRAMES_PER_S] &&
	       says(text, "%llu pause frames came and %llu went, for all priorities at once",
		    (unsigned long long)rx, (unsigned long long)tx);
}

/* clang-format off: one block per symptom, the worst first */
const struct symptom symptoms[] = {
	{ "storm-watchdog-tripped", ALARM_CRITICAL, LOOK_HERE, true, watchdog_tripped,
	  "The adapter gave up pause after a storm of its own: the port is no longer lossless.",
	  "This host took packets too slowly for longer than pfc.storm_timeout_ms: a stalled PCIe "
	  "slot, memory or a hung application.",
	  "Look at outbound_pci_stalled_wr and at what ran then; compare the timeout with the "
	  "switch's own watchdog." },
	{ "lossless-drops", ALARM_CRITICAL, LOOK_HERE, false, lossless_drops,
	  "Packets of a lossless priority were lost on arrival.",
	  "The buffer behind the priority is smaller than the headroom that cable, speed and MTU "
	  "need, or the peer does not obey PFC.",
	  "`losslessctl verify` and `losslessctl headroom`; then `losslessctl peer`: does the "
	  "switch have PFC on this priority?" },
	{ "pause-storm-sent", ALARM_CRITICAL, LOOK_HERE, false, storm_sent,
	  "This port holds its peer back for most of the time.",
	  "This host takes packets more slowly than they come: PCIe, memory, IOMMU, or receive "
	  "queues that nobody empties.",
	  "Look at this host: host-is-bottleneck, the PCIe width and speed, NUMA; the fabric is "
	  "only the victim." },
	{ "pause-storm-suffered", ALARM_CRITICAL, LOOK_AT_FABRIC, false, storm_suffered,
	  "This port is held back by its peer for most of the time.",
	  "Congestion further on: an incast, a slow receiver whose pause spreads, or a switch port "
	  "that is stuck.",
	  "Follow the pause through the switches to the port that first sent it; look there." },
	{ "host-is-bottleneck", ALARM_WARNING, LOOK_HERE, false, host_is_bottleneck,
	  "The adapter waits for this host's memory, and pauses the peer meanwhile.",
	  "A PCIe slot with too few lanes or too low a speed, a far NUMA node, or IOMMU and "
	  "relaxed ordering.",
	  "`lspci -vv` (LnkSta), the NUMA node of port and application, PCIe relaxed ordering." },
	{ "pause-without-cnp", ALARM_WARNING, LOOK_AT_FABRIC, false, pause_without_cnp,
	  "PFC works hard, and ECN does not work at all.",
	  "The switch does not mark (no WRED/ECN on this class), or the packets carry no ECT.",
	  "Look at the switch's ECN thresholds, and at roce.tos here: its last two bits must be "
	  "2." },
	{ "marks-without-cnp", ALARM_WARNING, LOOK_HERE, false, marks_without_cnp,
	  "Marked packets arrive, and this host does not tell their sender.",
	  "The notification point (NP) is off on this port.",
	  "Set ecn.np, or look at the firmware's ROCE_CC_PRIO_MASK; `losslessctl show` tells what "
	  "there is." },
	{ "cnp-ignored", ALARM_WARNING, LOOK_HERE, false, cnps_ignored,
	  "Congestion notifications arrive, and this host does not send more slowly.",
	  "The reaction point (RP) is off for the priority that it sends on.",
	  "Set ecn.rp_priorities, or look at the firmware's ROCE_CC_PRIO_MASK." },
	{ "roce-on-wrong-priority", ALARM_WARNING, LOOK_HERE, false, wrong_priority,
	  "RDMA traffic travels outside the lossless priorities.",
	  "roce.tos reaches connections of rdma_cm only; applications that make queue pairs "
	  "themselves choose their own (NCCL: NCCL_IB_TC), or DSCP and priority do not fit.",
	  "Compare NCCL_IB_TC, UCX_IB_TRAFFIC_CLASS and roce.traffic_class with dscp.prio." },
	{ "out-of-sequence", ALARM_WARNING, LOOK_AT_FABRIC, false, out_of_sequence,
	  "RDMA packets are lost or overtaken, on a host whose class is to be lossless.",
	  "A hop that is not lossless, a wrong priority on the way, bad cables, or adaptive "
	  "routing without support for it.",
	  "Look at discards and checksum errors of the switches on the way; `losslessctl peer` for "
	  "the first hop." },
	{ "pause-on-lossy-priority", ALARM_WARNING, LOOK_AT_FABRIC, false, pause_on_lossy,
	  "PFC frames are seen on a priority that the policy wants lossy.",
	  "PFC is on for it at this port or at the peer: drift, or a switch that is set up "
	  "otherwise.",
	  "`losslessctl verify`, then `losslessctl peer`." },
	{ "global-pause-at-work", ALARM_WARNING, LOOK_AT_FABRIC, false, global_pause_works,
	  "802.3x pause stops all priorities at once, where PFC should stop one.",
	  "Global pause is on here, or the switch sends it.",
	  "Set pause.rx and pause.tx to false here, and switch flow control off on the switch's "
	  "port." },
	{ "link-flapping", ALARM_WARNING, LOOK_AT_FABRIC, true, link_flaps,
	  "The link goes down again and again.",
	  "A bad cable or module, a switch port that is switched off and on, or software that "
	  "resets the port.",
	  "`ethtool -m`, the switch's log, and `losslessctl drift`: does somebody rewrite PFC?" },
};
/* clang-format on */

const size_t symptoms_count = sizeof(symptoms) / sizeof(symptoms[0]);
_Static_assert(sizeof(symptoms) / sizeof(symptoms[0]) <= SYMPTOMS_MAX, "room for all of them");

size_t symptoms_judge(const struct evidence *e, struct complaint ret[SYMPTOMS_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < symptoms_count; i++) {
		struct complaint *c = &ret[count];

		if ((!e->steady && !symptoms[i].even_unsteady) || !symptoms[i].shows(e, c->text))
			continue;
		c->symptom = &symptoms[i];
		count++;
	}
	return count;
}

const char *alarm_name(enum alarm a)
{
	return a == ALARM_CRITICAL ? "critical" : "warning";
}

const char *direction_name(enum direction d)
{
	return d == LOOK_HERE ? "this host" : "the fabric";
}
