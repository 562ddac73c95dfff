/* The rate limit of a class. */
#include "dcb/registry.h"
#include "tests/support/dcb_kernel.h"
#include "tests/support/unit.h"

/* ---- what it is told ---- */

static const struct port port = { .id.name = "ens1f0np0", .ifindex = 7, .speed_mbps = 100000 };

/* ---- what cannot be ---- */

static void a_rate_that_cannot_be_is_not_cut(void **s)
{
	struct dcb_kernel k = dcb_kernel();
	struct config c = { 0 };
	struct err err = { 0 };

	(void)s;
	k.rate = UINT64_C(1000) * UINT32_MAX;
	assert_true(feature_maxrate.read(&k.host, &port, &c, &err));
	assert_int_equal(c.maxrate.tc_mbps[1], UINT32_MAX);
	assert_int_equal(c.maxrate.tc_mbps[2], 0);
	c = (struct config){ 0 };
	k.rate += 1000;
	assert_false(feature_maxrate.read(&k.host, &port, &c, &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
	assert_string_equal(err.text, "traffic class 0 has a rate that is out of range");
	assert_true(c.has == 0);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, a_rate_that_cannot_be_is_not_cut);
	return suite_run(&s, "maxrate");
}
