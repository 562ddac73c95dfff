/* Both sides of a change in a narrow table: they never look equal. */
#include <string.h>

#include "cli/output/short_text.h"
#include "tests/support/unit.h"

struct sides {
	struct config from, to;
	char before[SHORT_TEXT_MAX], after[SHORT_TEXT_MAX];
};

static struct sides maps(void)
{
	struct sides s = { .from.has = SETTING(SETTING_DSCP_PRIO),
			   .to.has = SETTING(SETTING_DSCP_PRIO) };

	for (int d = 0; d < DSCPS; d++)
		s.from.dscp.prio[d] = s.to.dscp.prio[d] = DSCP_KEEP;
	return s;
}

static void show(struct sides *s, unsigned setting)
{
	short_change(setting, &s->from, &s->to, s->before, s->after);
}

static void few_entries_are_spelled(void **state)
{
	struct sides s = maps();

	(void)state;
	s.from.dscp.prio[26] = 3;
	s.to.dscp.prio[26] = 4;
	show(&s, SETTING_DSCP_PRIO);
	assert_string_equal(s.before, "26:3");
	assert_string_equal(s.after, "26:4");
}

static void as_many_entries_are_told_apart(void **state)
{
	struct sides s = maps();

	(void)state;
	for (int d = 10; d < DSCPS; d++) {
		s.from.dscp.prio[d] = 0;
		s.to.dscp.prio[d] = (int8_t)(d >> 3);
	}
	show(&s, SETTING_DSCP_PRIO);
	assert_string_equal(s.before, "10-63:0");
	assert_string_equal(s.after, "10-15:1 16-23:2 24-3...");
}

/* Rates that differ far behind: what is equal before them is left out. */
static void a_difference_far_behind_is_shown(void **state)
{
	struct sides s = { .from.has = SETTING(SETTING_MAXRATE_TC_MBPS),
			   .to.has = SETTING(SETTING_MAXRATE_TC_MBPS) };

	(void)state;
	for (int tc = 0; tc < PRIOS; tc++)
		s.from.maxrate.tc_mbps[tc] = s.to.maxrate.tc_mbps[tc] = 100000;
	s.to.maxrate.tc_mbps[7] = 200000;
	show(&s, SETTING_MAXRATE_TC_MBPS);
	assert_string_not_equal(s.before, s.after);
	assert_non_null(strstr(s.after, "200000"));
}

static void what_is_not_known_is_a_dash(void **state)
{
	struct sides s = maps();

	(void)state;
	s.from.has = 0;
	s.to.dscp.prio[26] = 3;
	show(&s, SETTING_DSCP_PRIO);
	assert_string_equal(s.before, "-");
	assert_string_equal(s.after, "26:3");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_entries_are_spelled),
		cmocka_unit_test(as_many_entries_are_told_apart),
		cmocka_unit_test(a_difference_far_behind_is_shown),
		cmocka_unit_test(what_is_not_known_is_a_dash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
