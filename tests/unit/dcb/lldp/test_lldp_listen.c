/* Tests of listening for LLDP neighbours: none, one, several, and malformed frames. */
#include <stdlib.h>
#include <string.h>

#include "dcb/lldp/lldp.h"
#include "tests/support/unit.h"

#define PORTS_MAX 2

/* A wire and its frames, a letter for each. */
struct wire {
	struct host host;
	const char *frames;
	enum err_kind fails; /* at the end */
	unsigned heard, wait_ms, ports;
	uint64_t now_ms;
};

/*
 * A capital letter arrives on port 8, a small one on port 7. a-y: an LLDPDU of the neighbour of
 * that name, with PFC 3, or with PFC 4 after "!". After "-": its TTL is 0. z: no LLDPDU.
 */
static void speak(struct wire *w, const struct lldp_listener *l, const char **at, bool *more)
{
	uint8_t pdu[] = { 2,   2,    7, 0, 4,	 2,    7,  'p', 6, 2, 0,
			  120, 0xfe, 6, 0, 0x80, 0xc2, 11, 8,	8, 0, 0 };
	unsigned port;

	for (; **at == '!' || **at == '-'; ++*at)
		pdu[**at == '!' ? 19 : 11] = **at == '!' ? 16 : 0;
	port = **at < 'a' ? 8 : 7;
	pdu[3] = (uint8_t)(**at | 32);
	w->heard++;
	*more = l->each(port, pdu, pdu[3] == 'z' ? 9 : sizeof(pdu), l->arg);
}

static bool hear(struct host *h, const struct lldp_listener *l, struct err *err)
{
	struct wire *w = (struct wire *)h;
	bool more = true;

	w->wait_ms = l->wait_ms;
	w->ports = (unsigned)l->count;
	for (const char *at = w->frames; *at && more; at++)
		speak(w, l, &at, &more);
	return !w->fails || err_set(err, w->fails, 0, "no more");
}

static uint64_t now_ms(struct host *h)
{
	return ((struct wire *)h)->now_ms;
}

/* Listen on ports 7 and 8, whose results still hold other bytes. */
static bool overhear(struct wire *w, unsigned enough, struct neighbours ret[PORTS_MAX],
		     struct err *err)
{
	memset(ret, 1, PORTS_MAX * sizeof(*ret));
	ret[0].ifindex = 7;
	ret[1].ifindex = 8;
	w->host.listen_lldp = hear;
	w->host.now_ms = now_ms;
	return neighbours_listen(&w->host, ret, PORTS_MAX, 35000, enough, err);
}

static const struct heard_row {
	const char *sentence, *frames;
	unsigned count, present, more, malformed;
} rows[] = {
	{ "silence is no neighbour", "", 0, 0, 0, 0 },
	{ "one neighbour is one, however often it advertises", "aaa", 1, 1, 0, 0 },
	{ "two neighbours on one wire are two", "abab", 2, 2, 0, 0 },
	{ "a fifth neighbour is only counted", "abcdefe", 4, 5, 3, 0 },
	{ "what makes no sense is counted", "azz", 1, 1, 0, 2 },
	{ "who makes no sense is no neighbour", "z", 0, 0, 0, 1 },
	{ "who takes leave is not there", "ab-a", 2, 1, 0, 0 },
	{ "who takes leave may come back", "a-aa", 1, 1, 0, 0 },
	{ "each port has its own", "aBCZ", 1, 1, 0, 0 },
};

static void so_many_are_heard(void **s)
{
	const struct heard_row *row = *s;
	struct wire w = { .frames = row->frames };
	struct neighbours n[PORTS_MAX];
	struct err err = { 0 };

	assert_true(overhear(&w, 0, n, &err));
	assert_int_equal(w.wait_ms, 35000);
	assert_int_equal(w.ports, PORTS_MAX);
	assert_int_equal(n[0].count, row->count);
	assert_int_equal(n[0].more, row->more);
	assert_int_equal(n[0].malformed, row->malformed);
	assert_int_equal(neighbours_present(&n[0], 0), row->present);
	assert_int_equal(n[0].why.kind, row->malformed ? ERR_UNKNOWN : ERR_NONE);
}

static const struct enough_row {
	const char *sentence, *frames;
	unsigned enough, heard;
} patience[] = {
	{ "0 is never enough", "aBaB", 0, 4 },
	{ "it ends when every port has received one", "aabAb", 1, 4 },
	{ "it does not end for a port alone", "aaaa", 1, 4 },
	{ "it ends when every port has received two", "abABc", 2, 4 },
	{ "who takes leave is not enough", "-aBaB", 1, 3 },
	{ "what makes no sense is not enough", "zBaB", 1, 3 },
};

static void so_long_it_listens(void **s)
{
	const struct enough_row *row = *s;
	struct wire w = { .frames = row->frames };
	struct neighbours n[PORTS_MAX];
	struct err err = { 0 };

	assert_true(overhear(&w, row->enough, n, &err));
	assert_int_equal(w.heard, row->heard);
}

static void the_last_frame_of_each_counts(void **s)
{
	struct wire w = { .frames = "aba!bA" };
	struct neighbours n[PORTS_MAX];
	struct err err = { 0 };

	(void)s;
	assert_true(overhear(&w, 0, n, &err));
	assert_string_equal(n[0].list[0].pdu.chassis, "a");
	assert_int_equal(n[0].list[0].pdu.pfc.enabled, 8);
	assert_int_equal(n[0].list[0].frames, 2);
	assert_string_equal(n[0].list[1].pdu.chassis, "b");
	assert_int_equal(n[0].list[1].pdu.pfc.enabled, 16);
	assert_int_equal(n[0].list[1].frames, 2);
	assert_int_equal(n[1].list[0].frames, 1);
}

static void who_is_silent_for_too_long_is_not_there(void **s)
{
	struct wire w = { .frames = "abB", .now_ms = 5000 };
	struct neighbours n[PORTS_MAX];
	struct err err = { 0 };

	(void)s;
	assert_true(overhear(&w, 0, n, &err));
	assert_int_equal(neighbours_present(&n[0], 5000 + 119999), 2);
	assert_int_equal(neighbours_present(&n[0], 5000 + 120000), 0);
	n[0].list[0].heard_ms += 1;
	assert_int_equal(neighbours_present(&n[0], 5000 + 120000), 1);
}

static void a_failure_has_heard_nothing(void **s)
{
	struct wire w = { .frames = "abz", .fails = ERR_INTERRUPTED };
	struct neighbours n[PORTS_MAX];
	struct err err = { 0 };

	(void)s;
	assert_false(overhear(&w, 0, n, &err));
	assert_int_equal(err.kind, ERR_INTERRUPTED);
	assert_int_equal(n[0].count, 0);
	assert_int_equal(n[0].malformed, 0);
	assert_int_equal(n[0].ifindex, 7);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, so_many_are_heard);
	SUITE_ADD_ROWS(&s, patience, so_long_it_listens);
	SUITE_ADD(&s, the_last_frame_of_each_counts);
	SUITE_ADD(&s, who_is_silent_for_too_long_is_not_there);
	SUITE_ADD(&s, a_failure_has_heard_nothing);
	return suite_run(&s, "neighbours");
}
