#include "symptom_checks.h"

#include "../../policy/model/setting.h"

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
bool adapter_warned(const struct symptom_input *e)
{
	return counter_delta_count(e->delta, COUNT_STORM_WARNINGS, 0) > 0;
}

/* A short storm is a small part of a long window, so the adapter's own warning counts as well. */
bool shows_storm_sent(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
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

bool shows_deadlock(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
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

bool shows_storm_received(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	static const struct pause_direction received = { COUNT_RX_PAUSE_US,
							 COUNT_RX_GLOBAL_PAUSE_US,
							 THRESHOLD_PAUSE_RECEIVED_PERCENT,
							 "this port was" };

	return is_storm(e, &received, text);
}

/* Events are of all priorities. Errors are of priority 0 alone, and read a moment earlier. */
bool shows_watchdog_tripped(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
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

bool shows_lossless_drops(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
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

bool shows_pause_on_lossy(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
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

static double outside_percent(const struct symptom_input *e, const struct traffic *t)
{
	uint64_t all = counter_delta_count(e->delta, t->rdma, 0);
	uint64_t cnps = counter_delta_count(e->delta, t->cnps, 0) +
			counter_delta_count(e->delta, t->more_cnps, 0);
	uint64_t right = symptom_input_over_priorities(e, t->bytes, symptom_input_lossless(e)) +
			 cnps * CNP_BYTES_MAX;

	return all > right ? 100 * (double)(all - right) / (double)all : 0;
}

/* Compares the function's RDMA bytes with all bytes of the lossless priorities. */
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

bool shows_wrong_priority(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
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
bool shows_host_is_bottleneck(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
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

bool shows_global_pause(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
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
