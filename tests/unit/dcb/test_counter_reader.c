/* Tests of reading ethtool's counters, whose list may change during the read. */
#include <errno.h>
#include <linux/ethtool.h>
#include <stdlib.h>
#include <string.h>

#include "dcb/registry.h"
#include "tests/support/stats_kernel.h"
#include "tests/support/unit.h"

#define LONG(names, length) \
	{ \
		names, length \
	}

/* Read once; the sample stays empty on failure. */
static bool read_from(struct stats_kernel *k, struct sample *ret, struct err *err)
{
	const struct port port = { .id.name = "ens1" };
	struct scratch *s = scratch_new();
	bool ok;

	k->host.ethtool = answer_stats;
	assert_non_null(s);
	memset(scratch_bytes(s), 0x5a, 1 << 16); /* the slots of the previous port */
	ok = counter_reader_ethtool.read(&k->host, &port, s, ret, err);
	free(s);
	return ok;
}

static bool has_value_of(const struct sample *s, enum counter_id id, unsigned prio,
			 const char *name)
{
	size_t slot = counter_slot(id, prio);

	return s->has[slot] && s->value[slot] == value_of(name);
}

/* Check that each known value belongs to its name, and count them. */
static size_t check_values(const struct sample *s)
{
	size_t known = 0;

	for (size_t i = 0; i < COUNTER_SLOTS; i++) {
		char name[64], *at;
		int prio;

		if (!s->has[i])
			continue;
		snprintf(name, sizeof(name), "%s", counters[slot_counter(i, &prio)].name);
		at = strchr(name, '#');
		if (at)
			*at = (char)('0' + prio);
		if (s->value[i] != value_of(name))
			fail_msg("%s has the value of another", name);
		known++;
	}
	return known;
}

static const struct row {
	const char *sentence;
	struct list lists[LISTS_MAX];
	size_t known; /* counters with a value */
	unsigned calls;
} rows[] = {
	{ "a list that stays is read at once", { LIST(plain) }, 3, 4 },
	{ "one that grows before the names", { LIST(plain), LIST(with_pfc) }, 5, 8 },
	{ "one that grows before the values", { LIST(plain), LIST(plain), LIST(with_pfc) }, 5, 8 },
	{ "one that grows behind the values",
	  { LIST(plain), LIST(plain), LIST(plain), LIST(with_pfc) },
	  5,
	  8 },
	{ "one that shrinks before the values",
	  { LIST(with_pfc), LIST(with_pfc), LIST(plain) },
	  3,
	  8 },
	{ "one that is as long as before, of another priority",
	  { LIST(with_pfc), LIST(with_pfc), LIST(with_other_pfc) },
	  5,
	  8 },
	{ "one that changes behind the values, and is as long",
	  { LIST(with_pfc), LIST(with_pfc), LIST(with_pfc), LIST(with_other_pfc) },
	  5,
	  8 },
	{ "one that grows and shrinks again",
	  { LIST(plain), LIST(plain), LIST(with_pfc), LIST(plain) },
	  3,
	  8 },
	{ "one that changes twice",
	  { LIST(plain), LIST(plain), LIST(with_pfc), LIST(with_pfc), LIST(plain), LIST(plain),
	    LIST(with_other_pfc) },
	  5,
	  12 },
	{ "much longer than what was asked for",
	  { LIST(plain), LIST(plain), LONG(with_pfc, 8000), LIST(plain) },
	  3,
	  8 },
};

static void no_value_stands_beside_another_name(const struct row *row, bool checks)
{
	struct stats_kernel k = { .checks = checks };
	struct sample got = { 0 };
	struct err err = { 0 };

	memcpy(k.lists, row->lists, sizeof(k.lists));
	assert_true(read_from(&k, &got, &err));
	assert_int_equal(check_values(&got), row->known);
	assert_int_equal(k.calls, row->calls);
}

static void is_read_rightly(void **s)
{
	no_value_stands_beside_another_name(*s, false);
	no_value_stands_beside_another_name(*s, true);
}

static void every_change_at_every_call_is_seen(void **s)
{
	(void)s;
	for (unsigned code = 0; code < 3 * 3 * 3 * 3 * 3 * 3; code++) {
		struct stats_kernel k = { .checks = code % 2 };
		struct sample got = { 0 };
		struct err err = { 0 };
		unsigned digits = code;

		for (int i = 0; i < 6; i++, digits /= 3)
			k.lists[i] = types[digits % 3];
		assert_true(read_from(&k, &got, &err));
		/* Names that change and change back within one read hide the change.
		 * Each of the two changes takes the link down. */
		if (k.lists[1].names != k.lists[3].names || k.lists[1].names == k.lists[2].names)
			check_values(&got);
	}
}

static void a_list_that_never_rests_is_given_up_and_nothing_is_assigned(void **s)
{
	(void)s;
	for (int checks = 0; checks < 2; checks++) {
		struct stats_kernel k = { .lists = { LIST(plain), LIST(with_pfc) },
					  .restless = true,
					  .checks = checks };
		struct sample got = { 0 };
		struct err err = { 0 };

		assert_false(read_from(&k, &got, &err));
		assert_int_equal(err.kind, ERR_UNKNOWN);
		assert_non_null(strstr(err.text, "keeps changing"));
		assert_int_equal(check_values(&got), 0);
		assert_in_range(k.calls, 8, 40);
	}
}

static void the_names_need_no_end(void **s)
{
	static const char *const full[] = { "rx_vport_rdma_multicast_packetsX", "rx_prio3_pause" };
	struct stats_kernel k = { .lists = { LIST(full) } };
	struct sample got = { 0 };
	struct err err = { 0 };

	(void)s;
	assert_int_equal(strlen(full[0]), ETH_GSTRING_LEN);
	assert_true(read_from(&k, &got, &err));
	assert_int_equal(check_values(&got), 1);
	assert_true(has_value_of(&got, COUNT_RX_PAUSE, 3, "rx_prio3_pause"));
}

static void what_is_not_listed_is_left_as_it_is(void **s)
{
	struct stats_kernel k = { .lists = { LIST(plain) } };
	struct sample got = { 0 };
	struct err err = { 0 };

	(void)s;
	got.has[counter_slot(COUNT_CNP_SENT, 0)] = true; /* the value of another reader */
	got.value[counter_slot(COUNT_CNP_SENT, 0)] = 5;
	assert_true(read_from(&k, &got, &err));
	assert_true(got.has[counter_slot(COUNT_CNP_SENT, 0)]);
	assert_int_equal(got.value[counter_slot(COUNT_CNP_SENT, 0)], 5);
	assert_false(got.has[counter_slot(COUNT_RX_PAUSE, 3)]);
	assert_false(got.has[counter_slot(COUNT_RX_BYTES, 0)]);
}

static const struct failure_row {
	const char *sentence;
	struct list list;
	int refuses;
	enum err_kind kind;
} failures[] = {
	{ "a driver without counters", { NULL, 0 }, 0, ERR_UNSUPPORTED },
	{ "a driver that has none just now", { plain, 0 }, 0, ERR_UNSUPPORTED },
	{ "a driver that knows no such call", LIST(plain), EOPNOTSUPP, ERR_UNSUPPORTED },
	{ "a port that is gone", LIST(plain), ENODEV, ERR_GONE },
	{ "more counters than there is room for", LONG(plain, STATS_MAX + 1), 0, ERR_UNKNOWN },
	{ "so many that the spare room would be used", LONG(plain, STATS_MAX - 8000), 0,
	  ERR_UNKNOWN },
};

static void is_reported_and_nothing_is_read(void **s)
{
	const struct failure_row *row = *s;
	struct stats_kernel k = { .lists = { row->list }, .refuses = row->refuses };
	struct sample got = { 0 };
	struct err err = { 0 };

	assert_false(read_from(&k, &got, &err));
	assert_int_equal(err.kind, row->kind);
	assert_int_equal(k.most, 0);
	assert_int_equal(check_values(&got), 0);
}

static void twenty_thousand_counters_are_no_trouble(void **s)
{
	struct stats_kernel k = { .lists = { LONG(with_pfc, 20000), LONG(with_pfc, 24000) } };
	struct sample got = { 0 };
	struct err err = { 0 };

	(void)s;
	assert_true(read_from(&k, &got, &err));
	assert_int_equal(check_values(&got), 5);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, is_read_rightly);
	SUITE_ADD(&s, every_change_at_every_call_is_seen);
	SUITE_ADD(&s, a_list_that_never_rests_is_given_up_and_nothing_is_assigned);
	SUITE_ADD(&s, the_names_need_no_end);
	SUITE_ADD(&s, what_is_not_listed_is_left_as_it_is);
	SUITE_ADD_ROWS(&s, failures, is_reported_and_nothing_is_read);
	SUITE_ADD(&s, twenty_thousand_counters_are_no_trouble);
	return suite_run(&s, "counter_reader");
}
