/* Tests of DSCP entries: their order. */
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

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, lossless_dscps_come_first);

	return suite_run(&s, "dscp");
}
