/* Tests of DSCP entries: their order, and their side effects on classes. */
#include <stdio.h>
#include <string.h>

#include "dcb/registry.h"
#include "policy/model/setting.h"
#include "tests/support/recorder.h"
#include "tests/support/unit.h"

static const struct port port = { .id.name = "ens1f0np0", .ifindex = 7, .speed_mbps = 100000 };

/* The first entry switches trust to DSCP: the lossless traffic must keep its priority then. */
static void lossless_dscps_come_first(void **s)
{
	struct recorder d = recorder_with_pfc(0x08, 0);
	struct config from = { 0 }, to = { .pfc.priorities = 0x08 };
	struct err err = { 0 };

	(void)s;
	memset(from.dscp.prio, DSCP_NONE, sizeof(from.dscp.prio));
	memset(to.dscp.prio, DSCP_NONE, sizeof(to.dscp.prio));
	to.dscp.prio[10] = 1;
	to.dscp.prio[26] = 3;
	to.dscp.prio[48] = 6;
	assert_true(feature_dscp.write(&d.host, &port, &from, &to, &err));
	assert_int_equal(d.sent_count, 1);
	assert_int_equal(d.sent[0].apps_count, 3);
	assert_int_equal(d.sent[0].apps[0], 26);
	assert_int_equal(d.sent[0].apps[1], 10);
}

static const struct class_row {
	const char *sentence, *driver;
	uint8_t classes;
	bool adds; /* true: the first DSCP entry is added; false: the last one is deleted */
	uint8_t prio_tc_3, tsa_5, priorities;
	bool puts_classes_at_risk;
} class_rows[] = {
	{ "ice: the first DSCP entry gives each priority its class", "ice", 8, true, 3, TSA_ETS, 8,
	  true },
	{ "ice: no more classes than the port has", "ice", 3, true, 1, TSA_STRICT, 8, true },
	{ "ice: deleting the last DSCP entry resets ETS and PFC", "ice", 8, false, 0, TSA_STRICT, 0,
	  true },
	{ "mlx5: DSCP entries leave classes alone", "mlx5_core", 8, true, 1, TSA_STRICT, 8, false },
};

static void entries_change_classes_so(void **s)
{
	const struct class_row *row = *s;
	struct port p = { .traffic_classes = row->classes };
	struct config with = { .trust = TRUST_DSCP }, none = { .trust = TRUST_PCP };
	const struct config *from = row->adds ? &none : &with, *to = row->adds ? &with : &none;
	struct config after = { .ets.prio_tc = { 0, 0, 0, 1 }, .pfc.priorities = 0x08 };
	setting_set classes = feature_ets.owns | feature_pfc.owns;

	snprintf(p.id.driver, sizeof(p.id.driver), "%s", row->driver);
	feature_dscp.side_effects(&p, from, to, &after);
	assert_int_equal(after.ets.prio_tc[3], row->prio_tc_3);
	assert_int_equal(after.ets.tsa[5], row->tsa_5);
	assert_int_equal(after.pfc.priorities, row->priorities);
	assert_int_equal((feature_dscp.risks(&p, from, to) & classes) == classes,
			 row->puts_classes_at_risk);
	assert_int_equal(feature_dscp.risks(&p, to, to) & classes, 0);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, lossless_dscps_come_first);
	SUITE_ADD_ROWS(&s, class_rows, entries_change_classes_so);

	return suite_run(&s, "dscp");
}
