#include "rates.h"

#include <math.h>

#define PARTS_MAX     4
#define GBIT_PER_BYTE 8e-9

const char *const rate_keys[RATE_COUNT] = {
	[RATE_PAUSE_SENT] = "pause_sent_percent",
	[RATE_PAUSE_RECEIVED] = "pause_received_percent",
	[RATE_CNP_SENT] = "cnp_sent_per_s",
	[RATE_CNP_HANDLED] = "cnp_handled_per_s",
	[RATE_CNP_IGNORED] = "cnp_ignored_per_s",
	[RATE_ECN_MARKED] = "ecn_marked_per_s",
	[RATE_RDMA_RECEIVED] = "rdma_received_gbps",
	[RATE_RDMA_SENT] = "rdma_sent_gbps",
	[RATE_RDMA_PACKETS_RECEIVED] = "rdma_packets_received_per_s",
	[RATE_RDMA_PACKETS_SENT] = "rdma_packets_sent_per_s",
	[RATE_DROPS] = "drops_per_s",
	[RATE_OUT_OF_ORDER] = "rdma_out_of_order_per_s",
	[RATE_PFC_SENT] = "pfc_frames_sent_per_s",
	[RATE_PFC_RECEIVED] = "pfc_frames_received_per_s",
	[RATE_LINK_ERRORS] = "link_errors_per_s",
	[RATE_PCI_STALLED] = "pci_stalled_percent",
};

/* A rate that is the sum of these counters, per second. */
struct sum_of {
	enum rate rate;
	double scale;
	unsigned count;
	enum counter_id parts[PARTS_MAX];
};

static const struct sum_of sums[] = {
	{ RATE_CNP_SENT, 1, 1, { COUNT_CNP_SENT } },
	{ RATE_CNP_HANDLED, 1, 1, { COUNT_CNP_HANDLED } },
	{ RATE_CNP_IGNORED, 1, 1, { COUNT_CNP_IGNORED } },
	{ RATE_ECN_MARKED, 1, 1, { COUNT_ECN_MARKED } },
	{ RATE_RDMA_RECEIVED, GBIT_PER_BYTE, 1, { COUNT_RX_RDMA_BYTES } },
	{ RATE_RDMA_SENT, GBIT_PER_BYTE, 1, { COUNT_TX_RDMA_BYTES } },
	{ RATE_RDMA_PACKETS_RECEIVED, 1, 1, { COUNT_RX_RDMA_PACKETS } },
	{ RATE_RDMA_PACKETS_SENT, 1, 1, { COUNT_TX_RDMA_PACKETS } },
	{ RATE_OUT_OF_ORDER,
	  1,
	  4,
	  { COUNT_OUT_OF_SEQUENCE, COUNT_PACKET_SEQUENCE_ERRORS, COUNT_IMPLIED_NAKS,
	    COUNT_ACK_TIMEOUTS } },
	{ RATE_PFC_SENT, 1, 1, { COUNT_TX_PAUSE } },
	{ RATE_PFC_RECEIVED, 1, 1, { COUNT_RX_PAUSE } },
};

/* A counter summed over its priorities; NAN if none is known. */
static double total(const struct counter_delta *s, enum counter_id id)
{
	unsigned prios = id < COUNTERS_PER_PRIO ? PRIOS : 1;
	double sum = (double)NAN;

	for (unsigned p = 0; p < prios; p++)
		if (counter_delta_known(s, id, p))
			sum = (isnan(sum) ? 0 : sum) + (double)counter_delta_count(s, id, p);
	return sum;
}

static double sum(const struct counter_delta *s, const enum counter_id *parts, unsigned count)
{
	double all = (double)NAN;

	for (unsigned i = 0; i < count; i++) {
		double one = total(s, parts[i]);

		if (!isnan(one))
			all = (isnan(all) ? 0 : all) + one;
	}
	return all;
}

double rate_larger(double a, double b)
{
	return isnan(a) || b > a ? b : a;
}

/* The port's discards include those of the priorities, so use the larger of the two. */
static double drop_total(const struct counter_delta *s)
{
	static const enum counter_id others[] = { COUNT_TX_DISCARDS_PORT, COUNT_RX_BUFFER_DISCARDS,
						  COUNT_RX_CONGESTION_DISCARDS };
	double arrivals =
		rate_larger(total(s, COUNT_RX_DISCARDS_PORT), total(s, COUNT_RX_DISCARDS));
	double rest = sum(s, others, 3);

	return isnan(arrivals) ? rest : isnan(rest) ? arrivals : arrivals + rest;
}

/* One damaged frame may be in several of these counters: use the largest. */
static double link_error_total(const struct counter_delta *s)
{
	double worst = (double)NAN;

	for (size_t i = 0; i < LINK_ERROR_COUNTERS; i++)
		worst = rate_larger(worst, total(s, link_error_counters[i]));
	return worst;
}

/* Percent of the time, of the worst priority: priorities pause in parallel and do not add up. */
static double paused(const struct counter_delta *s, enum counter_id us, enum counter_id global_us,
		     int *ret_on)
{
	double worst = (double)NAN;

	*ret_on = ON_NONE;
	for (int p = 0; p <= ON_ALL; p++) {
		enum counter_id id = p == ON_ALL ? global_us : us;
		unsigned prio = p == ON_ALL ? 0 : (unsigned)p;

		if (!counter_delta_known(s, id, prio))
			continue;
		if (counter_delta_count(s, id, prio) &&
		    !((double)counter_delta_count(s, id, prio) <= worst))
			*ret_on = p;
		worst = rate_larger(worst, (double)counter_delta_count(s, id, prio));
	}
	worst = 100 * worst / (s->seconds * 1e6);
	return worst > 100 ? 100 : worst;
}

struct rates rates_unknown(void)
{
	struct rates f = { .sent_on = ON_NONE, .received_on = ON_NONE };

	for (size_t i = 0; i < RATE_COUNT; i++)
		f.value[i] = (double)NAN;
	return f;
}

struct rates rates_of(const struct counter_delta *s)
{
	struct rates f = rates_unknown();
	double worst;

	if (s->seconds <= 0)
		return f;
	for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); i++)
		f.value[sums[i].rate] =
			sum(s, sums[i].parts, sums[i].count) * sums[i].scale / s->seconds;
	worst = paused(s, COUNT_TX_PAUSE_US, COUNT_TX_GLOBAL_PAUSE_US, &f.sent_on);
	f.value[RATE_PAUSE_SENT] = worst;
	worst = paused(s, COUNT_RX_PAUSE_US, COUNT_RX_GLOBAL_PAUSE_US, &f.received_on);
	f.value[RATE_PAUSE_RECEIVED] = worst;
	f.value[RATE_DROPS] = drop_total(s) / s->seconds;
	f.value[RATE_LINK_ERRORS] = link_error_total(s) / s->seconds;
	f.value[RATE_PCI_STALLED] =
		rate_larger(total(s, COUNT_PCI_STALLED_READ), total(s, COUNT_PCI_STALLED_WRITE));
	return f;
}

/* Rounds by hand: the program does not link libm. */
json_t *rates_number(double value)
{
	double thousandths = value * 1000 + 0.5;

	if (isnan(value))
		return json_null();
	return json_real(thousandths < 1e15 ? (double)(int64_t)thousandths / 1000 : value);
}

/* Returns the priority that was paused most; null for none and for global pause. */
static json_t *priority_to_json(int on)
{
	return on == ON_NONE || on == ON_ALL ? json_null() : json_integer(on);
}

void rates_to_json(json_t *object, const struct rates *f)
{
	for (size_t i = 0; i < RATE_COUNT; i++)
		json_object_set_new(object, rate_keys[i], rates_number(f->value[i]));
	json_object_set_new(object, "pause_sent_priority", priority_to_json(f->sent_on));
	json_object_set_new(object, "pause_received_priority", priority_to_json(f->received_on));
}

#define RATE_MAX 0x1p50 /* more than any adapter has; rounding does not lead beyond it */

static bool number_from_json(const json_t *j, double *ret)
{
	*ret = json_is_null(j) ? (double)NAN : json_number_value(j);
	return json_is_null(j) || (json_is_number(j) && *ret >= 0 && *ret <= RATE_MAX);
}

/* A rate without a priority is of global pause, if it is one at all. */
static bool priority_from_json(const json_t *j, double paused, int *ret)
{
	*ret = json_is_integer(j) ? (int)json_integer_value(j) : paused > 0 ? ON_ALL : ON_NONE;
	return json_is_null(j) ||
	       (json_is_integer(j) && json_integer_value(j) >= 0 && json_integer_value(j) < PRIOS);
}

bool rates_from_json(const json_t *object, struct rates *ret)
{
	for (size_t i = 0; i < RATE_COUNT; i++)
		if (!number_from_json(json_object_get(object, rate_keys[i]), &ret->value[i]))
			return false;
	return priority_from_json(json_object_get(object, "pause_sent_priority"),
				  ret->value[RATE_PAUSE_SENT], &ret->sent_on) &&
	       priority_from_json(json_object_get(object, "pause_received_priority"),
				  ret->value[RATE_PAUSE_RECEIVED], &ret->received_on);
}
