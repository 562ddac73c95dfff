#include "symptom.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../policy/model/setting.h"

#define USEC 1e6

static uint64_t driver_link_downs(const struct counter_delta *s)
{
	return counter_delta_count(s,
				   counter_delta_known(s, COUNT_LINK_DOWNS, 0)
					   ? COUNT_LINK_DOWNS
					   : COUNT_CARRIER_DOWNS,
				   0);
}

/* mlx5 also drops the carrier while it reopens its queues, without counting a link down. */
static bool carrier_moved(const struct counter_delta *s)
{
	return counter_delta_count(s, COUNT_CARRIER_DOWNS, 0) ||
	       counter_delta_count(s, COUNT_CARRIER_UPS, 0);
}

struct symptom_input symptom_input_of(const struct counter_delta *s, const struct config *actual,
				      const struct config *desired, const struct thresholds *l)
{
	struct symptom_input e = {
		.delta = s, .actual = actual, .desired = desired, .thresholds = l
	};

	e.link_downs = driver_link_downs(s);
	e.steady = !e.link_downs && !carrier_moved(s) && !s->restarted[FROM_ETHTOOL] &&
		   !s->restarted[FROM_NETDEV];
	return e;
}

/* The priorities that must not lose packets: the policy's, else the port's. */
static uint8_t symptom_input_lossless(const struct symptom_input *e)
{
	if (e->desired && (e->desired->has & SETTING(SETTING_PFC_PRIORITIES)))
		return e->desired->pfc.priorities;
	return e->actual->has & SETTING(SETTING_PFC_PRIORITIES) ? e->actual->pfc.priorities : 0;
}

/* A difference per second. */
static double symptom_input_per_second(const struct symptom_input *e, uint64_t count)
{
	return e->delta->seconds > 0 ? (double)count / e->delta->seconds : 0;
}

/*
 * A counter of microseconds as percent of the window. The clocks of adapter and host differ: clamp
 * to 100 %.
 */
static double symptom_input_percent_of_time(const struct symptom_input *e, enum counter_id us,
					    unsigned prio)
{
	double share;

	if (e->delta->seconds <= 0)
		return 0;
	share = (double)counter_delta_count(e->delta, us, prio) / (e->delta->seconds * USEC);
	return share < 1 ? 100 * share : 100;
}

/* The sum of a counter over a set of priorities. */
static uint64_t symptom_input_over_priorities(const struct symptom_input *e, enum counter_id id,
					      uint8_t of)
{
	uint64_t sum = 0;

	for (unsigned p = 0; p < PRIOS; p++)
		sum += of & (1u << p) ? counter_delta_count(e->delta, id, p) : 0;
	return sum;
}

/*
 * True if there is RDMA traffic to speak of: of this function, or on the lossless priorities of the
 * wire, where that of VFs and SFs shows.
 */
static bool symptom_input_is_busy(const struct symptom_input *e)
{
	uint8_t lossless = symptom_input_lossless(e);
	double rdma = counter_delta_rate(e->delta, COUNT_RX_RDMA_PACKETS) +
		      counter_delta_rate(e->delta, COUNT_TX_RDMA_PACKETS);
	uint64_t wire = symptom_input_over_priorities(e, COUNT_RX_PACKETS, lossless) +
			symptom_input_over_priorities(e, COUNT_TX_PACKETS, lossless);

	return rdma + symptom_input_per_second(e, wire) >=
	       e->thresholds->value[THRESHOLD_MIN_RDMA_PACKETS_PER_S];
}

/* Writes a symptom's figures; returns true, so that a predicate can end with it. */
static bool __attribute__((format(printf, 2, 3)))
symptom_input_write_text(char text[SYMPTOM_TEXT_MAX], const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, SYMPTOM_TEXT_MAX, fmt, ap);
	va_end(ap);
	return true;
}

/* The priority with the largest difference of a counter. */
static unsigned most(const struct symptom_input *e, enum counter_id id)
{
	unsigned top = 0;

	for (unsigned p = 1; p < PRIOS; p++)
		if (counter_delta_count(e->delta, id, p) > counter_delta_count(e->delta, id, top))
			top = p;
	return top;
}

/* One direction of pause: its counters of time, and the threshold of a storm. */
struct pause_direction {
	enum counter_id us, global_us;
	enum threshold_id limit;
	const char *whom;
};

/* Uses time, not frames: the number of frames only shows how often pause was refreshed. */
static bool is_storm(const struct symptom_input *e, const struct pause_direction *w,
		     char text[SYMPTOM_TEXT_MAX])
{
	unsigned p = most(e, w->us);
	double one = symptom_input_percent_of_time(e, w->us, p),
	       all = symptom_input_percent_of_time(e, w->global_us, 0);

	if (one >= e->thresholds->value[w->limit])
		return symptom_input_write_text(text,
						"%s paused on priority %u for %.0f %% of %.0f s",
						w->whom, p, one, e->delta->seconds);
	if (all >= e->thresholds->value[w->limit])
		return symptom_input_write_text(text,
						"%s paused by global pause for %.0f %% of %.0f s",
						w->whom, all, e->delta->seconds);
	return false;
}

/* mlx5 counts a warning when it has sent pause for longer than the watchdog's minor watermark. */
static bool adapter_warned(const struct symptom_input *e)
{
	return counter_delta_count(e->delta, COUNT_STORM_WARNINGS, 0) > 0;
}

/* A short storm is a small part of a long window, so the adapter's own warning counts as well. */
static bool shows_storm_sent(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	static const struct pause_direction sent = { COUNT_TX_PAUSE_US, COUNT_TX_GLOBAL_PAUSE_US,
						     THRESHOLD_PAUSE_SENT_PERCENT, "the peer was" };
	uint64_t warnings = counter_delta_count(e->delta, COUNT_STORM_WARNINGS, 0);

	if (is_storm(e, &sent, text))
		return true;
	return adapter_warned(e) &&
	       symptom_input_write_text(
		       text, "the adapter warned %llu time%s that it paused the peer too long",
		       (unsigned long long)warnings, warnings == 1 ? "" : "s");
}

/* One jumbo frame a second: a port that is paused nine tenths of the time sends far more. */
#define NO_PROGRESS_BYTES_PER_S 10000

/* An idle port has nothing to send: a priority never used since the driver started is idle. */
static bool makes_no_progress(const struct symptom_input *e, unsigned prio)
{
	return counter_delta_known(e->delta, COUNT_TX_BYTES, prio) &&
	       e->delta->latest[counter_slot(COUNT_TX_BYTES, prio)] > 0 &&
	       symptom_input_per_second(e, counter_delta_count(e->delta, COUNT_TX_BYTES, prio)) <
		       NO_PROGRESS_BYTES_PER_S;
}

static bool shows_deadlock(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	for (unsigned p = 0; p < PRIOS; p++) {
		double paused = symptom_input_percent_of_time(e, COUNT_RX_PAUSE_US, p);

		if ((symptom_input_lossless(e) & (1u << p)) && makes_no_progress(e, p) &&
		    paused >= e->thresholds->value[THRESHOLD_DEADLOCK_PAUSE_PERCENT])
			return symptom_input_write_text(
				text,
				"priority %u was paused for %.0f %% of %.0f s and sent %llu bytes: "
				"a deadlock is suspected, read the switches' watchdog statistics",
				p, paused, e->delta->seconds,
				(unsigned long long)counter_delta_count(e->delta, COUNT_TX_BYTES,
									p));
	}
	return false;
}

static bool shows_storm_received(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	static const struct pause_direction received = { COUNT_RX_PAUSE_US,
							 COUNT_RX_GLOBAL_PAUSE_US,
							 THRESHOLD_PAUSE_RECEIVED_PERCENT,
							 "this port was" };

	return is_storm(e, &received, text);
}

/* Events are of all priorities. Errors are of priority 0 alone, and read a moment earlier. */
static bool shows_watchdog_tripped(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	bool counts_all = counter_delta_known(e->delta, COUNT_STORM_EVENTS, 0);
	uint64_t first = counter_delta_count(e->delta, COUNT_STORM_ERRORS, 0);
	uint64_t all = counter_delta_count(e->delta, COUNT_STORM_EVENTS, 0);
	uint64_t n = all > first ? all : first;

	return n &&
	       symptom_input_write_text(text, "the storm watchdog turned pause off %llu time%s%s",
					(unsigned long long)n, n == 1 ? "" : "s",
					counts_all ? "" : " (only priority 0 is counted)");
}

static bool are_drops(uint64_t n, const char *of, unsigned index, char text[SYMPTOM_TEXT_MAX])
{
	return n && symptom_input_write_text(text, "%llu packet%s dropped on arrival %s %u",
					     (unsigned long long)n, n == 1 ? " was" : "s were", of,
					     index);
}

/* The class of a priority, by the map in force; without one its counters belong to nobody. */
static uint64_t class_drops(const struct symptom_input *e, unsigned prio)
{
	unsigned tc = e->actual->ets.prio_tc[prio];

	if (!(e->actual->has & SETTING(SETTING_ETS_PRIO_TC)))
		return 0;
	return counter_delta_count(e->delta, COUNT_RX_BUFFER_DISCARDS, tc) +
	       counter_delta_count(e->delta, COUNT_RX_CONGESTION_DISCARDS, tc);
}

static bool shows_lossless_drops(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	for (unsigned p = 0; p < PRIOS; p++) {
		if (!(symptom_input_lossless(e) & (1u << p)))
			continue;
		if (are_drops(counter_delta_count(e->delta, COUNT_RX_DISCARDS, p),
			      "on lossless priority", p, text) ||
		    are_drops(class_drops(e, p), "in the traffic class of lossless priority", p,
			      text))
			return true;
	}
	return false;
}

static bool shows_pause_on_lossy(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	if (!e->desired || !(e->desired->has & SETTING(SETTING_PFC_PRIORITIES)))
		return false;
	for (unsigned p = 0; p < PRIOS; p++) {
		uint64_t n = counter_delta_count(e->delta, COUNT_RX_PAUSE, p) +
			     counter_delta_count(e->delta, COUNT_TX_PAUSE, p);

		if (n && !(symptom_input_lossless(e) & (1u << p)))
			return symptom_input_write_text(
				text,
				"%llu PFC frames on priority %u, which the policy makes lossy",
				(unsigned long long)n, p);
	}
	return false;
}

/* One direction of RDMA traffic and its CNPs, which rightly have a priority of their own. */
struct traffic {
	enum counter_id rdma, bytes, packets;
	enum counter_id cnps, more_cnps;
	const char *way;
};

/* An IPv6 CNP with a VLAN tag has 102 bytes on the wire. */
#define CNP_BYTES_MAX 128

static bool knows_all_bytes(const struct symptom_input *e, const struct traffic *t)
{
	for (unsigned p = 0; p < PRIOS; p++)
		if (!counter_delta_known(e->delta, t->bytes, p))
			return false;
	return true;
}

/*
 * RDMA from function to function of the adapter, or to the own address, has no priority of the
 * wire: at most what the wire's lossy priorities carried is outside.
 */
static double outside_percent(const struct symptom_input *e, const struct traffic *t)
{
	uint8_t lossless = symptom_input_lossless(e);
	uint64_t all = counter_delta_count(e->delta, t->rdma, 0);
	uint64_t cnps = counter_delta_count(e->delta, t->cnps, 0) +
			counter_delta_count(e->delta, t->more_cnps, 0);
	uint64_t right =
		symptom_input_over_priorities(e, t->bytes, lossless) + cnps * CNP_BYTES_MAX;
	uint64_t lossy = symptom_input_over_priorities(e, t->bytes, (uint8_t)~lossless);
	uint64_t missing = all > right ? all - right : 0;

	return missing ? 100 * (double)(missing < lossy ? missing : lossy) / (double)all : 0;
}

/* Compares the function's RDMA bytes with all bytes of the wire's priorities. */
static bool travels_outside(const struct symptom_input *e, const struct traffic *t,
			    char text[SYMPTOM_TEXT_MAX])
{
	double percent = outside_percent(e, t);

	return symptom_input_lossless(e) && knows_all_bytes(e, t) &&
	       counter_delta_rate(e->delta, t->packets) >=
		       e->thresholds->value[THRESHOLD_MIN_RDMA_PACKETS_PER_S] &&
	       percent >= e->thresholds->value[THRESHOLD_WRONG_PRIORITY_PERCENT] &&
	       symptom_input_write_text(
		       text,
		       "at least %.0f %% of the RDMA bytes %s are outside the lossless priorities",
		       percent, t->way);
}

static bool shows_wrong_priority(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	static const struct traffic ways[] = {
		{ COUNT_TX_RDMA_BYTES, COUNT_TX_BYTES, COUNT_TX_RDMA_PACKETS, COUNT_CNP_SENT,
		  COUNT_CNP_SENT, "sent" },
		{ COUNT_RX_RDMA_BYTES, COUNT_RX_BYTES, COUNT_RX_RDMA_PACKETS, COUNT_CNP_HANDLED,
		  COUNT_CNP_IGNORED, "received" },
	};

	return travels_outside(e, &ways[0], text) || travels_outside(e, &ways[1], text);
}

/*
 * Congested since the first crossing, or still: the driver counts a crossing of the low threshold
 * only after one of the high (en/pcie_cong_event.c). Traffic to the adapter causes no pause.
 */
static bool shows_pci_congestion(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	uint64_t n = counter_delta_count(e->delta, COUNT_PCI_OUTBOUND_HIGH, 0);
	bool lasts = counter_delta_latest(e->delta, COUNT_PCI_OUTBOUND_HIGH) >
		     counter_delta_latest(e->delta, COUNT_PCI_OUTBOUND_LOW);

	if (n)
		return symptom_input_write_text(text,
						"PCIe traffic to memory rose above the adapter's "
						"threshold %llu time%s, and the peer was paused "
						"meanwhile",
						(unsigned long long)n, n == 1 ? "" : "s");
	return lasts &&
	       symptom_input_write_text(text, "PCIe traffic to memory is above the adapter's "
					      "threshold, and the peer was paused meanwhile");
}

/*
 * A PCIe stall only concerns the fabric if the port also sends pause. The gauge covers the last
 * second alone, so count the seconds that the adapter itself calls stalled.
 */
static bool shows_host_is_bottleneck(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	uint64_t stalled = counter_delta_count(e->delta, COUNT_PCI_STALLED_WRITE_EVENTS, 0);
	uint64_t overflows = counter_delta_count(e->delta, COUNT_PCI_OVERFLOW, 0);
	uint64_t paused = symptom_input_over_priorities(e, COUNT_TX_PAUSE_US, 0xff) +
			  counter_delta_count(e->delta, COUNT_TX_GLOBAL_PAUSE_US, 0);

	if (!paused)
		return false;
	if (100 * symptom_input_per_second(e, stalled) >=
	    e->thresholds->value[THRESHOLD_PCI_STALLED_PERCENT])
		return symptom_input_write_text(text,
						"in %llu of %.0f s the adapter waited for over "
						"30 %% of the time to write to memory, and paused "
						"the peer meanwhile",
						(unsigned long long)stalled, e->delta->seconds);
	if (overflows)
		return symptom_input_write_text(text,
						"%llu packets were dropped on the way to memory, "
						"and the peer was paused meanwhile",
						(unsigned long long)overflows);
	return shows_pci_congestion(e, text);
}

static bool wants_global_pause(const struct config *desired)
{
	return desired && (((desired->has & SETTING(SETTING_PAUSE_RX)) && desired->pause.rx) ||
			   ((desired->has & SETTING(SETTING_PAUSE_TX)) && desired->pause.tx));
}

static bool shows_global_pause(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	uint64_t rx = counter_delta_count(e->delta, COUNT_RX_GLOBAL_PAUSE, 0);
	uint64_t tx = counter_delta_count(e->delta, COUNT_TX_GLOBAL_PAUSE, 0);

	return !wants_global_pause(e->desired) &&
	       symptom_input_per_second(e, rx + tx) >=
		       e->thresholds->value[THRESHOLD_PAUSE_FRAMES_PER_S] &&
	       symptom_input_write_text(
		       text,
		       "%llu pause frames were received and %llu sent, each for all priorities",
		       (unsigned long long)rx, (unsigned long long)tx);
}

/* Only a policy that turns ECN off excuses missing CNPs: ECN may be off on the port by mistake. */
static bool cnp_not_expected(const struct symptom_input *e)
{
	return e->desired && (e->desired->has & SETTING(SETTING_ECN_NP)) && !e->desired->ecn.np;
}

static bool wants_no_reaction(const struct symptom_input *e)
{
	return e->desired && (e->desired->has & SETTING(SETTING_ECN_RP_PRIORITIES)) &&
	       !e->desired->ecn.rp_priorities;
}

/* A slow restart of a connection counts as handled CNPs that nobody sent. */
static uint64_t without_own(uint64_t handled, uint64_t own)
{
	return handled > own ? handled - own : 0;
}

/*
 * Newer firmware negotiates the algorithm of each connection, and some need no CNPs (ZTR-RTT). Only
 * a count since the driver was loaded shows that DCQCN runs.
 */
static bool dcqcn_has_run(const struct counter_delta *s)
{
	return counter_delta_latest(s, COUNT_CNP_SENT) ||
	       without_own(counter_delta_latest(s, COUNT_CNP_HANDLED),
			   counter_delta_latest(s, COUNT_SLOW_RESTART_CNPS)) ||
	       counter_delta_latest(s, COUNT_ECN_MARKED);
}

static double pause_frames_per_s(const struct symptom_input *e)
{
	uint8_t lossless = symptom_input_lossless(e);

	return symptom_input_per_second(e,
					symptom_input_over_priorities(e, COUNT_RX_PAUSE, lossless) +
						symptom_input_over_priorities(e, COUNT_TX_PAUSE,
									      lossless));
}

static bool pauses_without_cnp(const struct symptom_input *e)
{
	const struct counter_delta *s = e->delta;

	return symptom_input_is_busy(e) && !cnp_not_expected(e) && !wants_no_reaction(e) &&
	       counter_delta_known(s, COUNT_CNP_SENT, 0) &&
	       counter_delta_known(s, COUNT_CNP_HANDLED, 0) &&
	       pause_frames_per_s(e) >= e->thresholds->value[THRESHOLD_PAUSE_FRAMES_PER_S] &&
	       !counter_delta_count(s, COUNT_CNP_SENT, 0) &&
	       !counter_delta_count(s, COUNT_CNP_IGNORED, 0) &&
	       !without_own(counter_delta_count(s, COUNT_CNP_HANDLED, 0),
			    counter_delta_count(s, COUNT_SLOW_RESTART_CNPS, 0)) &&
	       !counter_delta_count(s, COUNT_ECN_MARKED, 0);
}

static bool shows_pause_without_cnp(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	return pauses_without_cnp(e) && dcqcn_has_run(e->delta) &&
	       symptom_input_write_text(
		       text, "%.0f PFC frames a second, but no ECN-marked packet and no CNP",
		       pause_frames_per_s(e));
}

static bool cannot_judge_pause_without_cnp(const struct symptom_input *e,
					   char text[SYMPTOM_TEXT_MAX])
{
	return pauses_without_cnp(e) && !dcqcn_has_run(e->delta) &&
	       symptom_input_write_text(text,
					"%.0f PFC frames a second, but no CNP since the driver was "
					"loaded: connections may use another congestion control "
					"than DCQCN",
					pause_frames_per_s(e));
}

static bool shows_marks_without_cnp(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	double marked = counter_delta_rate(e->delta, COUNT_ECN_MARKED);

	return !cnp_not_expected(e) && counter_delta_known(e->delta, COUNT_CNP_SENT, 0) &&
	       marked >= e->thresholds->value[THRESHOLD_ECN_MARKED_PACKETS_PER_S] &&
	       !counter_delta_count(e->delta, COUNT_CNP_SENT, 0) &&
	       symptom_input_write_text(
		       text, "%.0f packets a second arrived ECN-marked, but no CNP was sent",
		       marked);
}

static bool shows_cnps_ignored(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	uint64_t ignored = counter_delta_count(e->delta, COUNT_CNP_IGNORED, 0);
	uint64_t handled = counter_delta_count(e->delta, COUNT_CNP_HANDLED, 0);

	return !wants_no_reaction(e) &&
	       symptom_input_per_second(e, ignored) >=
		       e->thresholds->value[THRESHOLD_CNP_IGNORED_PER_S] &&
	       ignored > handled &&
	       symptom_input_write_text(text, "%llu CNPs were ignored, %llu handled",
					(unsigned long long)ignored, (unsigned long long)handled);
}

/* Uses the counter that rose most: one damaged frame may be in several. */
static uint64_t worst_link_errors(const struct symptom_input *e, enum counter_id *ret_worst)
{
	uint64_t most = 0;

	*ret_worst = link_error_counters[0];
	for (size_t i = 0; i < LINK_ERROR_COUNTERS; i++)
		if (counter_delta_count(e->delta, link_error_counters[i], 0) > most) {
			most = counter_delta_count(e->delta, link_error_counters[i], 0);
			*ret_worst = link_error_counters[i];
		}
	return most;
}

static bool shows_link_errors(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	enum counter_id worst;
	uint64_t n = worst_link_errors(e, &worst);

	return 60 * symptom_input_per_second(e, n) >=
		       e->thresholds->value[THRESHOLD_LINK_ERRORS_PER_MINUTE] &&
	       symptom_input_write_text(text, "%s rose by %llu in %.0f s", counters[worst].name,
					(unsigned long long)n, e->delta->seconds);
}

static bool shows_icrc_errors(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	uint64_t n = counter_delta_count(e->delta, COUNT_ICRC_ERRORS, 0);

	return 60 * symptom_input_per_second(e, n) >=
		       e->thresholds->value[THRESHOLD_ICRC_ERRORS_PER_MINUTE] &&
	       symptom_input_write_text(text,
					"%llu RoCE packets arrived with a bad invariant checksum",
					(unsigned long long)n);
}

/* A received RNR NAK means that the remote host had no receive buffer. */
static enum symptom_origin points_to_receiver(const struct symptom_input *e)
{
	return counter_delta_count(e->delta, COUNT_RNR_NAKS, 0) >
			       counter_delta_count(e->delta, COUNT_OUT_OF_BUFFER, 0)
		       ? ORIGIN_REMOTE
		       : ORIGIN_HOST;
}

static bool shows_receiver_not_ready(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	bool remote = points_to_receiver(e) == ORIGIN_REMOTE;
	uint64_t n =
		counter_delta_count(e->delta, remote ? COUNT_RNR_NAKS : COUNT_OUT_OF_BUFFER, 0);

	return symptom_input_per_second(e, n) >=
		       e->thresholds->value[THRESHOLD_RECEIVER_NOT_READY_PER_S] &&
	       symptom_input_write_text(
		       text,
		       remote ? "the remote host refused %llu packets: it had no receive "
				"buffer posted"
			      : "%llu packets found no receive buffer posted on this host",
		       (unsigned long long)n);
}

static enum symptom_origin points_to_own_cable(const struct symptom_input *e)
{
	enum counter_id worst;

	return worst_link_errors(e, &worst) ? ORIGIN_CABLE : ORIGIN_FABRIC;
}

static bool shows_out_of_sequence(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	static const enum counter_id signs[] = { COUNT_OUT_OF_SEQUENCE,
						 COUNT_PACKET_SEQUENCE_ERRORS, COUNT_IMPLIED_NAKS,
						 COUNT_ACK_TIMEOUTS };
	uint64_t packets = counter_delta_count(e->delta, COUNT_RX_RDMA_PACKETS, 0) +
			   counter_delta_count(e->delta, COUNT_TX_RDMA_PACKETS, 0);
	uint64_t lost = 0;
	enum counter_id own;

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		lost += counter_delta_count(e->delta, signs[i], 0);
	if (!symptom_input_lossless(e) ||
	    symptom_input_per_second(e, packets) <
		    e->thresholds->value[THRESHOLD_MIN_RDMA_PACKETS_PER_S] ||
	    1e6 * (double)lost / (double)packets <
		    e->thresholds->value[THRESHOLD_RDMA_OUT_OF_ORDER_PER_MILLION])
		return false;
	if (worst_link_errors(e, &own))
		return symptom_input_write_text(text,
						"%llu of %llu RDMA packets arrived out of order or "
						"were sent again, and %s of this port rose by %llu",
						(unsigned long long)lost,
						(unsigned long long)packets, counters[own].name,
						(unsigned long long)worst_link_errors(e, &own));
	return symptom_input_write_text(
		text, "%llu of %llu RDMA packets arrived out of order or were sent again",
		(unsigned long long)lost, (unsigned long long)packets);
}

static bool shows_link_flaps(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	return e->link_downs >= e->thresholds->value[THRESHOLD_LINK_DOWN_EVENTS] &&
	       symptom_input_write_text(text, "the link went down %llu time%s",
					(unsigned long long)e->link_downs,
					e->link_downs == 1 ? "" : "s");
}

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
	  "run. CNPs of slow restarts do not count.",
	  "Check the switch's ECN thresholds, and roce.tos on this host: its last two bits must be "
	  "2.",
	  .cannot_judge = cannot_judge_pause_without_cnp, .from_rdma = true },
	{ "ecn-marks-without-cnp", SEVERITY_WARNING, ORIGIN_HOST, false, SUSTAINED,
	  shows_marks_without_cnp, "ECN-marked packets arrive, but this host sends no CNPs.",
	  "The notification point (NP) is off on this port.",
	  "Set ecn.np, or check the firmware's ROCE_CC_PRIO_MASK; run `losslessctl show` to see "
	  "the actual settings.",
	  .from_rdma = true },
	{ "cnp-ignored", SEVERITY_WARNING, ORIGIN_HOST, false, SUSTAINED, shows_cnps_ignored,
	  "CNPs arrive, but this host does not send more slowly.",
	  "The reaction point (RP) is off for the priority of the traffic.",
	  "Set ecn.rp_priorities, or check the firmware's ROCE_CC_PRIO_MASK.", .from_rdma = true },
	{ "roce-on-wrong-priority", SEVERITY_WARNING, ORIGIN_HOST, false, SUSTAINED,
	  shows_wrong_priority, "RDMA traffic uses priorities that are not lossless.",
	  "roce.tos affects connections of rdma_cm only. Applications that create queue pairs "
	  "themselves choose their own class (NCCL: NCCL_IB_TC, and NCCL_IB_SL for the PCP of a "
	  "VLAN), or DSCP and priority do not match.",
	  "Compare NCCL_IB_TC, UCX_IB_TRAFFIC_CLASS and roce.traffic_class with dscp.prio; where "
	  "the port trusts PCP, NCCL_IB_SL and UCX_IB_SL with pfc.priorities." },
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
	  "Find the switch that the affected hosts share, and check its memory (ECC) errors.",
	  .from_rdma = true },
	{ "rdma-out-of-order", SEVERITY_WARNING, ORIGIN_FABRIC, false, SUSTAINED,
	  shows_out_of_sequence,
	  "RDMA packets are dropped or overtaken, although their class should be lossless.",
	  "Receive errors of this port's cable, a hop that is not lossless, a wrong priority on "
	  "the path, or adaptive routing without support for it.",
	  "Check rx_crc_errors_phy, rx_symbol_err_phy and uncorrectable_blocks of this port, then "
	  "drops and checksum errors of the switches on the path; run `losslessctl peer` for the "
	  "first hop.",
	  .origin_of = points_to_own_cable, .from_rdma = true },
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
	  .origin_of = points_to_receiver, .from_rdma = true },
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

static unsigned shown_in(const struct symptom_state *s, size_t i, unsigned windows)
{
	return (unsigned)__builtin_popcount(s->windows[i] & ((1u << windows) - 1));
}

/* False if a window without the symptom proves nothing: the port or the counters were reset. */
static bool is_judged(const struct symptom *s, const struct symptom_input *e)
{
	return (e->steady || s->even_unsteady) && !(s->from_rdma && e->delta->restarted[FROM_RDMA]);
}

/*
 * Adds the newest window; true if the symptom is raised now. A window that was not judged changes
 * nothing, except that it separates windows which have to follow each other.
 */
static bool is_raised(struct symptom_state *s, size_t i, const struct symptom_input *e, bool shows)
{
	const struct symptom *row = &symptoms[i];
	const struct hysteresis *h = &row->windows;

	if (!shows && !is_judged(row, e) && (s->raised[i] || h->raise < h->of))
		return s->raised[i];
	s->windows[i] = (uint8_t)(s->windows[i] << 1 | shows);
	if (s->raised[i])
		return shown_in(s, i, h->clear) > 0;
	return shows &&
	       (shown_in(s, i, h->of) >= h->raise || (row->is_certain && row->is_certain(e)));
}

static const struct active_symptom *find_active(const struct active_symptom *list, size_t count,
						const struct symptom *symptom)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].symptom == symptom)
			return &list[i];
	return NULL;
}

size_t symptom_state_add(struct symptom_state *s, const struct symptom_input *e,
			 struct active_symptom active_symptoms[SYMPTOMS_MAX], size_t count)
{
	struct thresholds to_clear = thresholds_to_clear(e->thresholds);
	struct active_symptom before[SYMPTOMS_MAX];
	size_t now = 0;

	memcpy(before, active_symptoms, count * sizeof(before[0]));
	for (size_t i = 0; i < symptoms_count; i++) {
		const struct active_symptom *last = find_active(before, count, &symptoms[i]);
		struct active_symptom *c = &active_symptoms[now];
		struct symptom_input judged = *e;
		bool shows;

		judged.thresholds = s->raised[i] ? &to_clear : e->thresholds;
		shows = symptom_shows(&symptoms[i], &judged, c);
		s->raised[i] = is_raised(s, i, &judged, shows);
		if (s->raised[i] && !shows && last)
			*c = *last;
		now += s->raised[i];
	}
	return now;
}
