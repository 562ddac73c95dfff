/* Tests of what a draft takes from the switch: its PFC, its ETS and the DSCPs that it names. */
#include "cli/draft/from_switch.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

/* A port with global pause that trusts PCP, and maps DSCP 10 alone, to priority 1. */
static struct config port(void)
{
	struct config c = { .has = SETTING(SETTING_TRUST) | SETTING(SETTING_DSCP_PRIO) |
				   SETTING(SETTING_PAUSE_RX) | SETTING(SETTING_PAUSE_TX) |
				   SETTING(SETTING_PFC_PRIORITIES) };

	memset(c.dscp.prio, DSCP_NONE, sizeof(c.dscp.prio));
	c.dscp.prio[10] = 1;
	c.trust = TRUST_PCP;
	c.pause.rx = c.pause.tx = true;
	return c;
}

static const struct lldp names_dscp_26 = {
	.has = LLDP_BIT(LLDP_APP),
	.apps = { { 5, 3, 26 } },
	.app_count = 1,
};

static void a_dscp_that_the_switch_names_takes_its_priority(void **s)
{
	struct config actual = port(), c = config_from_switch(&actual, &names_dscp_26);

	(void)s;
	for (int d = 0; d < DSCPS; d++)
		assert_int_equal(c.dscp.prio[d], d == 26 ? 3 : d == 10 ? 1 : 0);
	assert_int_equal(c.trust, TRUST_DSCP);
	assert_true(c.has == actual.has);
}

static void a_switch_that_names_no_dscp_leaves_the_map(void **s)
{
	static const struct lldp names_a_udp_port = {
		.has = LLDP_BIT(LLDP_APP),
		.apps = { { 4, 3, 4791 } },
		.app_count = 1,
	};
	struct config actual = port(), c = config_from_switch(&actual, &names_a_udp_port);

	(void)s;
	assert_memory_equal(&c, &actual, sizeof(c));
}

static void a_map_that_cannot_be_read_takes_no_dscp(void **s)
{
	struct config actual = port(), c;

	(void)s;
	actual.has &= ~SETTING(SETTING_DSCP_PRIO);
	c = config_from_switch(&actual, &names_dscp_26);
	assert_memory_equal(&c, &actual, sizeof(c));
}

static void PFC_replaces_global_pause(void **s)
{
	static const struct lldp none = { .has = LLDP_BIT(LLDP_PFC) },
				 three = { .has = LLDP_BIT(LLDP_PFC), .pfc = { .enabled = 8 } };
	struct config actual = port(), c = config_from_switch(&actual, &three);

	(void)s;
	assert_int_equal(c.pfc.priorities, 8);
	assert_false(c.pause.rx || c.pause.tx);
	c = config_from_switch(&actual, &none);
	assert_memory_equal(&c, &actual, sizeof(c));
}

static void ETS_is_taken_although_the_port_reports_none(void **s)
{
	static const struct lldp halves = {
		.has = LLDP_BIT(LLDP_ETS),
		.ets = { .prio_tc = { 0, 0, 0, 3 },
			 .bandwidth = { 50, 0, 0, 50 },
			 .tsa = { 2, 2, 2, 2 } },
	};
	struct config actual = port(), c = config_from_switch(&actual, &halves);

	(void)s;
	assert_true(c.has & SETTING(SETTING_ETS_BANDWIDTH));
	assert_int_equal(c.ets.prio_tc[3], 3);
	assert_int_equal(c.ets.tsa[3], TSA_ETS);
	assert_int_equal(c.ets.bandwidth[3], 50);
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD(&s, a_dscp_that_the_switch_names_takes_its_priority);
	SUITE_ADD(&s, a_switch_that_names_no_dscp_leaves_the_map);
	SUITE_ADD(&s, a_map_that_cannot_be_read_takes_no_dscp);
	SUITE_ADD(&s, PFC_replaces_global_pause);
	SUITE_ADD(&s, ETS_is_taken_although_the_port_reports_none);
	return suite_run(&s, "from_switch");
}
