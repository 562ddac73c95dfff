/* Tests of values in a narrow table. */
#include "cli/output/peer_text.h"
#include "tests/support/unit.h"

static struct config map_of(int entries)
{
	struct config c = { .has = SETTING(SETTING_DSCP_PRIO) };

	for (int d = 0; d < DSCPS; d++)
		c.dscp.prio[d] = d >= 26 && d < 26 + entries ? 3 : DSCP_KEEP;
	return c;
}

static void assert_text(const struct config *c, unsigned setting, const char *expected)
{
	char buf[SHORT_TEXT_MAX];

	assert_string_equal(short_text(setting, c, buf), expected);
}

static void few_entries_are_spelled(void **state)
{
	struct config c = map_of(2);

	(void)state;
	assert_text(&c, SETTING_DSCP_PRIO, "26:3 27:3");
}

static void many_entries_are_counted(void **state)
{
	struct config c = map_of(4);

	(void)state;
	assert_text(&c, SETTING_DSCP_PRIO, "4 DSCPs");
}

static void an_unknown_value_is_a_dash(void **state)
{
	struct config c = { .has = 0 };

	(void)state;
	assert_text(&c, SETTING_DSCP_PRIO, "-");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_entries_are_spelled),
		cmocka_unit_test(many_entries_are_counted),
		cmocka_unit_test(an_unknown_value_is_a_dash),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
