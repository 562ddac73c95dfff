/* Tests of the ETS recommendation of a port to its peer. */
#include "dcb/registry.h"
#include "tests/support/dcb_kernel.h"
#include "tests/support/unit.h"

static const struct port port = { .id.name = "ens1f0np0", .ifindex = 7, .speed_mbps = 100000 };

static void a_recommendation_is_read_and_written_beside_the_rest(void **s)
{
	struct dcb_kernel k = dcb_kernel();
	struct config c = { 0 }, to = { 0 };
	struct err err = { 0 };

	(void)s;
	k.ets.prio_tc[3] = 3;
	k.ets.tc_reco_bw[0] = 60;
	k.ets.tc_reco_tsa[0] = IEEE_8021QAZ_TSA_ETS;
	k.ets.tc_reco_tsa[1] = 99; /* a later standard's */
	assert_true(feature_reco.read(&k.host, &port, &c, &err));
	assert_int_equal(c.ets.reco_bandwidth[0], 60);
	assert_int_equal(c.ets.reco_tsa[0], TSA_ETS);
	assert_int_equal(c.ets.reco_tsa[1], TSA_VENDOR);
	assert_int_equal(c.ets.reco_tsa[2], TSA_STRICT);
	to = c;
	to.ets.reco_prio_tc[5] = 1;
	to.ets.reco_tsa[1] = TSA_CBS;
	assert_true(feature_reco.write(&k.host, &port, &c, &to, &err));
	assert_int_equal(k.ets.reco_prio_tc[5], 1);
	assert_int_equal(k.ets.tc_reco_tsa[1], IEEE_8021QAZ_TSA_CB_SHAPER);
	assert_int_equal(k.ets.prio_tc[3], 3);
}

static void without_ets_nothing_is_recommended(void **s)
{
	struct dcb_kernel k = dcb_kernel();
	struct config c = { 0 };
	struct err err = { 0 };

	(void)s;
	k.has_ets = false;
	assert_false(feature_reco.read(&k.host, &port, &c, &err));
	assert_int_equal(err.kind, ERR_UNSUPPORTED);
	assert_true(c.has == 0);
	assert_false(feature_reco.write(&k.host, &port, &c, &c, &err));
	assert_string_equal(k.log, "");
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, a_recommendation_is_read_and_written_beside_the_rest);
	SUITE_ADD(&s, without_ets_nothing_is_recommended);
	return suite_run(&s, "ets_recommend");
}
