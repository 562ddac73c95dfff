/*
 * Tests of a second call that fails while the engine handles the first failure: the report is true,
 * and the run ends. The long tier tries each pair of calls, n < m; the kinds of failure are random.
 */
#include <errno.h>
#include <inttypes.h>

#include "tests/support/draw.h"
#include "tests/support/unit.h"
#include "port_state.h"

static const char moved[] =
	"{\"mtu\": 4200, \"pause\": {\"rx\": false, \"tx\": false},"
	" \"pfc\": {\"priorities\": [4], \"cable_m\": 100, \"storm_timeout_ms\": 500},"
	" \"buffer\": {\"size_bytes\": [90112,0,0,0,110080,0,0,0], \"prio_buffer\": "
	"[0,0,0,0,4,0,0,0]},"
	" \"maxrate\": {\"tc_mbps\": [0,30500,0,0,0,0,0,0]},"
	" \"cnp\": {\"dscp\": 48, \"priority\": 6, \"rtt_resp_dscp\": \"unset\"},"
	" \"dscp\": {\"prio\": {\"30\": 4, \"48\": 6}, \"rest\": 1},"
	" \"roce\": {\"mode\": \"v2\", \"tos\": 122}}";

/* Three waits for a link that stays down, and settling, take less. */
#define LONGEST_MS (10 * 60 * 1000)

#define CALLS_MAX 2000

struct trial {
	struct fake first; /* the start of every run */
	struct config desired;
	struct draw chance;
	enum fault fault; /* the first failure */
	int code;
	unsigned share; /* one pair in this many is tried */
	uint64_t runs;
};

static void draw_failure(struct draw *d, enum fault *fault, int *code)
{
	static const int codes[] = { EINVAL, EIO, EPERM, ENODEV, ENOMEM, EOPNOTSUPP, ETIMEDOUT };

	*fault = (enum fault)draw_between(d, 0, FAULT_COUNT - 1);
	*code = codes[draw_between(d, 0, COUNT(codes) - 1)];
}

/* Fails calls n and m; false: the run ended before the second failure. */
static bool try_pair(struct trial *t, unsigned n, unsigned m)
{
	struct fake f = t->first;
	enum fault fault = t->fault;
	struct result r;
	const char *lie;

	f.fault = fault;
	f.code = t->code;
	draw_failure(&t->chance, &f.second.fault, &f.second.code);
	f.fail_at = n;
	f.second.at = m;
	go(&f, &t->desired, &r);
	t->runs++;
	lie = false_claim(&f.hw, &t->first.hw, &t->desired, &r);
	if (!lie && f.now - t->first.now > LONGEST_MS)
		lie = "it takes too long";
	if (lie)
		fail_msg("calls %u (%d) and %u (%d, %d): %s (%s; %s)", n, fault, m, f.second.fault,
			 f.second.code, lie, r.err.text, r.err.fix);
	return f.calls >= m;
}

static unsigned calls_of(const struct trial *t)
{
	struct fake f = t->first;
	struct result r;

	assert_true(go(&f, &t->desired, &r));
	return f.calls;
}

static bool is_chosen(struct trial *t)
{
	return draw_between(&t->chance, 1, t->share) == 1;
}

static void try_pairs(struct trial *t)
{
	unsigned last = calls_of(t);

	assert_true(last > 50);
	for (unsigned n = 1; n <= last; n++) {
		draw_failure(&t->chance, &t->fault, &t->code);
		for (unsigned m = n + 1; m < CALLS_MAX; m++)
			if (is_chosen(t) && !try_pair(t, n, m))
				break;
	}
	print_message("# seed 1, %u calls: %" PRIu64 " pairs\n", last, t->runs);
}

static struct trial begin(void)
{
	struct trial t = { .chance = { .state = 1 }, .share = (unsigned)times(20, 1) };

	fake_init(&t.first);
	t.first.has_rdma_cm = true;
	return t;
}

static void any_two_calls_of_a_first_apply_may_fail(void **s)
{
	struct trial t = begin();

	(void)s;
	t.desired = parsed(lossless);
	try_pairs(&t);
}

static void any_two_calls_of_a_change_may_fail(void **s)
{
	struct trial t = begin();
	struct result r;

	(void)s;
	t.desired = parsed(lossless);
	assert_true(go(&t.first, &t.desired, &r));
	t.first.calls = t.first.writes = 0;
	t.desired = parsed(moved);
	try_pairs(&t);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, any_two_calls_of_a_first_apply_may_fail);
	SUITE_ADD(&s, any_two_calls_of_a_change_may_fail);
	return suite_run(&s, "pairs");
}
