/* Tests of ETS: the shares of classes. */
#include <string.h>

#include "dcb/registry.h"
#include "tests/support/recorder.h"
#include "tests/support/unit.h"

static const struct port port = { .id.name = "ens1f0np0", .ifindex = 7, .speed_mbps = 100000 };

/* The kernel decides which number it reports for a class without a share. */
static void only_classes_that_share_have_a_share(void **s)
{
	struct recorder d = recorder_with_pfc(0, 0);
	struct config c = { 0 };
	struct err err = { 0 };

	(void)s;
	for (int tc = 0; tc < 8; tc++) {
		d.ets.tc_tsa[tc] = tc < 2 ? IEEE_8021QAZ_TSA_ETS : IEEE_8021QAZ_TSA_STRICT;
		d.ets.tc_tx_bw[tc] = tc < 2 ? 50 : 100;
	}
	assert_true(feature_ets.read(&d.host, &port, &c, &err));
	for (int tc = 0; tc < 8; tc++)
		assert_int_equal(c.ets.bandwidth[tc], tc < 2 ? 50 : 0);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, only_classes_that_share_have_a_share);

	return suite_run(&s, "ets");
}
