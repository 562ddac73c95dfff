/* Tests of the flight recorder's rows, with time and counters of the test's own. */
#include <math.h>
#include <stdlib.h>

#include "agent/daemon/flight_samples.h"
#include "tests/support/unit.h"

#define STEP 5000

static struct flight flight;
static struct sample now;

static int begin(void)
{
	flight_begin(&flight);
	now = (struct sample){ .at_ms = 1000000 };
	for (size_t i = 0; i < COUNTER_SLOTS; i++)
		now.has[i] = true;
	flight_add(&flight, &now, 0, false);
	return 0;
}

static void count(enum counter_id id, unsigned prio, uint64_t n)
{
	now.value[counter_slot(id, prio)] += n;
}

static void after(uint64_t ms)
{
	now.at_ms += ms;
	flight_add(&flight, &now, 0, false);
}

static const struct flight_sample *last(void)
{
	assert_true(flight.count > 0);
	return flight_row(&flight, flight.count - 1);
}

static void the_first_sample_is_no_row(void **s)
{
	(void)s;
	begin();
	assert_int_equal(flight.count, 0);
}

static void a_row_has_the_rates_of_its_interval(void **s)
{
	struct rates r;

	(void)s;
	begin();
	count(COUNT_TX_PAUSE_US, 5, 2500000);
	count(COUNT_CNP_SENT, 0, 35);
	after(STEP);
	r = flight_rates(last());
	assert_true(r.value[RATE_PAUSE_SENT] == 50);
	assert_int_equal(r.sent_on, 5);
	assert_int_equal(r.received_on, ON_NONE);
	assert_true(r.value[RATE_CNP_SENT] == 7);
	assert_int_equal(last()->interval_ms, STEP);
	assert_int_equal(last()->at_ms, 1005000);
}

static void the_oldest_row_gives_way_to_the_newest(void **s)
{
	(void)s;
	begin();
	for (unsigned i = 1; i <= 3 * FLIGHT_SAMPLES + 7; i++) {
		count(COUNT_CNP_SENT, 0, 5 * i);
		after(STEP);
		assert_int_equal(flight.count, i < FLIGHT_SAMPLES ? i : FLIGHT_SAMPLES);
		for (unsigned k = 0; k < flight.count; k++) {
			const struct flight_sample *row = flight_row(&flight, k);
			unsigned number = i - (unsigned)flight.count + 1 + k;

			assert_int_equal(row->at_ms, 1000000 + number * STEP);
			assert_true(flight_rates(row).value[RATE_CNP_SENT] == number);
		}
	}
}

static void samples_that_are_closer_are_merged(void **s)
{
	(void)s;
	begin();
	for (int i = 0; i < 10; i++) {
		count(COUNT_CNP_SENT, 0, 3);
		after(1000);
	}
	assert_int_equal(flight.count, 2);
	assert_int_equal(last()->interval_ms, 5000);
	assert_true(flight_rates(last()).value[RATE_CNP_SENT] == 3);
}

static void a_timer_that_is_early_costs_no_row(void **s)
{
	(void)s;
	begin();
	for (int i = 0; i < 10; i++)
		after(STEP - 3);
	assert_int_equal(flight.count, 10);
}

static void the_interval_may_change(void **s)
{
	(void)s;
	begin();
	count(COUNT_CNP_SENT, 0, 60);
	after(30000);
	assert_true(flight_rates(last()).value[RATE_CNP_SENT] == 2);
	count(COUNT_CNP_SENT, 0, 60);
	after(STEP);
	assert_true(flight_rates(last()).value[RATE_CNP_SENT] == 12);
	assert_int_equal(flight_row(&flight, 0)->interval_ms, 30000);
}

static void an_incident_has_its_row_at_once(void **s)
{
	(void)s;
	begin();
	count(COUNT_CNP_SENT, 0, 3);
	now.at_ms += 1000;
	flight_add(&flight, &now, 1u << 4, true);
	assert_int_equal(flight.count, 1);
	assert_int_equal(last()->interval_ms, 1000);
	assert_int_equal(last()->symptoms, 1u << 4);
	flight_add(&flight, &now, 1u << 4, true); /* the same moment again adds no row */
	assert_int_equal(flight.count, 1);
}

static void a_counter_that_was_reset_is_unknown_and_not_zero(void **s)
{
	(void)s;
	begin();
	count(COUNT_CNP_SENT, 0, 100);
	count(COUNT_TX_PAUSE_US, 3, 100);
	after(STEP);
	now.value[counter_slot(COUNT_CNP_SENT, 0)] = 1;
	after(STEP);
	assert_true(isnan(flight_rates(last()).value[RATE_CNP_SENT]));
	assert_false(isnan(flight_rates(last()).value[RATE_PAUSE_SENT]));
	count(COUNT_CNP_SENT, 0, 10);
	after(STEP);
	assert_true(flight_rates(last()).value[RATE_CNP_SENT] == 2);
}

static void a_counter_that_is_absent_is_unknown(void **s)
{
	(void)s;
	begin();
	now.has[counter_slot(COUNT_CNP_SENT, 0)] = false;
	after(STEP);
	assert_true(isnan(flight_rates(last()).value[RATE_CNP_SENT]));
}

/* Counts from before the driver's restart are not compared with later ones. */
static void a_driver_that_was_restarted_begins_anew(void **s)
{
	(void)s;
	begin();
	after(STEP);
	flight_interrupt(&flight);
	count(COUNT_CNP_SENT, 0, 1000);
	after(STEP);
	assert_int_equal(flight.count, 1);
	after(STEP);
	assert_int_equal(flight.count, 2);
	assert_true(flight_rates(last()).value[RATE_CNP_SENT] == 0);
}

static void samples_that_are_missing_leave_a_longer_interval(void **s)
{
	(void)s;
	begin();
	after(STEP);
	count(COUNT_CNP_SENT, 0, 100);
	after(10 * STEP);
	assert_int_equal(flight.count, 2);
	assert_int_equal(last()->interval_ms, 10 * STEP);
	assert_true(flight_rates(last()).value[RATE_CNP_SENT] == 2);
}

static void rates_do_not_overflow(void **s)
{
	(void)s;
	begin();
	count(COUNT_RX_RDMA_BYTES, 0, (uint64_t)800 * 1000000000 / 8 * 5); /* 800 Gb/s */
	count(COUNT_STORM_EVENTS, 0, 100000);
	count(COUNT_LINK_DOWNS, 0, 2);
	count(COUNT_CARRIER_DOWNS, 0, 9);
	after(STEP);
	assert_true(fabs(flight_rates(last()).value[RATE_RDMA_RECEIVED] - 800) < 0.01);
	assert_int_equal(last()->watchdog_trips, UINT16_MAX);
	assert_int_equal(last()->link_downs, 2); /* the driver's counter, not the kernel's */
}

static void link_downs_without_a_drivers_counter_are_the_kernels(void **s)
{
	(void)s;
	begin();
	now.has[counter_slot(COUNT_LINK_DOWNS, 0)] = false;
	count(COUNT_CARRIER_DOWNS, 0, 9);
	after(STEP);
	assert_int_equal(last()->link_downs, 9);
}

static void rates_are_rounded_to_a_fifth_of_a_percent(void **s)
{
	struct flight_sample row = { .at_ms = 0 };
	struct rates r = rates_unknown();

	(void)s;
	for (double rate = 1e-3; rate < 1e15; rate *= 1.0001) {
		r.value[RATE_DROPS] = rate;
		flight_set_rates(&row, &r);
		assert_true(fabs(flight_rate(&row, RATE_DROPS) - rate) <= rate / 500);
	}
	r.value[RATE_DROPS] = 0;
	r.value[RATE_CNP_SENT] = -NAN;
	flight_set_rates(&row, &r);
	assert_true(flight_rate(&row, RATE_DROPS) == 0);
	assert_true(isnan(flight_rate(&row, RATE_CNP_SENT)));
}

/* 64 ports take little more than half a mebibyte. */
static void it_is_small(void **s)
{
	(void)s;
	assert_true(64 * sizeof(struct flight) < 520 << 10);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, the_first_sample_is_no_row);
	SUITE_ADD(&s, a_row_has_the_rates_of_its_interval);
	SUITE_ADD(&s, the_oldest_row_gives_way_to_the_newest);
	SUITE_ADD(&s, samples_that_are_closer_are_merged);
	SUITE_ADD(&s, a_timer_that_is_early_costs_no_row);
	SUITE_ADD(&s, the_interval_may_change);
	SUITE_ADD(&s, an_incident_has_its_row_at_once);
	SUITE_ADD(&s, a_counter_that_was_reset_is_unknown_and_not_zero);
	SUITE_ADD(&s, a_counter_that_is_absent_is_unknown);
	SUITE_ADD(&s, a_driver_that_was_restarted_begins_anew);
	SUITE_ADD(&s, samples_that_are_missing_leave_a_longer_interval);
	SUITE_ADD(&s, rates_do_not_overflow);
	SUITE_ADD(&s, link_downs_without_a_drivers_counter_are_the_kernels);
	SUITE_ADD(&s, rates_are_rounded_to_a_fifth_of_a_percent);
	SUITE_ADD(&s, it_is_small);
	return suite_run(&s, "flight");
}
