#include "symptom_checks.h"

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

bool shows_link_errors(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	enum counter_id worst;
	uint64_t n = worst_link_errors(e, &worst);

	return 60 * symptom_input_per_second(e, n) >=
		       e->thresholds->value[THRESHOLD_LINK_ERRORS_PER_MINUTE] &&
	       symptom_input_write_text(text, "%s rose by %llu in %.0f s", counters[worst].name,
					(unsigned long long)n, e->delta->seconds);
}

bool shows_icrc_errors(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	uint64_t n = counter_delta_count(e->delta, COUNT_ICRC_ERRORS, 0);

	return 60 * symptom_input_per_second(e, n) >=
		       e->thresholds->value[THRESHOLD_ICRC_ERRORS_PER_MINUTE] &&
	       symptom_input_write_text(text,
					"%llu RoCE packets arrived with a bad invariant checksum",
					(unsigned long long)n);
}

/* A received RNR NAK means that the remote host had no receive buffer. */
enum symptom_origin points_to_receiver(const struct symptom_input *e)
{
	return counter_delta_count(e->delta, COUNT_RNR_NAKS, 0) >
			       counter_delta_count(e->delta, COUNT_OUT_OF_BUFFER, 0)
		       ? ORIGIN_REMOTE
		       : ORIGIN_HOST;
}

bool shows_receiver_not_ready(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
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

enum symptom_origin points_to_own_cable(const struct symptom_input *e)
{
	enum counter_id worst;

	return worst_link_errors(e, &worst) ? ORIGIN_CABLE : ORIGIN_FABRIC;
}

bool shows_out_of_sequence(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
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

bool shows_link_flaps(const struct symptom_input *e, char text[SYMPTOM_TEXT_MAX])
{
	return e->link_downs >= e->thresholds->value[THRESHOLD_LINK_DOWN_EVENTS] &&
	       symptom_input_write_text(text, "the link went down %llu times",
					(unsigned long long)e->link_downs);
}
