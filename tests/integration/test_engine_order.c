/* Tests of the order of a plan's steps, of the link meanwhile, and of late effects. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

#include "cli/backends.h"
#include "policy/model/setting.h"
#include "tests/integration/plans.h"
#include "tests/integration/port_state.h"

/* The step of a plan that belongs to a feature; -1: none. */
static int step_of(const struct plan *p, const char *feature)
{
	for (size_t i = 0; i < p->count; i++)
		if (strcmp(p->steps[i].feature->name, feature) == 0)
			return (int)i;
	return -1;
}

static void traffic_arrives_when_everything_stands(void **s)
{
	struct fake f = fresh_port();
	struct config desired = parsed(lossless);
	struct plan p = plan_for(&f, &desired);

	(void)s;
	assert_true(step_of(&p, "mtu") < step_of(&p, "pause"));
	assert_true(step_of(&p, "pause") < step_of(&p, "pfc-cable"));
	assert_true(step_of(&p, "buffer") < step_of(&p, "pfc-cable"));
	assert_true(step_of(&p, "buffer") < step_of(&p, "pfc"));
	assert_true(step_of(&p, "pfc") < step_of(&p, "ets"));
	assert_true(step_of(&p, "ets") < step_of(&p, "maxrate"));
	assert_true(step_of(&p, "maxrate") < step_of(&p, "pfc-storm"));
	assert_true(step_of(&p, "pfc-storm") < step_of(&p, "dcqcn"));
	assert_true(step_of(&p, "dcqcn") < step_of(&p, "cnp"));
	assert_true(step_of(&p, "cnp") < step_of(&p, "dscp"));
	assert_true(step_of(&p, "dscp") < step_of(&p, "vlan"));
	assert_true(step_of(&p, "vlan") < step_of(&p, "roce-tos"));
	assert_int_equal(p.count, 14); /* all but DCBX, whose mode is host already */
}

/* The fake lacks some; without this the order of the program's list would not be tested. */
static void the_program_writes_in_the_order_of_these_tests(void **s)
{
	const struct features all = all_backends.features;
	size_t at = 0;

	(void)s;
	for (size_t i = 0; i < fake_features.count; i++) {
		while (at < all.count && all.list[at] != fake_features.list[i])
			at++;
		assert_true(at < all.count);
	}
}

static void only_a_pfc_change_flaps_the_link_and_only_once(void **s)
{
	struct fake f = fresh_port();
	struct config desired = parsed(lossless);
	struct result r;

	(void)s;
	assert_true(go(&f, &desired, &r));
	assert_int_equal(f.carrier_changes, 2); /* down and up */
}

static void a_port_without_link_is_set_without_waiting(void **s)
{
	struct fake f = fresh_port();
	struct config desired = parsed(lossless);
	uint64_t start = f.now;
	struct result r;

	(void)s;
	f.carrier_stuck = true;
	fake_flap(&f);
	assert_true(go(&f, &desired, &r));
	assert_true(f.now - start < 1000);
}

static void the_plan_shows_that_pfc_clears_pause(void **s)
{
	struct fake f = fresh_port();
	struct config desired = parsed("{\"pfc\": {\"priorities\": [3]}}");
	struct plan p = plan_for(&f, &desired);

	(void)s;
	assert_int_equal(p.count, 1);
	assert_true(p.steps[0].side == (SETTING(SETTING_PAUSE_RX) | SETTING(SETTING_PAUSE_TX)));
	assert_true(p.back.has & SETTING(SETTING_PAUSE_RX));
}

static void pause_goes_on_after_pfc_is_off(void **s)
{
	struct fake f = fresh_port();
	struct config with_pfc = parsed("{\"pfc\": {\"priorities\": [3]}}");
	struct config with_pause =
		parsed("{\"pfc\": {\"priorities\": []}, \"pause\": {\"rx\": true, \"tx\": true}}");
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
	struct fake f = fresh_port();
	struct config desired = parsed(lossless);
	struct config back = parsed("{\"pfc\": {\"priorities\": []}, \"trust\": \"pcp\","
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

/* Until this time the MTU reads as before it was set. */
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
	struct config desired = parsed("{\"mtu\": 4200}");
	struct fake soon = fresh_port(), never = fresh_port();
	struct result r;

	(void)s;
	soon.host.link = never.host.link = link_late;
	late_until = soon.now + 700;
	assert_true(go(&soon, &desired, &r));
	assert_int_equal(r.outcome, OUTCOME_APPLIED);
	late_until = UINT64_MAX;
	assert_false(go(&never, &desired, &r));
	assert_int_equal(r.outcome, OUTCOME_FAILED);
}

/* mlx5 computes headroom from the MTU, but only when PFC is written. */
static void another_mtu_has_pfc_sent_again_where_there_is_some(void **s)
{
	struct config first = parsed("{\"pfc\": {\"priorities\": [3]}}"),
		      desired = parsed("{\"mtu\": 4200}");
	struct fake with = fresh_port(), without = fresh_port();
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

static void buffers_as_they_are_are_written_where_PFC_would_resize_them(void **s)
{
	struct config desired =
		parsed("{\"pfc\": {\"priorities\": [3]}, \"pause\": {\"rx\": false, \"tx\": false},"
		       " \"buffer\": {\"size_bytes\": [262016,0,0,0,0,0,0,0],"
		       " \"prio_buffer\": [0,0,0,0,0,0,0,0]}}");
	struct fake f = fresh_port();
	struct result r;

	(void)s;
	assert_true(go(&f, &desired, &r));
	assert_true(hardware_has(&f.hw, &desired));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(traffic_arrives_when_everything_stands),
		cmocka_unit_test(the_program_writes_in_the_order_of_these_tests),
		cmocka_unit_test(only_a_pfc_change_flaps_the_link_and_only_once),
		cmocka_unit_test(a_port_without_link_is_set_without_waiting),
		cmocka_unit_test(the_plan_shows_that_pfc_clears_pause),
		cmocka_unit_test(pause_goes_on_after_pfc_is_off),
		cmocka_unit_test(traffic_leaves_a_priority_before_it_loses_its_guarantee),
		cmocka_unit_test(what_takes_effect_late_is_waited_for),
		cmocka_unit_test(buffers_as_they_are_are_written_where_PFC_would_resize_them),
		cmocka_unit_test(another_mtu_has_pfc_sent_again_where_there_is_some),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
