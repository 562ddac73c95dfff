/* Tests of plans that fail, and of the port after their rollback. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <signal.h>

#include "agent/engine/write/apply_port.h"
#include "agent/engine/write/write_step.h"
#include "dcb/registry.h"
#include "policy/model/setting.h"
#include "roce/registry.h"
#include "tests/integration/plans.h"
#include "tests/integration/port_state.h"
#include "policy/util/exit_code.h"

static void a_policy_silent_on_pause_gets_it_back_on_undo(void **s)
{
	struct fake f = fresh_port();
	struct hardware before = f.hw;
	struct config desired = parsed("{\"pfc\": {\"priorities\":[3]}, \"roce\": {\"tos\":106}}");
	struct result r;

	(void)s;
	f.only_writes = true;
	f.fail_at = 3; /* PFC, the same mask again with the link up, then ToS */
	assert_false(go(&f, &desired, &r));
	assert_int_equal(r.outcome, OUTCOME_FAILED);
	assert_true(f.hw.pause_rx && f.hw.pause_tx);
	assert_true(hardware_is(&f.hw, &before));
}

/* With `second` the next write fails as well: the probe for a driver that refuses all writes. */
static void fail_half_way(bool second)
{
	struct fake f = fresh_port();
	struct config first = parsed("{\"dscp\": {\"prio\": {\"26\": 3}, \"rest\": 0}}");
	struct config changed = parsed("{\"dscp\": {\"prio\": {\"26\": 4}, \"rest\": 0}}");
	struct hardware before;
	struct result r;

	assert_true(go(&f, &first, &r));
	before = f.hw;
	f.fault = FAULT_LATE;
	f.only_writes = true;
	f.fail_at = f.writes + 1;
	f.second.at = second ? f.writes + 2 : 0;
	f.second.code = ETIMEDOUT; /* FAULT_REFUSED */
	assert_false(go(&f, &changed, &r));
	assert_int_equal(r.outcome, OUTCOME_FAILED);
	assert_true(f.hw.trusts_dscp); /* reading the table alone would not show it */
	assert_true(hardware_is(&f.hw, &before));
}

static void a_failed_dscp_write_does_not_leave_trust_on_pcp(void **s)
{
	(void)s;
	fail_half_way(false);
	fail_half_way(true);
}

/* Each call in turn fails half way, and for the next call the port is gone. */
static void lose_the_port_after_a_failure(const char *policy)
{
	struct config first = parsed("{\"dscp\": {\"prio\": {\"26\": 3}, \"rest\": 0}}");
	struct config changed = parsed(policy);
	struct fake start = fresh_port(), f;
	struct result r;

	assert_true(go(&start, &first, &r));
	for (unsigned n = 1; n == 1 || f.calls >= f.fail_at; n++) {
		f = start;
		f.fault = FAULT_LATE;
		f.code = EIO;
		f.fail_at = start.calls + n;
		f.second.at = f.fail_at + 1;
		f.second.code = ENODEV; /* FAULT_REFUSED */
		go(&f, &changed, &r);
		assert_null(false_claim(&f.hw, &start.hw, &changed, &r));
	}
}

static void a_port_gone_for_a_moment_hides_no_lost_trust(void **s)
{
	(void)s;
	lose_the_port_after_a_failure("{\"dscp\": {\"prio\": {\"26\": 4}, \"rest\": 0}}");
	lose_the_port_after_a_failure("{\"trust\": \"pcp\"}");
}

/* Each call in turn fails, and all after it, although its change is made; later ones have none. */
static void a_driver_that_turns_deaf_hides_no_trust(void **s)
{
	struct config desired = parsed("{\"dscp\": {\"prio\": {\"26\": 3}, \"rest\": 0}}");
	struct fake whole = fresh_port(), f;
	struct hardware before = whole.hw;
	struct result r;

	(void)s;
	assert_true(go(&whole, &desired, &r));
	for (unsigned n = 1; n <= whole.calls; n++)
		for (unsigned k = 1; k <= 100; k++) {
			f = fresh_port();
			f.fault = FAULT_LOST;
			f.code = EPERM;
			f.fail_from = n;
			f.second.at = n + k;
			f.second.fault = FAULT_DEAF;
			go(&f, &desired, &r);
			assert_null(false_claim(&f.hw, &before, &desired, &r));
		}
}

/* The write of sizes moves a priority to another buffer for a moment. */
static void a_buffer_write_cut_short_puts_the_map_back_too(void **s)
{
	struct config desired = parsed("{\"buffer\": {\"size_bytes\": [60000,0,0,0,0,0,0,0]}}");

	(void)s;
	for (unsigned n = 1; n <= 3; n++) {
		struct fake f = fresh_port();
		struct hardware before;
		struct result r;

		f.hw.pause_rx = f.hw.pause_tx = false;
		before = f.hw;
		f.only_writes = true;
		f.fail_at = n;
		f.fault = FAULT_LOST;
		assert_false(go(&f, &desired, &r));
		assert_int_equal(r.outcome, OUTCOME_FAILED);
		assert_true(hardware_is(&f.hw, &before));
	}
}

/* A written size may differ by less than a cell; a rolled-back size may not. */
static void a_size_is_rolled_back_to_the_byte(void **s)
{
	struct config desired = parsed("{\"buffer\": {\"size_bytes\": [58880,0,0,0,0,0,0,0]}}");
	struct fake f = fresh_port();
	struct hardware before;
	struct result r;

	(void)s;
	f.hw.pause_rx = f.hw.pause_tx = false;
	f.hw.buffer_size[0] = 60160;
	before = f.hw;
	f.only_writes = true;
	f.fail_at = 3;
	f.fault = FAULT_LOST;
	assert_false(go(&f, &desired, &r));
	assert_int_equal(r.outcome, OUTCOME_FAILED);
	assert_int_equal(f.hw.buffer_size[0], before.buffer_size[0]);
}

/* No read shows this damage, but the rollback repairs it. */
static void trust_lost_in_a_rollback_is_repaired(void **s)
{
	struct config first = parsed("{\"dscp\": {\"prio\": {\"26\": 3}, \"rest\": 0}}");
	struct config second = parsed("{\"dscp\": {\"prio\": {\"26\": 4, \"27\": 5}, \"rest\": 0},"
				      " \"roce\": {\"tos\": 106}}");
	struct fake f = fresh_port();
	struct hardware before;
	struct result r;

	(void)s;
	assert_true(go(&f, &first, &r));
	before = f.hw;
	f.only_writes = true;
	f.fail_at = f.writes + 2; /* the ToS */
	f.second.at = f.writes + 3;
	f.second.fault = FAULT_LATE;
	f.second.code = EIO;
	assert_false(go(&f, &second, &r));
	assert_true(hardware_is(&f.hw, &before));
}

/* From then on the driver counts one entry too many, so no later entry restores DSCP trust. */
static void trust_lost_by_a_failed_delete_is_named(void **s)
{
	struct config first = parsed("{\"dscp\": {\"prio\": {\"26\": 3}, \"rest\": 0}}");
	struct config second = parsed("{\"trust\": \"pcp\"}");
	struct fake f = fresh_port();
	struct result r;

	(void)s;
	assert_true(go(&f, &first, &r));
	f.fault = FAULT_LATE;
	f.only_writes = true;
	f.fail_at = f.writes + 1;
	assert_false(go(&f, &second, &r));
	assert_false(f.hw.trusts_dscp);
	assert_int_equal(r.outcome, OUTCOME_ROLLBACK_FAILED);
	assert_int_equal(r.not_rolled_back, SETTING(SETTING_TRUST));
	assert_int_equal(r.unseen, SETTING(SETTING_TRUST));
	assert_int_equal(r.now.trust, TRUST_PCP);
}

static void an_entry_that_is_refused_for_good_strands_nothing(void **s)
{
	struct config first = parsed("{\"dscp\": {\"prio\": {\"26\": 3}, \"rest\": 0}}");
	struct config second = parsed("{\"dscp\": {\"prio\": {\"26\": 4}, \"rest\": 0}}");
	struct fake f = fresh_port();
	struct hardware before;
	struct result r;

	(void)s;
	assert_true(go(&f, &first, &r));
	before = f.hw;
	f.fault = FAULT_REFUSED;
	f.only_writes = true;
	f.fail_from = f.writes + 1;
	assert_false(go(&f, &second, &r));
	assert_int_equal(r.outcome, OUTCOME_FAILED);
	assert_true(hardware_is(&f.hw, &before));
}

static void an_unproven_rollback_is_reported_as_failed(void **s)
{
	struct fake f = fresh_port();
	struct config first = parsed("{\"dscp\": {\"prio\": {\"26\": 3}, \"rest\": 0}}");
	struct config second = parsed("{\"dscp\": {\"prio\": {\"26\": 4}, \"rest\": 0},"
				      " \"roce\": {\"tos\": 106}}");
	struct result r;

	(void)s;
	assert_true(go(&f, &first, &r));
	f.fault = FAULT_REFUSED;
	f.only_writes = true;
	f.fail_from = f.writes + 2; /* the ToS, and everything after it */
	assert_false(go(&f, &second, &r));
	assert_int_equal(r.outcome, OUTCOME_ROLLBACK_FAILED);
	assert_true(r.not_rolled_back & SETTING(SETTING_DSCP_PRIO));
	assert_int_equal(f.hw.count, DSCPS); /* no entry was deleted that could not be restored */
}

static unsigned mtus_set;

/* Refuses the second write, which is the rollback's. */
static bool refuse_the_second(struct host *h, unsigned ifindex, uint32_t mtu, struct err *err)
{
	(void)ifindex;
	if (++mtus_set == 2)
		return err_set(err, ERR_SYSTEM, EBUSY, "busy");
	((struct fake *)h)->hw.mtu = mtu;
	return true;
}

static void a_rollback_is_tried_again(void **s)
{
	struct config desired = parsed("{\"mtu\": 4200, \"roce\": {\"tos\": 106}}");
	struct fake f = fresh_port();
	struct hardware before = f.hw;
	struct result r;

	(void)s;
	mtus_set = 0;
	f.host.set_mtu = refuse_the_second;
	f.only_writes = true;
	f.fault = FAULT_REFUSED;
	f.code = EIO;
	f.fail_at = f.writes + 1; /* the ToS */
	assert_false(go(&f, &desired, &r));
	assert_int_equal(mtus_set, 3);
	assert_int_equal(r.outcome, OUTCOME_FAILED);
	assert_true(hardware_is(&f.hw, &before));
}

/* An unchanged device may be gone by the time of the rollback. */
static void only_vlan_devices_that_change_go_back(void **s)
{
	static const struct feature *const list[] = { &feature_vlan };
	struct config actual = { .has = SETTING(SETTING_VLAN_EGRESS) }, desired = actual;
	struct plan p;

	(void)s;
	actual.vlan.egress[0] = (struct vlan_egress){ .name = "v100" };
	actual.vlan.egress[1] = (struct vlan_egress){ .name = "v200" };
	desired.vlan.egress[0] = (struct vlan_egress){ .name = "v200", .pcp = { [3] = 3 } };
	plan_make(&p, (struct features){ list, 1 }, &any_port, &desired, &actual);
	assert_int_equal(p.count, 1);
	assert_string_equal(p.back.vlan.egress[0].name, "v200");
	assert_int_equal(p.back.vlan.egress[0].pcp[3], 0);
	assert_string_equal(p.back.vlan.egress[1].name, "");
}

/* lldpad is given a new PFC beside the kernel, and keeps it when it ends. */
static void an_advertisement_that_follows_goes_back(void **s)
{
	static const struct feature *const list[] = { &feature_pfc, &feature_advertise };
	const struct features all = { list, 2 };
	struct config silent = { .has = feature_pfc.owns | feature_advertise.owns };
	struct config speaks = silent, desired = { .has = SETTING(SETTING_PFC_PRIORITIES) };
	struct plan p;

	(void)s;
	desired.pfc.priorities = 1 << 3;
	speaks.dcbx.advertise = true;
	plan_make(&p, all, &any_port, &desired, &speaks);
	assert_int_equal(p.count, 1);
	assert_true((p.back.has & feature_advertise.owns) == feature_advertise.owns);
	assert_true(p.back.dcbx.advertise);
	assert_true(!(p.proof.has & feature_advertise.owns));
	plan_make(&p, all, &any_port, &desired, &silent);
	assert_true(!(p.back.has & feature_advertise.owns));
	plan_make(&p, all, &any_port, &silent, &speaks);
	assert_true(p.back.dcbx.advertise);
}

/* The adapter may round a desired size to its cells; a rollback restores it to the byte. */
static void a_rollback_is_compared_to_the_byte(void **s)
{
	static const struct feature *const list[] = { &feature_buffer };
	struct config actual = { .has = SETTING(SETTING_BUFFER_SIZE_BYTES) }, desired = actual;
	struct config near = actual;
	struct plan p;

	(void)s;
	actual.buffer.size_bytes[0] = 60000;
	desired.buffer.size_bytes[0] = 90000;
	near.buffer.size_bytes[0] = 60001;
	plan_make(&p, (struct features){ list, 1 }, &any_port, &desired, &actual);
	assert_true(config_diff(&actual, &near) == 0);
	assert_true(config_diff(&p.back, &near) == SETTING(SETTING_BUFFER_SIZE_BYTES));
}

static void a_link_that_stays_away_is_undone_and_said(void **s)
{
	struct fake f = fresh_port();
	struct config desired = parsed("{\"pfc\": {\"priorities\": [3]}}");
	struct result r;

	(void)s;
	f.carrier_stuck = true;
	assert_false(go(&f, &desired, &r));
	assert_int_equal(r.err.kind, ERR_ROLLBACK_FAILED);
	assert_true(r.no_carrier);
	assert_int_equal(f.hw.pfc, 0); /* the setting itself is rolled back */
	assert_int_equal(exit_code_of_err(&r.err), 4);
}

/* In the last step, too, which may wait for lldpad. */
static void an_interrupt_puts_the_port_back(void **s)
{
	struct config desired = parsed(lossless);
	struct fake whole = fresh_port();
	struct result done;

	(void)s;
	assert_true(go(&whole, &desired, &done));
	for (unsigned n = 1; n <= whole.writes; n++) {
		struct fake f = fresh_port();
		struct hardware before = f.hw;
		struct result r;

		f.signal_at = n;
		assert_false(go(&f, &desired, &r));
		assert_int_equal(r.outcome, OUTCOME_FAILED);
		assert_int_equal(r.err.kind, ERR_INTERRUPTED);
		assert_int_equal(exit_code_of_err(&r.err), 128 + SIGINT);
		assert_true(hardware_is(&f.hw, &before));
	}
}

/* Each wait may take a minute: one forward, which a signal ends, and one for the whole rollback. */
static void a_link_that_stays_away_is_waited_for_once_each_way(void **s)
{
	struct config desired = parsed("{\"pfc\": {\"priorities\": [3]}}");

	(void)s;
	for (unsigned signal = 0; signal <= 1; signal++) {
		struct fake f = fresh_port();
		uint64_t start = f.now;
		struct result r;

		f.carrier_stuck = true;
		f.signal_at = signal;
		assert_false(go(&f, &desired, &r));
		assert_true(r.no_carrier);
		assert_int_equal(f.hw.pfc, 0);
		assert_in_range(f.now - start, CARRIER_WAIT_MS,
				(signal ? 1 : 2) * CARRIER_WAIT_MS + 2000);
		assert_int_equal(r.steps, signal ? 1 : 0);
		assert_int_equal(r.step_failed, !signal);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_policy_silent_on_pause_gets_it_back_on_undo),
		cmocka_unit_test(a_failed_dscp_write_does_not_leave_trust_on_pcp),
		cmocka_unit_test(a_port_gone_for_a_moment_hides_no_lost_trust),
		cmocka_unit_test(a_driver_that_turns_deaf_hides_no_trust),
		cmocka_unit_test(a_buffer_write_cut_short_puts_the_map_back_too),
		cmocka_unit_test(a_size_is_rolled_back_to_the_byte),
		cmocka_unit_test(trust_lost_in_a_rollback_is_repaired),
		cmocka_unit_test(trust_lost_by_a_failed_delete_is_named),
		cmocka_unit_test(an_entry_that_is_refused_for_good_strands_nothing),
		cmocka_unit_test(an_unproven_rollback_is_reported_as_failed),
		cmocka_unit_test(a_rollback_is_tried_again),
		cmocka_unit_test(only_vlan_devices_that_change_go_back),
		cmocka_unit_test(an_advertisement_that_follows_goes_back),
		cmocka_unit_test(a_rollback_is_compared_to_the_byte),
		cmocka_unit_test(a_link_that_stays_away_is_undone_and_said),
		cmocka_unit_test(an_interrupt_puts_the_port_back),
		cmocka_unit_test(a_link_that_stays_away_is_waited_for_once_each_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
