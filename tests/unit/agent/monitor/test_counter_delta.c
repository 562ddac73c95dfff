/* Tests of counters: the slot of each name, and the differences between two samples. */
#include <string.h>

#include "agent/monitor/counter.h"
#include "tests/support/unit.h"

static const struct name_row {
	const char *sentence;
	enum counter_source source;
	const char *name;
	int id, prio; /* -1: none */
} names[] = {
	{ "a counter of a priority", FROM_ETHTOOL, "rx_prio3_pause", COUNT_RX_PAUSE, 3 },
	{ "the last priority", FROM_ETHTOOL, "tx_prio7_bytes", COUNT_TX_BYTES, 7 },
	{ "a name that another begins with", FROM_ETHTOOL, "rx_prio0_pause_duration",
	  COUNT_RX_PAUSE_US, 0 },
	{ "a counter of the port", FROM_ETHTOOL, "rx_discards_phy", COUNT_RX_DISCARDS_PORT, -1 },
	{ "a counter of the RDMA device", FROM_RDMA, "np_cnp_sent", COUNT_CNP_SENT, -1 },
	{ "there is no priority 8", FROM_ETHTOOL, "rx_prio8_pause", -1, -1 },
	{ "nor one of two digits", FROM_ETHTOOL, "rx_prio12_pause", -1, -1 },
	{ "a name with more behind it", FROM_ETHTOOL, "rx_prio3_pauses", -1, -1 },
	{ "a name that ends too early", FROM_ETHTOOL, "rx_prio3_paus", -1, -1 },
	{ "the place holder itself", FROM_ETHTOOL, "rx_prio#_pause", -1, -1 },
	{ "no name at all", FROM_ETHTOOL, "", -1, -1 },
	{ "one of RDMA is none of the port's", FROM_ETHTOOL, "out_of_buffer", -1, -1 },
	{ "one of the port is none of RDMA's", FROM_RDMA, "rx_discards_phy", -1, -1 },
};

static void is_that_counter(void **s)
{
	const struct name_row *row = *s;
	size_t slot = slot_by_name(row->source, row->name, strlen(row->name) + 1);
	int prio = -1;

	if (row->id < 0) {
		assert_int_equal(slot, COUNTER_SLOTS);
		return;
	}
	assert_true(slot < COUNTER_SLOTS);
	assert_int_equal(slot_counter(slot, &prio), row->id);
	assert_int_equal(prio, row->prio);
}

/* The kernel's field has 32 bytes; the next name follows directly. */
static void a_name_may_fill_its_field_without_an_end(void **s)
{
	static const char fields[] = "rx_prio3_pause_durationXtx_prio5_packets";

	(void)s;
	assert_int_equal(slot_by_name(FROM_ETHTOOL, fields, 23),
			 counter_slot(COUNT_RX_PAUSE_US, 3));
	assert_int_equal(slot_by_name(FROM_ETHTOOL, fields, 24), COUNTER_SLOTS);
	assert_int_equal(slot_by_name(FROM_ETHTOOL, fields + 24, 16),
			 counter_slot(COUNT_TX_PACKETS, 5));
	assert_int_equal(slot_by_name(FROM_ETHTOOL, fields, 14), counter_slot(COUNT_RX_PAUSE, 3));
	assert_int_equal(slot_by_name(FROM_ETHTOOL, fields, 13), COUNTER_SLOTS);
}

static void every_place_has_one_counter_and_every_counter_its_place(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNTER_SLOTS; i++) {
		char name[64];
		int prio;
		enum counter_id id = slot_counter(i, &prio);
		size_t n = strlen(counters[id].name);
		char *at;

		assert_true(id < COUNTER_COUNT);
		assert_int_equal(counter_slot(id, prio < 0 ? 0 : (unsigned)prio), i);
		snprintf(name, sizeof(name), "%s", counters[id].name);
		at = strchr(name, '#');
		assert_int_equal(at != NULL, prio >= 0);
		if (at)
			*at = (char)('0' + prio);
		assert_int_equal(slot_by_name(counters[id].source, name, n + 1), i);
	}
}

static void every_row_is_complete(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNTER_COUNT; i++) {
		const struct counter *c = &counters[i];

		assert_true(c->name && strlen(c->name) < 32 && c->unit && c->doc);
		assert_true(c->bits == 32 || c->bits == 64);
		assert_int_equal(strchr(c->name, '#') != NULL, i < COUNTERS_PER_PRIO);
		assert_true(c->scale > 0 && (!c->labels || c->family));
	}
}

static void put(struct sample *s, enum counter_id id, uint64_t value)
{
	s->value[counter_slot(id, 3)] = value;
	s->has[counter_slot(id, 3)] = true;
}

#define UNKNOWN UINT64_MAX
#define TOP32	((uint64_t)1 << 32)

static const struct change_row {
	const char *sentence;
	enum counter_id id;
	uint64_t from, to, counted;
} changes[] = {
	{ "a counter that stands still counted nothing", COUNT_RX_PAUSE, 7, 7, 0 },
	{ "a counter counts from where it was", COUNT_RX_PAUSE, 7, 12, 5 },
	{ "64 bits may be large", COUNT_RX_BYTES, 1, UINT64_MAX - 1, UINT64_MAX - 2 },
	{ "32 bits wrap near their end", COUNT_OUT_OF_SEQUENCE, TOP32 - 3, 4, 7 },
	{ "and by as much as a quarter", COUNT_OUT_OF_SEQUENCE, 3u << 30, (1u << 30) - 1,
	  (1ull << 31) - 1 },
	{ "in the middle they began anew", COUNT_OUT_OF_SEQUENCE, 1u << 31, 4, UNKNOWN },
	{ "a fall that is no wrap is a new beginning", COUNT_OUT_OF_SEQUENCE, TOP32 - 3, TOP32 - 4,
	  UNKNOWN },
	{ "64 bits do not wrap", COUNT_CNP_SENT, TOP32 - 3, 4, UNKNOWN },
	{ "nor at their own end", COUNT_RX_BYTES, UINT64_MAX, 4, UNKNOWN },
	{ "a gauge is its last reading", COUNT_PCI_STALLED_WRITE, 90, 20, 20 },
	{ "also when it rises", COUNT_PCI_STALLED_WRITE, 20, 90, 90 },
};

static void counts(void **s)
{
	const struct change_row *row = *s;
	struct sample from = { .at_ms = 1000 }, to = { .at_ms = 3500 };
	struct counter_delta between;

	put(&from, row->id, row->from);
	put(&to, row->id, row->to);
	between = counter_delta_between(&from, &to);
	assert_true(between.seconds > 2.49 && between.seconds < 2.51);
	assert_int_equal(counter_delta_known(&between, row->id, 3), row->counted != UNKNOWN);
	assert_int_equal(between.restarted[counters[row->id].source], row->counted == UNKNOWN);
	assert_true(counter_delta_count(&between, row->id, 3) ==
		    (row->counted == UNKNOWN ? 0 : row->counted));
}

static void one_that_began_anew_takes_its_whole_source_along(void **s)
{
	struct sample from = { .at_ms = 0 }, to = { .at_ms = 1000 };
	struct counter_delta between;

	(void)s;
	put(&from, COUNT_RX_PAUSE, 1), put(&to, COUNT_RX_PAUSE, 900);
	put(&from, COUNT_LINK_DOWNS, 9), put(&to, COUNT_LINK_DOWNS, 0);
	put(&from, COUNT_PCI_STALLED_WRITE, 9), put(&to, COUNT_PCI_STALLED_WRITE, 9);
	put(&from, COUNT_CNP_SENT, 1), put(&to, COUNT_CNP_SENT, 3);
	between = counter_delta_between(&from, &to);
	assert_false(counter_delta_known(&between, COUNT_RX_PAUSE, 3));
	assert_int_equal(counter_delta_count(&between, COUNT_RX_PAUSE, 3), 0);
	assert_false(counter_delta_known(&between, COUNT_PCI_STALLED_WRITE, 0));
	assert_true(counter_delta_known(&between, COUNT_CNP_SENT, 0));
	assert_int_equal(counter_delta_count(&between, COUNT_CNP_SENT, 0), 2);
}

static void what_only_one_sample_has_is_not_known_and_not_zero(void **s)
{
	struct sample with = { .at_ms = 0 }, without = { .at_ms = 1000 };
	struct counter_delta between;

	(void)s;
	put(&with, COUNT_RX_PAUSE, 1000);
	between = counter_delta_between(&with, &without);
	assert_false(counter_delta_known(&between, COUNT_RX_PAUSE, 3));
	assert_false(between.restarted[FROM_ETHTOOL]);
	with.at_ms = 2000;
	between = counter_delta_between(&without, &with);
	assert_false(counter_delta_known(&between, COUNT_RX_PAUSE, 3));
	assert_int_equal(counter_delta_count(&between, COUNT_RX_PAUSE, 3), 0);
}

static void no_time_has_no_rate(void **s)
{
	struct sample from = { .at_ms = 5 }, to = { .at_ms = 5 };
	struct counter_delta between;

	(void)s;
	put(&from, COUNT_CNP_SENT, 1), put(&to, COUNT_CNP_SENT, 1000);
	between = counter_delta_between(&from, &to);
	assert_true(counter_delta_rate(&between, COUNT_CNP_SENT) == 0);
	to.at_ms = 505;
	between = counter_delta_between(&from, &to);
	assert_true(counter_delta_rate(&between, COUNT_CNP_SENT) == 1998);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, names, is_that_counter);
	SUITE_ADD(&s, a_name_may_fill_its_field_without_an_end);
	SUITE_ADD(&s, every_place_has_one_counter_and_every_counter_its_place);
	SUITE_ADD(&s, every_row_is_complete);
	SUITE_ADD_ROWS(&s, changes, counts);
	SUITE_ADD(&s, one_that_began_anew_takes_its_whole_source_along);
	SUITE_ADD(&s, what_only_one_sample_has_is_not_known_and_not_zero);
	SUITE_ADD(&s, no_time_has_no_rate);
	return suite_run(&s, "counter_delta");
}
