#include "policy/lint/headroom.h"
#include "tests/support/unit.h"

/* Examples of the driver, and edge cases of each input. */
static const struct headroom_row {
	const char *sentence;
	struct headroom_link link;
	uint32_t xoff, min_buffer; /* 0: not compared */
} rows[] = {
	{ "100 Gb/s over 7 m with an MTU of 1500 needs 45824 bytes",
	  { 100000, 1500, 7, 9978, 128 },
	  35680,
	  45824 },
	{ "400 Gb/s over 7 m with an MTU of 1500 needs 140672 bytes",
	  { 400000, 1500, 7, 9978, 128 },
	  130480,
	  140672 },
	{ "10 Gb/s counts as 40 Gb/s", { 10000, 1500, 7, 9978, 128 }, 316 * 40 + 4080, 26880 },
	{ "39999 Mb/s count as 40 Gb/s", { 39999, 0, 0, 0, 0 }, 12040, 0 },
	{ "40001 Mb/s count as themselves", { 40001, 0, 0, 0, 0 }, 12040, 0 },
	{ "41000 Mb/s count as themselves", { 41000, 0, 0, 0, 0 }, 12341, 0 },
	{ "an unknown speed counts as 40 Gb/s", { 0, 1500, 7, 9978, 128 }, 16720, 26880 },
	{ "the cable is rounded down before the speed multiplies it",
	  { 200000, 4200, 30, 0, 0 },
	  365 * 200 + 11424,
	  0 },
	{ "an unknown largest MTU counts as 9216", { 100000, 1500, 7, 0, 128 }, 35680, 45056 },
	{ "a largest MTU below 9216 counts as 9216", { 100000, 1500, 7, 1500, 128 }, 35680, 45056 },
	{ "an unknown cell counts as 128 bytes", { 100000, 1500, 7, 9978, 0 }, 35680, 45824 },
	{ "a larger cell counts as itself", { 100000, 1500, 7, 9978, 256 }, 35680, 46080 },
	{ "1.6 Tb/s over the longest cable stays in 32 bits",
	  { 1600000, 65535, 999, 65535, 1024 },
	  2458 * 1600 + 178255,
	  4177920 },
};

static void needs_so_much(void **s)
{
	const struct headroom_row *row = *s;
	struct headroom h = headroom_of(&row->link);

	assert_int_equal(h.xoff_bytes, row->xoff);
	if (row->min_buffer)
		assert_int_equal(h.min_buffer_bytes, row->min_buffer);
}

static void the_terms_add_up(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct headroom h = headroom_of(&rows[i].link);

		assert_int_equal(h.in_flight_bytes,
				 (uint64_t)h.bytes_per_gbps * h.speed_mbps / 1000);
		assert_int_equal(h.xoff_bytes, h.in_flight_bytes + h.frames_bytes);
		assert_int_equal(h.min_buffer_bytes % h.cell_bytes, 0);
		assert_in_range(h.min_buffer_bytes - h.xoff_bytes - h.max_mtu, h.cell_bytes,
				2 * h.cell_bytes - 1);
	}
}

/* A reference table, computed without rounding, in tenths of a kB: 1 % of a tenth is a byte. */
static void the_reference_table_is_met_to_a_per_cent(void **s)
{
	static const struct {
		uint32_t gbps, cable_m, kb_of_4200, kb_of_9000;
	} table[] = {
		{ 100, 7, 430, 561 },
		{ 200, 30, 846, 976 },
		{ 400, 3, 1344, 1475 },
		{ 400, 100, 2182, 2313 },
	};

	(void)s;
	for (size_t i = 0; i < COUNT(table); i++) {
		struct headroom_link small = { table[i].gbps * 1000, 4200, table[i].cable_m, 0, 0 };
		struct headroom_link large = { table[i].gbps * 1000, 9000, table[i].cable_m, 0, 0 };

		assert_in_range(headroom_of(&small).xoff_bytes, table[i].kb_of_4200 * 99,
				table[i].kb_of_4200 * 101);
		assert_in_range(headroom_of(&large).xoff_bytes, table[i].kb_of_9000 * 99,
				table[i].kb_of_9000 * 101);
	}
}

static void more_of_anything_never_needs_less(void **s)
{
	struct headroom_link least = { 0 };

	(void)s;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct headroom_link more = rows[i].link;
		uint32_t before = headroom_of(&more).min_buffer_bytes;

		assert_true(before >= headroom_of(&least).min_buffer_bytes);
		more.speed_mbps++;
		more.mtu++;
		assert_true(headroom_of(&more).min_buffer_bytes >= before);
	}
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, needs_so_much);
	SUITE_ADD(&s, the_terms_add_up);
	SUITE_ADD(&s, the_reference_table_is_met_to_a_per_cent);
	SUITE_ADD(&s, more_of_anything_never_needs_less);
	return suite_run(&s, "headroom");
}
