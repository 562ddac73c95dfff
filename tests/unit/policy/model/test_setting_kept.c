/* Tests of DSCP entries that a policy keeps as they are: equality, copy, overlay and narrow. */
#include <string.h>

#include "tests/support/parse.h"
#include "tests/support/unit.h"

static const struct setting *map(void)
{
	return &settings[SETTING_DSCP_PRIO];
}

/* Make a port's map: DSCP >> 3, or no entry. */
static struct config observed(bool full)
{
	struct config c = { .has = SETTING(SETTING_DSCP_PRIO) | SETTING(SETTING_MTU), .mtu = 1500 };

	for (int d = 0; d < DSCPS; d++)
		c.dscp.prio[d] = (int8_t)(full ? d >> 3 : DSCP_NONE);
	return c;
}

static void a_kept_entry_equals_every_entry_either_way_round(void **s)
{
	struct config desired = config_of("{'dscp': {'prio': {'26': 3}}}"), actual = observed(true);

	(void)s;
	assert_true(setting_equal(map(), &desired, &actual));
	assert_true(setting_equal(map(), &actual, &desired));
}

static void an_entry_that_is_named_is_judged(void **s)
{
	struct config desired = config_of("{'dscp': {'prio': {'26': 4}}}"), actual = observed(true);

	(void)s;
	assert_false(setting_equal(map(), &desired, &actual));
	assert_false(setting_equal(map(), &actual, &desired));
	assert_true(config_diff(&desired, &actual) == SETTING(SETTING_DSCP_PRIO));
}

static void no_entry_is_not_a_kept_entry(void **s)
{
	struct config desired = config_of("{'dscp': {'prio': {'26': 3}}}"),
		      actual = observed(false);

	(void)s;
	assert_false(setting_equal(map(), &desired, &actual));
}

static void the_value_of_keep_in_another_setting_is_an_ordinary_value(void **s)
{
	struct config a = { .has = SETTING(SETTING_ROCE_TOS) }, b = a;

	(void)s;
	a.roce.tos = (uint8_t)DSCP_KEEP;
	assert_false(setting_equal(&settings[SETTING_ROCE_TOS], &a, &b));
}

static void overlay_leaves_kept_entries_as_they_are(void **s)
{
	struct config desired = config_of("{'dscp': {'prio': {'26': 7, '63': 0}}}"),
		      actual = observed(true);
	struct config goal = config_overlay(&actual, &desired);

	(void)s;
	for (int d = 0; d < DSCPS; d++)
		assert_int_equal(goal.dscp.prio[d], d == 26 ? 7 : d == 63 ? 0 : d >> 3);
	assert_true(goal.has == actual.has);
	assert_int_equal(goal.mtu, 1500);
}

static void overlay_over_nothing_keeps_the_keeps(void **s)
{
	struct config desired = config_of("{'dscp': {'prio': {'26': 7}}}"), none = { 0 };
	struct config goal = config_overlay(&none, &desired);

	(void)s;
	assert_int_equal(goal.dscp.prio[26], 7);
	assert_int_equal(goal.dscp.prio[27], DSCP_KEEP);
	assert_true(goal.has == SETTING(SETTING_DSCP_PRIO));
}

static void a_copy_onto_a_setting_that_is_not_there_ignores_what_lies_below(void **s)
{
	struct config from = config_of("{'dscp': {'prio': {'26': 7}}}"), to = { 0 };

	(void)s;
	memset(to.dscp.prio, 5, DSCPS);
	setting_copy(map(), &to, &from);
	assert_int_equal(to.dscp.prio[27], DSCP_KEEP);
}

static void a_copy_of_none_removes_the_entry(void **s)
{
	struct config from = observed(false), to = observed(true);

	(void)s;
	setting_copy(map(), &to, &from);
	for (int d = 0; d < DSCPS; d++)
		assert_int_equal(to.dscp.prio[d], DSCP_NONE);
}

static void every_setting_is_copied_with_its_bit_and_nothing_else(void **s)
{
	(void)s;
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		struct config from = { .has = EVERY_SETTING }, to = { 0 };

		for (size_t e = 0; e < settings[i].count; e++)
			setting_set_element(&settings[i], &from, e, settings[i].max);
		setting_copy(&settings[i], &to, &from);
		assert_true(to.has == SETTING(i));
		assert_true(setting_equal(&settings[i], &to, &from));
		for (size_t other = 0; other < SETTING_COUNT; other++)
			for (size_t e = 0; other != i && e < settings[other].count; e++)
				assert_int_equal(setting_element(&settings[other], &to, e), 0);
	}
}

static void narrow_leaves_only_the_entries_that_differ(void **s)
{
	struct config a = observed(true), b = observed(true);

	(void)s;
	b.dscp.prio[26] = 5;
	b.dscp.prio[27] = DSCP_NONE;
	setting_drop_equal(map(), &a, &b);
	for (int d = 0; d < DSCPS; d++) {
		assert_int_equal(a.dscp.prio[d], d == 26 || d == 27 ? 3 : DSCP_KEEP);
		assert_int_equal(b.dscp.prio[d], d == 26 ? 5 : d == 27 ? DSCP_NONE : DSCP_KEEP);
	}
}

static void narrow_does_not_show_what_is_not_judged(void **s)
{
	struct config desired = config_of("{'dscp': {'prio': {'26': 4}}}"), actual = observed(true);

	(void)s;
	setting_drop_equal(map(), &actual, &desired);
	assert_int_equal(actual.dscp.prio[26], 3);
	assert_int_equal(actual.dscp.prio[27], DSCP_KEEP);
}

static void narrow_changes_no_other_setting(void **s)
{
	(void)s;
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		struct config a = { .has = EVERY_SETTING }, b = a, kept = a;

		if (settings[i].type == T_DSCPMAP)
			continue;
		setting_drop_equal(&settings[i], &a, &b);
		assert_memory_equal(&a, &kept, sizeof(a));
		assert_memory_equal(&b, &kept, sizeof(b));
	}
}

static void what_is_wanted_and_not_there_differs(void **s)
{
	struct config desired = config_of("{'mtu': 68}"), actual = { 0 };

	(void)s;
	assert_true(config_diff(&desired, &actual) == SETTING(SETTING_MTU));
	assert_true(config_diff(&actual, &desired) == 0);
}

static void what_nobody_wants_does_not_differ(void **s)
{
	struct config desired = { 0 }, actual = observed(true);

	(void)s;
	assert_true(config_diff(&desired, &actual) == 0);
}

static void every_element_of_every_setting_makes_a_difference(void **s)
{
	(void)s;
	for (size_t i = 0; i < SETTING_COUNT; i++)
		for (size_t e = 0; e < settings[i].count; e++) {
			struct config actual = { .has = EVERY_SETTING }, desired = actual;

			if (settings[i].type > T_DSCPMAP)
				continue; /* elements that are structs */
			setting_set_element(&settings[i], &desired, e, settings[i].max);
			if (config_diff(&desired, &actual) != SETTING(i))
				fail_msg("%s: element %zu", settings[i].path, e);
		}
}

static void a_speed_may_be_higher_and_never_lower(void **s)
{
	struct config desired = { .has = SETTING(SETTING_LINK_MIN_SPEED_MBPS) }, actual = desired;

	(void)s;
	desired.link.min_speed_mbps = 100000;
	actual.link.min_speed_mbps = 200000;
	assert_true(config_diff(&desired, &actual) == 0);
	actual.link.min_speed_mbps = 99999;
	assert_true(config_diff(&desired, &actual) == desired.has);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_kept_entry_equals_every_entry_either_way_round);
	SUITE_ADD(&s, an_entry_that_is_named_is_judged);
	SUITE_ADD(&s, no_entry_is_not_a_kept_entry);
	SUITE_ADD(&s, the_value_of_keep_in_another_setting_is_an_ordinary_value);
	SUITE_ADD(&s, overlay_leaves_kept_entries_as_they_are);
	SUITE_ADD(&s, overlay_over_nothing_keeps_the_keeps);
	SUITE_ADD(&s, a_copy_onto_a_setting_that_is_not_there_ignores_what_lies_below);
	SUITE_ADD(&s, a_copy_of_none_removes_the_entry);
	SUITE_ADD(&s, every_setting_is_copied_with_its_bit_and_nothing_else);
	SUITE_ADD(&s, narrow_leaves_only_the_entries_that_differ);
	SUITE_ADD(&s, narrow_does_not_show_what_is_not_judged);
	SUITE_ADD(&s, narrow_changes_no_other_setting);
	SUITE_ADD(&s, what_is_wanted_and_not_there_differs);
	SUITE_ADD(&s, what_nobody_wants_does_not_differ);
	SUITE_ADD(&s, every_element_of_every_setting_makes_a_difference);
	SUITE_ADD(&s, a_speed_may_be_higher_and_never_lower);
	return suite_run(&s, "keep");
}
