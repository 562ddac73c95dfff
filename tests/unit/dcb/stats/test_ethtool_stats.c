/*
 * Reading the port's counters while their list changes: a value never comes to
 * stand beside another's name, and nothing is written beyond the room there is.
 */
#include <errno.h>
#include <linux/ethtool.h>
#include <stdlib.h>
#include <string.h>

#include "dcb/stats/ethtool_stats.h"
#include "tests/support/unit.h"

#define LISTS_MAX 8

/* A list of counters; the value of each is what its name hashes to. */
struct list {
	const char *const *names;
	uint32_t count; /* more than there are names: the rest is called "filler" */
};

/* A kernel whose list is another at each call. */
struct kernel {
	struct host host;
	struct list lists[LISTS_MAX]; /* of the n-th call; the last with a count stays */
	unsigned calls;
	bool checks;   /* as since 2026: a count that does not fit is answered with 0 */
	bool restless; /* the first two lists, in turn */
	int refuses;   /* the errno of every call */
	uint32_t most; /* the most that it has written anywhere */
};

static const char *const plain[] = { "rx_prio3_bytes", "tx_prio3_bytes", "rx_discards_phy" };
static const char *const with_pfc[] = { "rx_prio3_bytes", "rx_prio3_pause", "tx_prio3_pause",
					"tx_prio3_bytes", "rx_discards_phy" };
static const char *const with_other_pfc[] = { "rx_prio3_bytes", "rx_prio4_pause", "tx_prio4_pause",
					      "tx_prio3_bytes", "rx_discards_phy" };

#define LIST(names) \
	{ \
		names, COUNT(names) \
	}
#define LONG(names, length) \
	{ \
		names, length \
	}

static const struct list types[] = { LIST(plain), LIST(with_pfc), LIST(with_other_pfc) };

/* 0 is nobody's value. */
static uint64_t value_of(const char *name)
{
	uint64_t hash = 14695981039346656037u;

	for (; *name; name++)
		hash = (hash ^ (uint8_t)*name) * 1099511628211u;
	return hash | 1;
}

static const struct list *list_now(struct kernel *k)
{
	unsigned n = k->calls++;

	if (k->restless)
		return &k->lists[n % 2];
	n = n < LISTS_MAX ? n : LISTS_MAX - 1;
	while (n > 0 && !k->lists[n].count)
		n--;
	return &k->lists[n];
}

static const char *name_at(const struct list *l, uint32_t i)
{
	for (size_t k = 0; k < COUNT(types); k++)
		if (types[k].names == l->names && i >= types[k].count)
			return "filler";
	return l->names[i];
}

/* How many a caller who expects so many is given. */
static uint32_t answers(struct kernel *k, const struct list *l, uint32_t expected)
{
	uint32_t n = k->checks && expected != l->count ? 0 : l->count;

	if (n > k->most)
		k->most = n;
	return n;
}

static void give_names(struct kernel *k, const struct list *l, struct ethtool_gstrings *ret)
{
	ret->len = answers(k, l, ret->len);
	for (uint32_t i = 0; i < ret->len; i++)
		strncpy((char *)ret->data + (size_t)i * ETH_GSTRING_LEN, name_at(l, i),
			ETH_GSTRING_LEN);
}

static void give_values(struct kernel *k, const struct list *l, struct ethtool_stats *ret)
{
	ret->n_stats = answers(k, l, ret->n_stats);
	for (uint32_t i = 0; i < ret->n_stats; i++)
		ret->data[i] = value_of(name_at(l, i));
}

static bool ethtool(struct host *h, const char *port, void *command, struct err *err)
{
	struct kernel *k = (struct kernel *)h;
	const struct list *l = list_now(k);
	struct {
		uint32_t cmd, reserved;
		uint64_t mask;
		uint32_t count;
	} *info = command;

	if (k->refuses)
		return err_set(err, host_err_kind(k->refuses), k->refuses, "%s: refused", port);
	switch (*(const uint32_t *)command) {
	case ETHTOOL_GSSET_INFO:
		assert_int_equal(info->mask, 1u << ETH_SS_STATS);
		info->mask = l->names ? info->mask : 0;
		info->count = l->count;
		return true;
	case ETHTOOL_GSTRINGS:
		give_names(k, l, command);
		return true;
	case ETHTOOL_GSTATS:
		give_values(k, l, command);
		return true;
	}
	fail_msg("asks for %u", *(const uint32_t *)command);
	return false;
}

/* Reads once; the sample is empty where that fails. */
static bool read_from(struct kernel *k, struct sample *ret, struct err *err)
{
	const struct port port = { .id.name = "ens1" };
	struct scratch *s = scratch_new();
	bool ok;

	k->host.ethtool = ethtool;
	assert_non_null(s);
	memset(scratch_bytes(s), 0x5a, 1 << 16); /* of the port before */
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

/* Whatever is known is what its name says. */
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
	size_t known; /* 0: it gives up */
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
	struct kernel k = { .checks = checks };
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
		struct kernel k = { .checks = code % 2 };
		struct sample got = { 0 };
		struct err err = { 0 };
		unsigned digits = code;

		for (int i = 0; i < 6; i++, digits /= 3)
			k.lists[i] = types[digits % 3];
		assert_true(read_from(&k, &got, &err));
		/* Names that are again what they were hide a change: two within one reading,
		 * each of which takes the link down. */
		if (k.lists[1].names != k.lists[3].names || k.lists[1].names == k.lists[2].names)
			check_values(&got);
	}
}

static void a_list_that_never_rests_is_given_up_and_nothing_is_assigned(void **s)
{
	(void)s;
	for (int checks = 0; checks < 2; checks++) {
		struct kernel k = { .lists = { LIST(plain), LIST(with_pfc) },
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
	struct kernel k = { .lists = { LIST(full) } };
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
	struct kernel k = { .lists = { LIST(plain) } };
	struct sample got = { 0 };
	struct err err = { 0 };

	(void)s;
	got.has[counter_slot(COUNT_CNP_SENT, 0)] = true; /* of another meter */
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

static void is_told_and_nothing_is_read(void **s)
{
	const struct failure_row *row = *s;
	struct kernel k = { .lists = { row->list }, .refuses = row->refuses };
	struct sample got = { 0 };
	struct err err = { 0 };

	assert_false(read_from(&k, &got, &err));
	assert_int_equal(err.kind, row->kind);
	assert_int_equal(k.most, 0);
	assert_int_equal(check_values(&got), 0);
}

static void twenty_thousand_counters_are_no_trouble(void **s)
{
	struct kernel k = { .lists = { LONG(with_pfc, 20000), LONG(with_pfc, 24000) } };
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
	SUITE_ADD_ROWS(&s, failures, is_told_and_nothing_is_read);
	SUITE_ADD(&s, twenty_thousand_counters_are_no_trouble);
	return suite_run(&s, "counters");
}
