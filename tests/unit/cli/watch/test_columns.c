/* Tests of the rates between two samples, and of their text. */
#include <math.h>
#include <string.h>

#include "cli/watch/columns.h"
#include "tests/support/unit.h"

/* A count of two seconds. */
struct counted {
	enum counter_id id;
	unsigned prio;
	uint64_t count;
};

static struct rates rates_are(const struct counted *list, size_t count)
{
	struct counter_delta s = { .seconds = 2 };

	for (size_t i = 0; i < count; i++) {
		size_t slot = counter_slot(list[i].id, list[i].prio);

		s.known[slot] = true;
		s.count[slot] = list[i].count;
	}
	return rates_of(&s);
}

#define RATES(...) \
	rates_are((const struct counted[]){ __VA_ARGS__ }, \
		  COUNT(((struct counted[]){ __VA_ARGS__ })))

static void what_is_absent_is_not_zero(void **s)
{
	struct rates f = RATES({ COUNT_CNP_SENT, 0, 0 });

	(void)s;
	for (size_t i = 0; i < RATE_COUNT; i++)
		assert_int_equal(isnan(f.value[i]) != 0, i != RATE_CNP_SENT);
	assert_true(f.value[RATE_CNP_SENT] == 0);
	assert_int_equal(f.sent_on, ON_NONE);
}

static void pause_is_that_of_the_worst_priority(void **s)
{
	struct rates f = RATES({ COUNT_TX_PAUSE_US, 2, 200000 }, { COUNT_TX_PAUSE_US, 3, 1000000 },
			       { COUNT_TX_PAUSE_US, 4, 999999 }, { COUNT_RX_PAUSE_US, 3, 0 });

	(void)s;
	assert_true(f.value[RATE_PAUSE_SENT] == 50);
	assert_int_equal(f.sent_on, 3);
	assert_true(f.value[RATE_PAUSE_RECEIVED] == 0);
	assert_int_equal(f.received_on, ON_NONE);
}

/* Several counters count the same damaged frame. */
static void link_errors_are_those_of_the_worst_counter(void **s)
{
	struct rates f = RATES({ COUNT_RX_CRC_ERRORS, 0, 2 }, { COUNT_RX_SYMBOL_ERRORS, 0, 6 });

	(void)s;
	assert_true(f.value[RATE_LINK_ERRORS] == 3);
	f = RATES({ COUNT_FEC_UNCORRECTABLE_BLOCKS, 0, 4 }, { COUNT_FEC_CORRECTED_BLOCKS, 0, 9 });
	assert_true(f.value[RATE_LINK_ERRORS] == 2);
}

static void global_pause_is_all_priorities(void **s)
{
	struct rates f =
		RATES({ COUNT_RX_PAUSE_US, 0, 100 }, { COUNT_RX_GLOBAL_PAUSE_US, 0, 500000 });

	(void)s;
	assert_true(f.value[RATE_PAUSE_RECEIVED] == 25);
	assert_int_equal(f.received_on, ON_ALL);
	assert_true(isnan(f.value[RATE_PAUSE_SENT]));
}

static void no_more_than_all_of_the_time(void **s)
{
	struct rates f = RATES({ COUNT_TX_PAUSE_US, 3, 2000500 });

	(void)s;
	assert_true(f.value[RATE_PAUSE_SENT] == 100);
}

static void rates_are_by_second_and_bytes_are_gigabits(void **s)
{
	struct rates f =
		RATES({ COUNT_CNP_HANDLED, 0, 30 }, { COUNT_RX_RDMA_BYTES, 0, 25000000000 });

	(void)s;
	assert_true(f.value[RATE_CNP_HANDLED] == 15);
	assert_true(fabs(f.value[RATE_RDMA_RECEIVED] - 100) < 1e-9);
}

static void frames_are_those_of_all_priorities(void **s)
{
	struct rates f = RATES({ COUNT_RX_PAUSE, 1, 10 }, { COUNT_RX_PAUSE, 5, 4 },
			       { COUNT_TX_PAUSE, 0, 2 });

	(void)s;
	assert_true(f.value[RATE_PFC_RECEIVED] == 7);
	assert_true(f.value[RATE_PFC_SENT] == 1);
}

static void a_drop_is_not_counted_twice(void **s)
{
	struct rates f = RATES({ COUNT_RX_DISCARDS, 3, 8 }, { COUNT_RX_DISCARDS_PORT, 0, 10 },
			       { COUNT_TX_DISCARDS_PORT, 0, 6 });

	(void)s;
	assert_true(f.value[RATE_DROPS] == 8);
	f = RATES({ COUNT_RX_DISCARDS, 3, 8 }, { COUNT_RX_DISCARDS_PORT, 0, 0 });
	assert_true(f.value[RATE_DROPS] == 4);
	f = RATES({ COUNT_RX_BUFFER_DISCARDS, 3, 8 });
	assert_true(f.value[RATE_DROPS] == 4);
}

static void no_time_is_no_rate(void **s)
{
	struct counter_delta none = { .seconds = 0 };
	struct rates f;

	(void)s;
	none.known[counter_slot(COUNT_CNP_SENT, 0)] = true;
	none.count[counter_slot(COUNT_CNP_SENT, 0)] = 5;
	f = rates_of(&none);
	assert_true(isnan(f.value[RATE_CNP_SENT]));
}

static void every_rate_has_a_key(void **s)
{
	(void)s;
	for (size_t i = 0; i < RATE_COUNT; i++)
		for (size_t k = 0; k <= i; k++)
			assert_int_equal(strcmp(rate_keys[i], rate_keys[k]) == 0, k == i);
}

static const struct number_row {
	const char *sentence;
	double value;
	const char *text;
} numbers[] = {
	{ "absent is a dash", (double)NAN, "-" },
	{ "nothing is 0", 0, "0" },
	{ "a trace is not nothing", 0.002, "0.00" },
	{ "little has two decimals", 0.034, "0.03" },
	{ "below ten has a decimal", 9.94, "9.9" },
	{ "ten has none", 9.96, "10" },
	{ "hundreds have none", 999.4, "999" },
	{ "thousands are k", 999.6, "1.0k" },
	{ "and above ten thousand without a decimal", 12345, "12k" },
	{ "millions are M", 1234567, "1.2M" },
	{ "billions are G", 98e9, "98G" },
	{ "more than that is T", 5e12, "5.0T" },
};

static void that_is_how_it_is_written(void **s)
{
	const struct number_row *row = *s;
	char cell[COLUMN_CELL_MAX];

	assert_string_equal(columns_number(row->value, cell), row->text);
}

int main(void)
{
	static struct suite suite;

	SUITE_ADD(&suite, what_is_absent_is_not_zero);
	SUITE_ADD(&suite, pause_is_that_of_the_worst_priority);
	SUITE_ADD(&suite, link_errors_are_those_of_the_worst_counter);
	SUITE_ADD(&suite, global_pause_is_all_priorities);
	SUITE_ADD(&suite, no_more_than_all_of_the_time);
	SUITE_ADD(&suite, rates_are_by_second_and_bytes_are_gigabits);
	SUITE_ADD(&suite, frames_are_those_of_all_priorities);
	SUITE_ADD(&suite, a_drop_is_not_counted_twice);
	SUITE_ADD(&suite, no_time_is_no_rate);
	SUITE_ADD(&suite, every_rate_has_a_key);
	SUITE_ADD_ROWS(&suite, numbers, that_is_how_it_is_written);
	return suite_run(&suite, "rates");
}
