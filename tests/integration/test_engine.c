#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "dcb/registry.h"
#include "policy/model/setting.h"
#include "roce/registry.h"
#include "wish.h"

static struct fake fresh(void)
{
	struct fake f;

	fake_init(&f);
	f.has_rdma_cm = true;
	return f;
}

/* Which step of a plan belongs to a feature; -1: none. */
static int step_of(const struct plan *p, const char *feature)
{
	for (size_t i = 0; i < p->count; i++)
		if (strcmp(p->steps[i].feature->name, feature) == 0)
			return (int)i;
	return -1;
}

static const struct port any = { .id.driver = "mlx5_core" };

static struct plan plan_for(struct fake *f, const struct config *desired)
{
	struct observation seen;
	struct plan p;
	struct err err = { 0 };

	assert_true(observe(&f->host, fake_features, &f->port, &seen, &err));
	plan_make(&p, observation_features(&seen), &f->port, desired, &seen.actual);
	return p;
}

static void an_apply_reaches_every_setting(void **s)
{
	struct fake f = fresh();
	struct config desired = wish(lossless);
	struct result r;

	(void)s;
	assert_true(go(&f, &desired, &r));
	assert_int_equal(r.outcome, OUTCOME_APPLIED);
	assert_true(hardware_has(&f.hw, &desired));
}

static void a_second_apply_writes_nothing(void **s)
{
	struct fake f = fresh();
	struct config desired = wish(lossless);
	struct result r;
	unsigned writes;

	(void)s;
	assert_true(go(&f, &desired, &r));
	writes = f.writes;
	assert_true(go(&f, &desired, &r));
	assert_int_equal(r.outcome, OUTCOME_UNCHANGED);
	assert_int_equal(f.writes, writes);
}

static void traffic_arrives_when_everything_stands(void **s)
{
	struct fake f = fresh();
	struct config desired = wish(lossless);
	struct plan p = plan_for(&f, &desired);

	(void)s;
	assert_true(step_of(&p, "mtu") < step_of(&p, "pause"));
	assert_true(step_of(&p, "pause") < step_of(&p, "cable"));
	assert_true(step_of(&p, "buffer") < step_of(&p, "cable"));
	assert_true(step_of(&p, "buffer") < step_of(&p, "pfc"));
	assert_true(step_of(&p, "pfc") < step_of(&p, "ets"));
	assert_true(step_of(&p, "ets") < step_of(&p, "maxrate"));
	assert_true(step_of(&p, "maxrate") < step_of(&p, "storm"));
	assert_true(step_of(&p, "storm") < step_of(&p, "dcqcn"));
	assert_true(step_of(&p, "dcqcn") < step_of(&p, "cnp"));
	assert_true(step_of(&p, "cnp") < step_of(&p, "dscp"));
	assert_true(step_of(&p, "dscp") < step_of(&p, "vlan"));
	assert_true(step_of(&p, "vlan") < step_of(&p, "roce-tos"));
	assert_int_equal(p.count, 14); /* all but DCBX, which is with the host already */
}

static void only_a_pfc_change_flaps_the_link_and_only_once(void **s)
{
	struct fake f = fresh();
	struct config desired = wish(lossless);
	struct result r;

	(void)s;
	assert_true(go(&f, &desired, &r));
	assert_int_equal(f.carrier_changes, 2); /* down and up */
}

static void a_port_without_link_is_set_without_waiting(void **s)
{
	struct fake f = fresh();
	struct config desired = wish(lossless);
	uint64_t start = f.now;
	struct result r;

	(void)s;
	f.carrier_stuck = true;
	fake_flap(&f);
	assert_true(go(&f, &desired, &r));
	assert_true(f.now - start < 1000);
}

static void a_policy_silent_on_pause_gets_it_back_on_undo(void **s)
{
	struct fake f = fresh();
	struct hardware before = f.hw;
	struct config desired = wish("{\"pfc\": {\"priorities\": [3]}, \"roce\": {\"tos\": 106}}");
	struct result r;

	(void)s;
	f.only_writes = true;
	f.fail_at = 3; /* PFC, the same mask again with the link up, then ToS */
	assert_false(go(&f, &desired, &r));
	assert_int_equal(r.outcome, OUTCOME_ROLLED_BACK);
	assert_true(f.hw.pause_rx && f.hw.pause_tx);
	assert_true(hardware_is(&f.hw, &before));
}

static void the_plan_shows_that_pfc_clears_pause(void **s)
{
	struct fake f = fresh();
	struct config desired = wish("{\"pfc\": {\"priorities\": [3]}}");
	struct plan p = plan_for(&f, &desired);

	(void)s;
	assert_int_equal(p.count, 1);
	assert_true(p.steps[0].side == (SETTING(SETTING_PAUSE_RX) | SETTING(SETTING_PAUSE_TX)));
	assert_true(p.back.has & SETTING(SETTING_PAUSE_RX));
}

static void pause_goes_on_after_pfc_is_off(void **s)
{
	struct fake f = fresh();
	struct config with_pfc = wish("{\"pfc\": {\"priorities\": [3]}}");
	struct config with_pause =
		wish("{\"pfc\": {\"priorities\": []}, \"pause\": {\"rx\": true, \"tx\": true}}");
	struct result r;
	struct plan p;

	(void)s;
	assert_true(go(&f, &with_pfc, &r));
	p = plan_for(&f, &with_pause);
	assert_int_equal(p.count, 2);
	assert_int_equal(step_of(&p, "pfc"), 0);
	assert_true(go(&f, &with_pause, &r));
	assert_true(f.hw.pause_rx && f.hw.pause_tx && f.hw.pfc == 0);
}

static void traffic_leaves_a_priority_before_it_loses_its_guarantee(void **s)
{
	struct fake f = fresh();
	struct config desired = wish(lossless);
	struct config back = wish("{\"pfc\": {\"priorities\": []}, \"trust\": \"pcp\","
				  " \"roce\": {\"tos\": 0}}");
	struct result r;
	struct plan p;

	(void)s;
	assert_true(go(&f, &desired, &r));
	p = plan_for(&f, &back);
	assert_int_equal(p.count, 3);
	assert_int_equal(step_of(&p, "roce-tos"), 0);
	assert_int_equal(step_of(&p, "dscp"), 1);
	assert_int_equal(step_of(&p, "pfc"), 2);
}

static void a_map_without_entries_is_called_irreversible(void **s)
{
	struct fake f = fresh();
	struct config desired = wish("{\"trust\": \"dscp\"}");
	struct plan p = plan_for(&f, &desired);

	(void)s;
	assert_non_null(p.steps[0].irreversible);
	assert_int_equal(p.steps[0].disrupts, DISRUPTS_TRAFFIC);
}

static void all_64_dscps_are_written(void **s)
{
	struct fake f = fresh();
	struct config desired = wish("{\"dscp\": {\"prio\": {\"26\": 3}}}");
	struct result r;

	(void)s;
	assert_true(go(&f, &desired, &r));
	for (int d = 0; d < DSCPS; d++)
		assert_int_equal(f.hw.entry[d], d == 26 ? 3 : d >> 3);
}

static void trust_pcp_deletes_every_entry(void **s)
{
	struct fake f = fresh();
	struct config dscp = wish("{\"trust\": \"dscp\"}"), pcp = wish("{\"trust\": \"pcp\"}");
	struct result r;

	(void)s;
	assert_true(go(&f, &dscp, &r));
	assert_true(go(&f, &pcp, &r));
	assert_int_equal(f.hw.count, 0);
	assert_false(f.hw.trusts_dscp);
}

static void a_failed_dscp_write_does_not_leave_trust_on_pcp(void **s)
{
	struct fake f = fresh();
	struct config first = wish("{\"dscp\": {\"prio\": {\"26\": 3}, \"rest\": 0}}");
	struct config second = wish("{\"dscp\": {\"prio\": {\"26\": 4}, \"rest\": 0}}");
	struct hardware before;
	struct result r;

	(void)s;
	assert_true(go(&f, &first, &r));
	before = f.hw;
	f.fault = FAULT_LATE;
	f.only_writes = true;
	f.fail_at = f.writes + 1;
	assert_false(go(&f, &second, &r));
	assert_int_equal(r.outcome, OUTCOME_ROLLED_BACK);
	assert_true(f.hw.trusts_dscp); /* reading the table alone would not tell */
	assert_true(hardware_is(&f.hw, &before));
}

/* The write of it sets a priority's buffer aside for a moment. */
static void a_buffer_write_cut_short_puts_the_map_back_too(void **s)
{
	struct config desired = wish("{\"buffer\": {\"size_bytes\": [60000,0,0,0,0,0,0,0]}}");

	(void)s;
	for (unsigned n = 1; n <= 3; n++) {
		struct fake f = fresh();
		struct hardware before;
		struct result r;

		f.hw.pause_rx = f.hw.pause_tx = false;
		before = f.hw;
		f.only_writes = true;
		f.fail_at = n;
		f.fault = FAULT_LOST;
		assert_false(go(&f, &desired, &r));
		assert_int_equal(r.outcome, OUTCOME_ROLLED_BACK);
		assert_true(hardware_is(&f.hw, &before));
	}
}

/* A size may come out lower than asked for, by less than a cell; but not than it was. */
static void a_size_goes_back_to_the_byte(void **s)
{
	struct config desired = wish("{\"buffer\": {\"size_bytes\": [59904,0,0,0,0,0,0,0]}}");
	struct fake f = fresh();
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
	assert_int_equal(r.outcome, OUTCOME_ROLLED_BACK);
	assert_int_equal(f.hw.buffer_size[0], before.buffer_size[0]);
}

/* Whose hidden damage no reading shows: it is mended on the way back, too. */
static void trust_lost_while_going_back_is_mended(void **s)
{
	struct config first = wish("{\"dscp\": {\"prio\": {\"26\": 3}, \"rest\": 0}}");
	struct config second = wish("{\"dscp\": {\"prio\": {\"26\": 4, \"27\": 5}, \"rest\": 0},"
				    " \"roce\": {\"tos\": 106}}");
	struct fake f = fresh();
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

/* The driver counts an entry too many from then on, and no later entry makes the port trust. */
static void trust_lost_by_a_failed_delete_is_named(void **s)
{
	struct config first = wish("{\"dscp\": {\"prio\": {\"26\": 3}, \"rest\": 0}}");
	struct config second = wish("{\"trust\": \"pcp\"}");
	struct fake f = fresh();
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
	struct config first = wish("{\"dscp\": {\"prio\": {\"26\": 3}, \"rest\": 0}}");
	struct config second = wish("{\"dscp\": {\"prio\": {\"26\": 4}, \"rest\": 0}}");
	struct fake f = fresh();
	struct hardware before;
	struct result r;

	(void)s;
	assert_true(go(&f, &first, &r));
	before = f.hw;
	f.fault = FAULT_REFUSED;
	f.only_writes = true;
	f.fail_from = f.writes + 1;
	assert_false(go(&f, &second, &r));
	assert_int_equal(r.outcome, OUTCOME_ROLLED_BACK);
	assert_true(hardware_is(&f.hw, &before));
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
		{ "bnxt_en", 0, DISRUPTS_NONE },
		{ "ice", 0, DISRUPTS_TRAFFIC },
		{ "some_other", 0, DISRUPTS_LINK },
	};
	struct config desired = wish("{\"pfc\": {\"priorities\": [3]}}");

	(void)s;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fake f = fresh();
		struct plan p;

		snprintf(f.port.id.driver, sizeof(f.port.id.driver), "%s", rows[i].driver);
		p = plan_for(&f, &desired);
		assert_int_equal(p.steps[0].side, rows[i].side);
		assert_int_equal(p.steps[0].disrupts, rows[i].disrupts);
		assert_int_equal(p.proof.has, SETTING(SETTING_PFC_PRIORITIES) | rows[i].side);
	}
}

static void each_step_has_a_status(void **s)
{
	struct config desired = wish("{\"mtu\": 4200, \"pfc\": {\"priorities\": [3]},"
				     " \"roce\": {\"tos\": 106}}");
	struct fake f = fresh();
	struct plan p = plan_for(&f, &desired);
	struct result r;

	(void)s;
	f.fault = FAULT_REFUSED;
	f.only_writes = true;
	f.fail_at = f.writes + 2; /* PFC */
	assert_false(plan_apply(&f.host, fake_features, &f.port, &p, &r));
	assert_int_equal(step_status(&p, &r, 0), STEP_DONE);
	assert_int_equal(step_status(&p, &r, 1), STEP_FAILED);
	assert_int_equal(step_status(&p, &r, 2), STEP_NOT_ATTEMPTED);
	assert_string_equal(step_status_name(STEP_NOT_ATTEMPTED), "not_attempted");
	assert_int_equal(r.rollback_tries, 1);
	assert_int_equal(r.rollback_err.kind, ERR_NONE);
}

static void what_cannot_be_proven_to_be_back_is_stranded(void **s)
{
	struct fake f = fresh();
	struct config first = wish("{\"dscp\": {\"prio\": {\"26\": 3}, \"rest\": 0}}");
	struct config second = wish("{\"dscp\": {\"prio\": {\"26\": 4}, \"rest\": 0},"
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
	assert_int_equal(f.hw.count, DSCPS); /* nothing was deleted that could not be put back */
}

/* The MTU reads as it was for a while after it was set. */
static uint64_t late_until;

static bool link_late(struct host *h, unsigned ifindex, struct link *ret, struct err *err)
{
	static bool (*now)(struct host *, unsigned, struct link *, struct err *);
	struct fake whole;

	if (!now) {
		fake_init(&whole);
		now = whole.host.link;
	}
	if (!now(h, ifindex, ret, err))
		return false;
	if (((struct fake *)h)->now < late_until)
		ret->mtu = 1500;
	return true;
}

static void what_takes_effect_late_is_waited_for(void **s)
{
	struct config desired = wish("{\"mtu\": 4200}");
	struct fake soon = fresh(), never = fresh();
	struct result r;

	(void)s;
	soon.host.link = never.host.link = link_late;
	late_until = soon.now + 700;
	assert_true(go(&soon, &desired, &r));
	assert_int_equal(r.outcome, OUTCOME_APPLIED);
	late_until = UINT64_MAX;
	assert_false(go(&never, &desired, &r));
	assert_int_equal(r.outcome, OUTCOME_ROLLED_BACK);
}

/* mlx5 works headroom out from the MTU, but only when PFC is sent. */
static void another_mtu_has_pfc_sent_again_where_there_is_some(void **s)
{
	struct config first = wish("{\"pfc\": {\"priorities\": [3]}}"),
		      desired = wish("{\"mtu\": 4200}");
	struct fake with = fresh(), without = fresh();
	struct result r;
	unsigned before;

	(void)s;
	assert_true(go(&with, &first, &r));
	before = with.writes;
	assert_true(go(&with, &desired, &r));
	assert_int_equal(with.writes - before, 2);
	assert_true(go(&without, &desired, &r));
	assert_int_equal(without.writes, 1);
}

static unsigned mtus_set;

/* The second time, which is on the way back, it is refused. */
static bool refuse_the_second(struct host *h, unsigned ifindex, uint32_t mtu, struct err *err)
{
	(void)ifindex;
	if (++mtus_set == 2)
		return err_set(err, ERR_SYSTEM, EBUSY, "busy");
	((struct fake *)h)->hw.mtu = mtu;
	return true;
}

static void going_back_is_tried_again(void **s)
{
	struct config desired = wish("{\"mtu\": 4200, \"roce\": {\"tos\": 106}}");
	struct fake f = fresh();
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
	assert_int_equal(r.outcome, OUTCOME_ROLLED_BACK);
	assert_true(hardware_is(&f.hw, &before));
}

static void what_is_only_verified_is_neither_planned_nor_proven(void **s)
{
	static const struct feature *const list[] = { &feature_tcp_ecn, &feature_mtu };
	struct config actual = { .has = SETTING(SETTING_HOST_TCP_ECN) | SETTING(SETTING_MTU),
				 .mtu = 1500 };
	struct config desired = { .has = actual.has, .mtu = 9000, .host.tcp_ecn = 1 };
	struct plan p;

	(void)s;
	plan_make(&p, (struct features){ list, 2 }, &any, &desired, &actual);
	assert_int_equal(p.count, 1);
	assert_int_equal(p.steps[0].change, SETTING(SETTING_MTU));
	assert_int_equal(p.proof.has, SETTING(SETTING_MTU));
	assert_int_equal(p.back.has, SETTING(SETTING_MTU));
}

/* mlx5 clears the mode of CNPs when their priority is written. */
static void what_a_write_may_take_along_is_proven_and_goes_back(void **s)
{
	static const struct feature *const list[] = { &feature_cnp_debugfs };
	struct config actual = { .has = SETTING(SETTING_CNP_PRIORITY) |
					SETTING(SETTING_CNP_PRIORITY_MODE),
				 .cnp = { .priority = 5, .priority_mode = 1 } };
	struct config desired = { .has = SETTING(SETTING_CNP_PRIORITY), .cnp.priority = 6 };
	struct plan p;

	(void)s;
	plan_make(&p, (struct features){ list, 1 }, &any, &desired, &actual);
	assert_int_equal(p.count, 1);
	assert_int_equal(p.proof.has, actual.has);
	assert_int_equal(p.back.has, actual.has);
}

/* One that is not changed may be gone by the time of going back. */
static void only_vlan_devices_that_change_go_back(void **s)
{
	static const struct feature *const list[] = { &feature_vlan };
	struct config actual = { .has = SETTING(SETTING_VLAN_EGRESS) }, desired = actual;
	struct plan p;

	(void)s;
	actual.vlan.egress[0] = (struct vlan_egress){ .name = "v100" };
	actual.vlan.egress[1] = (struct vlan_egress){ .name = "v200" };
	desired.vlan.egress[0] = (struct vlan_egress){ .name = "v200", .pcp = { [3] = 3 } };
	plan_make(&p, (struct features){ list, 1 }, &any, &desired, &actual);
	assert_int_equal(p.count, 1);
	assert_string_equal(p.back.vlan.egress[0].name, "v200");
	assert_int_equal(p.back.vlan.egress[0].pcp[3], 0);
	assert_string_equal(p.back.vlan.egress[1].name, "");
}

static void a_link_that_stays_away_is_undone_and_said(void **s)
{
	struct fake f = fresh();
	struct config desired = wish("{\"pfc\": {\"priorities\": [3]}}");
	struct result r;

	(void)s;
	f.carrier_stuck = true;
	assert_false(go(&f, &desired, &r));
	assert_int_equal(r.err.kind, ERR_ROLLBACK_FAILED);
	assert_true(r.no_carrier);
	assert_int_equal(f.hw.pfc, 0); /* the setting itself is back */
	assert_int_equal(err_exit_code(&r.err), 4);
}

static void an_interrupt_puts_the_port_back(void **s)
{
	struct config desired = wish(lossless);

	(void)s;
	for (unsigned n = 1; n <= 7; n++) {
		struct fake f = fresh();
		struct hardware before = f.hw;
		struct result r;

		f.signal_at = n;
		assert_false(go(&f, &desired, &r));
		assert_int_equal(r.outcome, OUTCOME_ROLLED_BACK);
		assert_int_equal(r.err.kind, ERR_INTERRUPTED);
		assert_int_equal(err_exit_code(&r.err), 128 + SIGINT);
		assert_true(hardware_is(&f.hw, &before));
	}
}

static void a_rounded_value_is_never_close_enough(void **s)
{
	struct fake f = fresh();
	struct config desired = wish("{\"pfc\": {\"cable_m\": 30}}");
	struct result r;

	(void)s;
	f.fault = FAULT_DEAF;
	f.only_writes = true;
	f.fail_at = 1;
	assert_false(go(&f, &desired, &r));
	assert_int_equal(r.err.kind, ERR_VERIFY);
	assert_non_null(strstr(r.err.text, "pfc.cable_m"));
	assert_int_equal(r.outcome, OUTCOME_ROLLED_BACK);
}

static void a_host_that_may_not_write_refuses_every_write(void **s)
{
	struct config desired = wish(lossless);
	struct fake f = fresh();
	struct plan p = plan_for(&f, &desired);

	(void)s;
	f.host.may_write = false;
	for (size_t i = 0; i < p.count; i++) {
		struct err err = { 0 };

		assert_false(p.steps[i].feature->write(&f.host, &f.port, plan_before(&p, i),
						       &p.steps[i].after, &err));
		/* Without an lldpad there is nobody to tell. */
		assert_int_equal(err.kind, p.steps[i].feature->phase == PHASE_SPEAK ? ERR_MISSING
										    : ERR_REFUSED);
	}
	assert_int_equal(f.writes, 0);
}

/* Back ends of the same settings stand side by side and own the same; nothing else is shared. */
static void every_setting_has_one_owner_and_phases_rise(void **s)
{
	setting_set seen = 0, only_verified = LINK_SETTINGS | SETTING(SETTING_ROCE_ENABLED) |
					      SETTING(SETTING_ROCE_V2_GID) |
					      SETTING(SETTING_HOST_TCP_ECN) |
					      SETTING(SETTING_PEER_MUST_AGREE);

	(void)s;
	for (size_t i = 0; i < fake_features.count; i++) {
		const struct feature *f = fake_features.list[i],
				     *before = i ? fake_features.list[i - 1] : NULL;

		assert_true((seen & f->owns) == 0 || (before && before->owns == f->owns));
		assert_true(!before || before->phase <= f->phase);
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
		cmocka_unit_test(traffic_arrives_when_everything_stands),
		cmocka_unit_test(only_a_pfc_change_flaps_the_link_and_only_once),
		cmocka_unit_test(a_port_without_link_is_set_without_waiting),
		cmocka_unit_test(a_policy_silent_on_pause_gets_it_back_on_undo),
		cmocka_unit_test(the_plan_shows_that_pfc_clears_pause),
		cmocka_unit_test(pause_goes_on_after_pfc_is_off),
		cmocka_unit_test(traffic_leaves_a_priority_before_it_loses_its_guarantee),
		cmocka_unit_test(a_map_without_entries_is_called_irreversible),
		cmocka_unit_test(all_64_dscps_are_written),
		cmocka_unit_test(trust_pcp_deletes_every_entry),
		cmocka_unit_test(a_failed_dscp_write_does_not_leave_trust_on_pcp),
		cmocka_unit_test(a_buffer_write_cut_short_puts_the_map_back_too),
		cmocka_unit_test(a_size_goes_back_to_the_byte),
		cmocka_unit_test(trust_lost_while_going_back_is_mended),
		cmocka_unit_test(trust_lost_by_a_failed_delete_is_named),
		cmocka_unit_test(an_entry_that_is_refused_for_good_strands_nothing),
		cmocka_unit_test(side_effects_are_those_of_the_driver),
		cmocka_unit_test(each_step_has_a_status),
		cmocka_unit_test(what_cannot_be_proven_to_be_back_is_stranded),
		cmocka_unit_test(what_takes_effect_late_is_waited_for),
		cmocka_unit_test(going_back_is_tried_again),
		cmocka_unit_test(what_is_only_verified_is_neither_planned_nor_proven),
		cmocka_unit_test(what_a_write_may_take_along_is_proven_and_goes_back),
		cmocka_unit_test(only_vlan_devices_that_change_go_back),
		cmocka_unit_test(another_mtu_has_pfc_sent_again_where_there_is_some),
		cmocka_unit_test(a_link_that_stays_away_is_undone_and_said),
		cmocka_unit_test(an_interrupt_puts_the_port_back),
		cmocka_unit_test(a_rounded_value_is_never_close_enough),
		cmocka_unit_test(a_host_that_may_not_write_refuses_every_write),
		cmocka_unit_test(every_setting_has_one_owner_and_phases_rise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
