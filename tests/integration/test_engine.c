/* Tests of the engine's plans with all features, and of their effect on the port. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "dcb/registry.h"
#include "policy/model/setting.h"
#include "tests/integration/plans.h"
#include "tests/integration/port_state.h"

static void an_apply_reaches_every_setting(void **s)
{
	struct fake f = fresh_port();
	struct config desired = parsed(lossless);
	struct result r;

	(void)s;
	assert_true(go(&f, &desired, &r));
	assert_int_equal(r.outcome, OUTCOME_APPLIED);
	assert_true(hardware_has(&f.hw, &desired));
}

static void a_second_apply_writes_nothing(void **s)
{
	struct fake f = fresh_port();
	struct config desired = parsed(lossless);
	struct result r;
	unsigned writes;

	(void)s;
	assert_true(go(&f, &desired, &r));
	writes = f.writes;
	assert_true(go(&f, &desired, &r));
	assert_int_equal(r.outcome, OUTCOME_UNCHANGED);
	assert_int_equal(f.writes, writes);
}

static void a_reading_proves_no_setting_that_was_lost(void **s)
{
	struct fake f = fresh_port();
	struct config desired = parsed(lossless);
	struct plan p = plan_for(&f, &desired);
	struct result r;

	(void)s;
	assert_false(apply_is_in_effect(&p, &r));
	assert_true(go(&f, &desired, &r));
	p = plan_for(&f, &desired);
	assert_true(apply_is_in_effect(&p, &r));
	assert_int_equal(r.outcome, OUTCOME_UNCHANGED);
	p.lost = (struct lost_settings){ SETTING(SETTING_TRUST), SETTING(SETTING_TRUST) };
	assert_false(apply_is_in_effect(&p, &r));
}

static void a_map_without_entries_is_called_irreversible(void **s)
{
	struct fake f = fresh_port();
	struct config desired = parsed("{\"trust\": \"dscp\"}");
	struct plan p = plan_for(&f, &desired);

	(void)s;
	assert_non_null(p.steps[0].irreversible);
}

static void trust_disrupts_as_the_driver_and_the_adapter_have_it(void **s)
{
	static const struct {
		const char *driver;
		bool is_connectx4;
		enum disruption disrupts;
	} rows[] = {
		{ "mlx5_core", true, DISRUPTS_TRAFFIC },
		{ "mlx5_core", false, DISRUPTS_NONE },
		{ "some_other", false, DISRUPTS_TRAFFIC },
	};
	struct config desired = parsed("{\"trust\": \"dscp\"}");

	(void)s;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fake f = fresh_port();
		struct plan p;

		snprintf(f.port.id.driver, sizeof(f.port.id.driver), "%s", rows[i].driver);
		f.port.is_connectx4 = rows[i].is_connectx4;
		p = plan_for(&f, &desired);
		assert_int_equal(plan_disrupts(&p), rows[i].disrupts);
	}
}

/* RDMA packets have 4096, 2048 or 1024 bytes, and headers. */
static void a_smaller_mtu_disrupts_rdma(void **s)
{
	static const struct {
		uint32_t from, to;
		enum disruption disrupts;
	} rows[] = {
		{ 9000, 1500, DISRUPTS_RDMA },	  { 4192, 4191, DISRUPTS_RDMA },
		{ 9000, 4192, DISRUPTS_TRAFFIC }, { 1500, 9000, DISRUPTS_TRAFFIC },
		{ 2000, 1500, DISRUPTS_TRAFFIC },
	};

	(void)s;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct config desired = { .has = SETTING(SETTING_MTU), .mtu = rows[i].to };
		struct fake f = fresh_port();
		struct plan p;

		f.hw.mtu = rows[i].from;
		p = plan_for(&f, &desired);
		assert_int_equal(plan_disrupts(&p), rows[i].disrupts);
	}
}

static void all_64_dscps_are_written(void **s)
{
	struct fake f = fresh_port();
	struct config desired = parsed("{\"dscp\": {\"prio\": {\"26\": 3}}}");
	struct result r;

	(void)s;
	assert_true(go(&f, &desired, &r));
	for (int d = 0; d < DSCPS; d++)
		assert_int_equal(f.hw.entry[d], d == 26 ? 3 : d >> 3);
}

static void trust_pcp_deletes_every_entry(void **s)
{
	struct fake f = fresh_port();
	struct config dscp = parsed("{\"trust\": \"dscp\"}"), pcp = parsed("{\"trust\": \"pcp\"}");
	struct result r;
	unsigned writes;

	(void)s;
	assert_true(go(&f, &dscp, &r));
	writes = f.writes;
	assert_true(go(&f, &pcp, &r));
	assert_int_equal(f.writes - writes, 1); /* the kernel reads all of DCB after each message */
	assert_int_equal(f.hw.count, 0);
	assert_false(f.hw.trusts_dscp);
}

/* mlx5 says of an entry whose priority has changed in the adapter that it does not exist. */
static void an_entry_that_cannot_be_deleted_leaves_no_other(void **s)
{
	struct fake f = fresh_port();
	struct config dscp = parsed("{\"trust\": \"dscp\"}"), pcp = parsed("{\"trust\": \"pcp\"}");
	struct plan p;
	struct result r;
	struct err err = { 0 };

	(void)s;
	assert_true(go(&f, &dscp, &r));
	p = plan_for(&f, &pcp);
	f.hw.dscp2prio[20] = 7;
	assert_true(feature_dscp.write(&f.host, &f.port, &p.before, plan_end(&p), &err));
	assert_int_equal(f.hw.count, 1);
	assert_int_equal(f.hw.entry[20], 2);
}

static void side_effects_are_those_of_the_driver(void **s)
{
	static const struct {
		const char *driver;
		setting_set side;
		enum disruption disrupts;
	} rows[] = {
		{ "mlx5_core", SETTING(SETTING_PAUSE_RX) | SETTING(SETTING_PAUSE_TX),
		  DISRUPTS_LINK },
		{ "some_other", 0, DISRUPTS_LINK },
	};
	struct config desired = parsed("{\"pfc\": {\"priorities\": [3]}}");

	(void)s;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fake f = fresh_port();
		struct plan p;

		snprintf(f.port.id.driver, sizeof(f.port.id.driver), "%s", rows[i].driver);
		p = plan_for(&f, &desired);
		assert_int_equal(p.steps[0].side, rows[i].side);
		assert_int_equal(p.steps[0].disrupts, rows[i].disrupts);
		assert_int_equal(p.proof.has, SETTING(SETTING_PFC_PRIORITIES) | rows[i].side);
	}
}

static void a_side_effect_that_does_not_come_is_found(void **s)
{
	struct config desired = parsed("{\"pfc\": {\"priorities\": [3]}}");
	struct fake f = fresh_port();
	struct hardware before = f.hw;
	struct result r;

	(void)s;
	f.keeps_pause = true;
	assert_false(go(&f, &desired, &r));
	assert_int_equal(r.ineffective, SETTING(SETTING_PAUSE_RX) | SETTING(SETTING_PAUSE_TX));
	assert_true(hardware_is(&f.hw, &before));
}

static void each_step_has_a_status(void **s)
{
	struct config desired = parsed("{\"mtu\": 4200, \"pfc\": {\"priorities\": [3]},"
				       " \"roce\": {\"tos\": 106}}");
	struct fake f = fresh_port();
	struct plan p = plan_for(&f, &desired);
	struct result r;

	(void)s;
	f.fault = FAULT_REFUSED;
	f.only_writes = true;
	f.fail_at = f.writes + 2; /* PFC */
	assert_false(apply_port(&f.host, fake_features, &f.port, &p, &r));
	assert_int_equal(step_status(&p, &r, 0), STEP_DONE);
	assert_int_equal(step_status(&p, &r, 1), STEP_FAILED);
	assert_int_equal(step_status(&p, &r, 2), STEP_NOT_ATTEMPTED);
	assert_string_equal(step_status_name(STEP_NOT_ATTEMPTED), "not_attempted");
	assert_int_equal(r.rollback_tries, 1);
	assert_int_equal(r.rollback_err.kind, ERR_NONE);
}

static void what_is_only_verified_is_neither_planned_nor_proven(void **s)
{
	static const struct feature *const list[] = { &feature_tcp_ecn, &feature_mtu };
	struct config actual = { .has = SETTING(SETTING_HOST_TCP_ECN) | SETTING(SETTING_MTU),
				 .mtu = 1500 };
	struct config desired = { .has = actual.has, .mtu = 9000, .host.tcp_ecn = 1 };
	struct plan p;

	(void)s;
	plan_make(&p, (struct features){ list, 2 }, &any_port, &desired, &actual);
	assert_int_equal(p.count, 1);
	assert_int_equal(p.steps[0].change, SETTING(SETTING_MTU));
	assert_int_equal(p.proof.has, SETTING(SETTING_MTU));
	assert_int_equal(p.back.has, SETTING(SETTING_MTU));
}

static void a_rounded_value_is_never_close_enough(void **s)
{
	struct fake f = fresh_port();
	struct config desired = parsed("{\"pfc\": {\"cable_m\": 30}}");
	struct result r;

	(void)s;
	f.fault = FAULT_DEAF;
	f.only_writes = true;
	f.fail_at = 1;
	assert_false(go(&f, &desired, &r));
	assert_int_equal(r.err.kind, ERR_VERIFY);
	assert_non_null(strstr(r.err.text, "pfc.cable_m (expected 30, reads "));
	assert_string_not_equal(r.err.fix, "");
	assert_int_equal(r.outcome, OUTCOME_FAILED);
}

static void a_host_that_may_not_write_refuses_every_write(void **s)
{
	struct config desired = parsed(lossless);
	struct fake f = fresh_port();
	struct plan p = plan_for(&f, &desired);

	(void)s;
	f.host.may_write = false;
	for (size_t i = 0; i < p.count; i++) {
		struct err err = { 0 };

		assert_false(p.steps[i].feature->write(&f.host, &f.port, plan_before(&p, i),
						       &p.steps[i].after, &err));
		/* Advertising needs lldpad, which is missing. */
		assert_int_equal(err.kind, p.steps[i].feature == &feature_advertise ? ERR_MISSING
										    : ERR_REFUSED);
	}
	assert_int_equal(f.writes, 0);
}

/* Only back ends of the same settings share them, and those follow each other in the list. */
static void every_setting_has_one_owner(void **s)
{
	setting_set seen = 0, only_verified = UNWRITABLE_SETTINGS | SETTING(SETTING_ROCE_ENABLED) |
					      SETTING(SETTING_ROCE_V2_GID) |
					      SETTING(SETTING_HOST_TCP_ECN) |
					      SETTING(SETTING_PEER_MUST_AGREE);

	(void)s;
	for (size_t i = 0; i < fake_features.count; i++) {
		const struct feature *f = fake_features.list[i],
				     *before = i ? fake_features.list[i - 1] : NULL;

		assert_true((seen & f->owns) == 0 || (before && before->owns == f->owns));
		assert_non_null(f->source);
		seen |= f->owns;
	}
	assert_true(seen == (EVERY_SETTING & ~SETTING(SETTING_DSCP_REST) & ~only_verified));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_apply_reaches_every_setting),
		cmocka_unit_test(a_second_apply_writes_nothing),
		cmocka_unit_test(a_reading_proves_no_setting_that_was_lost),
		cmocka_unit_test(a_map_without_entries_is_called_irreversible),
		cmocka_unit_test(trust_disrupts_as_the_driver_and_the_adapter_have_it),
		cmocka_unit_test(a_smaller_mtu_disrupts_rdma),
		cmocka_unit_test(all_64_dscps_are_written),
		cmocka_unit_test(trust_pcp_deletes_every_entry),
		cmocka_unit_test(an_entry_that_cannot_be_deleted_leaves_no_other),
		cmocka_unit_test(side_effects_are_those_of_the_driver),
		cmocka_unit_test(a_side_effect_that_does_not_come_is_found),
		cmocka_unit_test(each_step_has_a_status),
		cmocka_unit_test(what_is_only_verified_is_neither_planned_nor_proven),
		cmocka_unit_test(a_rounded_value_is_never_close_enough),
		cmocka_unit_test(a_host_that_may_not_write_refuses_every_write),
		cmocka_unit_test(every_setting_has_one_owner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
