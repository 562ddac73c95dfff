#include "symptom_input.h"

#include <stdarg.h>
#include <stdio.h>

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

uint8_t symptom_input_lossless(const struct symptom_input *e)
{
	if (e->desired && (e->desired->has & SETTING(SETTING_PFC_PRIORITIES)))
		return e->desired->pfc.priorities;
	return e->actual->has & SETTING(SETTING_PFC_PRIORITIES) ? e->actual->pfc.priorities : 0;
}

double symptom_input_per_second(const struct symptom_input *e, uint64_t count)
{
	return e->delta->seconds > 0 ? (double)count / e->delta->seconds : 0;
}

/* The clocks of adapter and host differ: clamp to 100 %. */
double symptom_input_percent_of_time(const struct symptom_input *e, enum counter_id us,
				     unsigned prio)
{
	double share;

	if (e->delta->seconds <= 0)
		return 0;
	share = (double)counter_delta_count(e->delta, us, prio) / (e->delta->seconds * USEC);
	return share < 1 ? 100 * share : 100;
}

uint64_t symptom_input_over_priorities(const struct symptom_input *e, enum counter_id id,
				       uint8_t of)
{
	uint64_t sum = 0;

	for (unsigned p = 0; p < PRIOS; p++)
		sum += of & (1u << p) ? counter_delta_count(e->delta, id, p) : 0;
	return sum;
}

/* The RDMA counters are this function's: traffic of its VFs and SFs shows on the wire alone. */
bool symptom_input_is_busy(const struct symptom_input *e)
{
	uint8_t lossless = symptom_input_lossless(e);
	double rdma = counter_delta_rate(e->delta, COUNT_RX_RDMA_PACKETS) +
		      counter_delta_rate(e->delta, COUNT_TX_RDMA_PACKETS);
	uint64_t wire = symptom_input_over_priorities(e, COUNT_RX_PACKETS, lossless) +
			symptom_input_over_priorities(e, COUNT_TX_PACKETS, lossless);

	return rdma + symptom_input_per_second(e, wire) >=
	       e->thresholds->value[THRESHOLD_MIN_RDMA_PACKETS_PER_S];
}

bool symptom_input_write_text(char text[SYMPTOM_TEXT_MAX], const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, SYMPTOM_TEXT_MAX, fmt, ap);
	va_end(ap);
	return true;
}
