/* Tests of counting for some seconds: lost counters, shown symptoms, and those not judged. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agent/engine/engine.h"
#include "agent/engine/verify/verify.h"
#include "tests/support/unit.h"

#define COUNTS_MAX 8

/* A counter at the start and at the end; ABSENT: the port lacks it then. */
struct count {
	enum counter_id id;
	unsigned prio;
	uint64_t from, to;
};

#define ABSENT UINT64_MAX

/* A port whose reader yields the row's counters. */
struct counting {
	struct host host;
	const struct row *row;
	uint64_t now_ms;
	unsigned reads;
};

static const struct row {
	const char *sentence;
	struct count counts[COUNTS_MAX];
	bool breaks;	     /* another reader fails at the end */
	const char *unknown; /* the reason if symptoms are unknown; "": they are known */
	size_t shown, not_judged;
	int raised; /* the agent reports them after one window */
} rows[] = {
	{ "nothing is lost",
	  .counts = { { COUNT_RX_DISCARDS, 3, 5, 5 }, { COUNT_STORM_EVENTS, 0, 1, 1 } } },
	{ "a port without ethtool's and RDMA counters cannot be judged",
	  .counts = { { COUNT_STORM_EVENTS, 0, 1, 2 } },
	  .unknown = "the driver lacks the counters that show symptoms", .shown = 1, .raised = 1 },
	{ "pause statistics that go",
	  .counts = { { COUNT_RX_DISCARDS, 3, 5, 5 }, { COUNT_STORM_EVENTS, 0, 1, ABSENT } },
	  .unknown = "the pause statistics were reset or unreadable during the sample" },
	{ "pause statistics that start anew",
	  .counts = { { COUNT_RX_DISCARDS, 3, 5, 5 }, { COUNT_STORM_EVENTS, 0, 9, 1 } },
	  .unknown = "the pause statistics were reset or unreadable during the sample" },
	{ "FEC counters that go",
	  .counts = { { COUNT_RX_DISCARDS, 3, 5, 5 },
		      { COUNT_FEC_CORRECTED_BLOCKS, 0, 1, ABSENT } },
	  .unknown = "the FEC counters were reset or unreadable during the sample" },
	{ "counters of the RDMA device that go",
	  .counts = { { COUNT_RX_DISCARDS, 3, 5, 5 }, { COUNT_CNP_SENT, 0, 1, ABSENT } },
	  .unknown = "the RDMA device's counters were reset or removed during the sample" },
	{ "counters that cannot be read at the end", .counts = { { COUNT_RX_DISCARDS, 3, 5, 5 } },
	  .breaks = true, .unknown = "the port's counters could not be read: other: no answer" },
	{ "counters that come are lost to nobody",
	  .counts = { { COUNT_RX_DISCARDS, 3, 5, 5 }, { COUNT_STORM_EVENTS, 0, ABSENT, 7 } } },
	{ "a storm of any priority shows",
	  .counts = { { COUNT_RX_DISCARDS, 3, 5, 5 }, { COUNT_STORM_EVENTS, 0, 1, 2 } }, .shown = 1,
	  .raised = 1 },
	{ "PFC on a host that has counted CNPs is judged",
	  .counts = { { COUNT_RX_RDMA_PACKETS, 0, 0, 1000000 },
		      { COUNT_TX_PAUSE, 3, 0, 100000 },
		      { COUNT_CNP_SENT, 0, 0, 0 },
		      { COUNT_CNP_HANDLED, 0, 7, 7 } },
	  .shown = 1 },
	{ "on one that has not it is not",
	  .counts = { { COUNT_RX_RDMA_PACKETS, 0, 0, 1000000 },
		      { COUNT_TX_PAUSE, 3, 0, 100000 },
		      { COUNT_CNP_SENT, 0, 0, 0 },
		      { COUNT_CNP_HANDLED, 0, 0, 0 } },
	  .not_judged = 1 },
};

static bool read_row(struct host *h, const struct port *port, struct scratch *s, struct sample *ret,
		     struct err *err)
{
	struct counting *c = (struct counting *)h;
	bool is_end = c->reads++ > 0;

	(void)port;
	(void)s;
	(void)err;
	for (size_t i = 0; i < COUNTS_MAX; i++) {
		const struct count *n = &c->row->counts[i];
		size_t slot = counter_slot(n->id, n->prio);
		uint64_t value = is_end ? n->to : n->from;

		if (!n->id || value == ABSENT)
			continue;
		ret->value[slot] = value;
		ret->has[slot] = true;
	}
	return true;
}

static bool read_other(struct host *h, const struct port *port, struct scratch *s,
		       struct sample *ret, struct err *err)
{
	const struct counting *c = (struct counting *)h;

	(void)port;
	(void)s;
	(void)ret;
	return !(c->row->breaks && c->reads == 2) || err_set(err, ERR_SYSTEM, EIO, "no answer");
}

static uint64_t now(struct host *h)
{
	return ((struct counting *)h)->now_ms;
}

static void wait(struct host *h, unsigned ms)
{
	((struct counting *)h)->now_ms += ms;
}

static void that_is_what_is_said_of_it(void **state)
{
	static const struct counter_reader reader = { .name = "row", .read = read_row };
	static const struct counter_reader other = { .name = "other", .read = read_other };
	static const struct counter_reader *const readers[] = { &reader, &other };
	static struct target target;
	struct backends backends = { .counter_readers = { readers, COUNT(readers) } };
	struct counting c = { .host = { .now_ms = now, .sleep_ms = wait }, .row = *state };
	struct engine e = { .h = &c.host, .backends = &backends };
	struct targets all = { &target, 1 };
	struct thresholds l = thresholds_defaults();
	struct counted *counted = NULL;
	struct err err = { 0 };

	target.seen.actual.has = SETTING(SETTING_PFC_PRIORITIES);
	target.seen.actual.pfc.priorities = 1u << 3;
	assert_true(counter_check_run(&e, 10, &l, &all, &counted, &err));
	assert_string_equal(counted->unknown, c.row->unknown ? c.row->unknown : "");
	assert_int_equal(counted->count, c.row->shown);
	assert_int_equal(__builtin_popcount(counted->raised), c.row->raised);
	assert_int_equal(counted->not_judged_count, c.row->not_judged);
	free(counted);
}

/* Time that passes between both samples counts: doctor listens for the switches meanwhile. */
static void the_longer_time_decides(void **state)
{
	static const struct backends backends = { .counter_readers = { NULL, 0 } };
	static struct target target;
	static const unsigned passed_s[] = { 0, 4, 10, 12 };
	struct targets all = { &target, 1 };
	struct thresholds l = thresholds_defaults();

	(void)state;
	for (size_t i = 0; i < COUNT(passed_s); i++) {
		struct counting c = { .host = { .now_ms = now, .sleep_ms = wait } };
		struct engine e = { .h = &c.host, .backends = &backends };
		struct counter_check *check = NULL;
		struct counted *counted = NULL;
		unsigned longer = passed_s[i] > 10 ? passed_s[i] : 10;
		struct err err = { 0 };

		assert_true(counter_check_begin(&e, 10, &all, &check, &err));
		c.now_ms += passed_s[i] * 1000;
		assert_true(counter_check_end(&e, &l, &all, check, &counted, &err));
		assert_int_equal(c.now_ms, longer * 1000);
		assert_int_equal(counter_check_seconds(check), longer);
		free(check);
		free(counted);
	}
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, rows, that_is_what_is_said_of_it);
	SUITE_ADD(&s, the_longer_time_decides);
	return suite_run(&s, "counter_check");
}
