/*
 * Tests in which every outside call fails in every way, once or for good:
 * the port ends in sync, unchanged, or reported as partially configured, and
 * every report is true.
 */
#include <errno.h>

#include "tests/support/unit.h"
#include "port_state.h"

static const char moved[] =
	"{\"mtu\": 4200, \"dcbx\": {\"mode\": \"host\"}, \"pause\": {\"rx\": false, \"tx\": false},"
	" \"pfc\": {\"priorities\": [4], \"cable_m\": 100, \"storm_timeout_ms\": 500},"
	" \"buffer\": {\"size_bytes\": [90112,0,0,0,110080,0,0,0], \"prio_buffer\": "
	"[0,0,0,0,4,0,0,0]},"
	" \"maxrate\": {\"tc_mbps\": [0,30500,0,0,0,0,0,0]},"
	" \"vlan\": {\"egress\": {\"v100\": {\"4\": 4}}},"
	" \"cnp\": {\"dscp\": 48, \"priority\": 6, \"rtt_resp_dscp\": \"unset\"},"
	" \"dcqcn\": {\"rpg_time_reset_us\": 300},"
	" \"ets\": {\"prio_tc\": [0,0,0,0,4,0,6,0], \"bandwidth\": [30,0,0,0,70,0,0,0],"
	"   \"tsa\": [\"ets\",\"ets\",\"ets\",\"ets\",\"ets\",\"ets\",\"strict\",\"ets\"]},"
	" \"dscp\": {\"prio\": {\"30\": 4, \"48\": 6}, \"rest\": 1},"
	" \"roce\": {\"mode\": \"v2\", \"tos\": 122}}";

static struct fake begin(bool configured)
{
	struct fake f;
	struct config first = parsed(lossless);
	struct result r;

	fake_init(&f);
	f.has_rdma_cm = true;
	f.hw.dcbx = configured ? 0x09 : 0x0c; /* DCBX is with the firmware by default */
	if (configured && !go(&f, &first, &r))
		fail_msg("the first apply failed: %s", r.err.text);
	f.calls = 0;
	f.writes = 0;
	return f;
}

static const char *const fault_names[FAULT_COUNT] = { "refused", "lost",    "deaf",
						      "late",	 "rounded", "stale" };

static void judge(const struct fake *f, const struct hardware *before, const struct config *desired,
		  const struct result *r, bool for_good, unsigned n)
{
	const char *lie = false_claim(&f->hw, before, desired, r);

	if (!lie && r->outcome == OUTCOME_ROLLBACK_FAILED && !for_good)
		lie = "one fault must not strand a port";
	if (lie)
		fail_msg("call %u %s: %s (%s; %s)", n, fault_names[f->fault], lie, r->err.text,
			 r->err.fix);
}

static unsigned sweep(bool configured, enum fault fault, int code, bool for_good)
{
	struct config desired = parsed(configured ? moved : lossless);
	const struct fake first = begin(configured);
	unsigned n;

	for (n = 1;; n++) {
		struct fake f = first; /* plain data: each run has a copy */
		struct hardware before = f.hw;
		struct result r;

		f.fault = fault;
		f.code = code;
		f.fail_at = n;
		f.fail_from = for_good ? n : 0;
		go(&f, &desired, &r);
		if (f.calls < n)
			return n;
		judge(&f, &before, &desired, &r, for_good, n);
	}
}

static void sweep_all(bool configured, bool for_good)
{
	static const int codes[] = { EINVAL, EBUSY, EOPNOTSUPP, EIO, EPERM, ENOMEM };
	unsigned calls = 0;

	for (enum fault fault = FAULT_REFUSED; fault < FAULT_COUNT; fault++)
		for (size_t i = 0; i < (fault_has_errno(fault) ? times(3, COUNT(codes)) : 1); i++)
			calls += sweep(configured, fault, codes[i], for_good);
	print_message("# %u runs\n", calls);
	assert_true(calls > 500);
}

static void any_call_of_a_first_apply_may_fail_once(void **s)
{
	(void)s;
	sweep_all(false, false);
}

static void any_call_of_a_change_may_fail_once(void **s)
{
	(void)s;
	sweep_all(true, false);
}

static void any_call_of_a_first_apply_may_fail_for_good(void **s)
{
	(void)s;
	sweep_all(false, true);
}

static void any_call_of_a_change_may_fail_for_good(void **s)
{
	(void)s;
	sweep_all(true, true);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_call_of_a_first_apply_may_fail_once),
		cmocka_unit_test(any_call_of_a_change_may_fail_once),
		cmocka_unit_test(any_call_of_a_first_apply_may_fail_for_good),
		cmocka_unit_test(any_call_of_a_change_may_fail_for_good),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
