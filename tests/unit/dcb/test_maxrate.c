/* Tests of the rate limit of a class. */
#include "dcb/registry.h"
#include "tests/support/dcb_kernel.h"
#include "tests/support/unit.h"

static const struct port port = { .id.name = "ens1f0np0", .ifindex = 7, .speed_mbps = 100000 };

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

static const struct width_row {
	const char *sentence;
	uint32_t asked, stored; /* in Mb/s */
	unsigned bits;		/* width of the driver's rate; 0: unlimited */
} width_rows[] = {
	{ "a driver that keeps all", 300000, 300000, 0 },
	{ "one of 8 bits keeps what fits", 255000, 255000, 8 },
	{ "and cuts what does not", 300000, 44000, 8 },
	{ "to nothing, if so be", 256000, 0, 8 },
};

/* A driver that cuts the limit reports success, so the limit is read back at once. */
static void the_driver_s_value_is_reported(void **s)
{
	const struct width_row *r = *s;
	struct dcb_kernel k = dcb_kernel();
	struct config none = { 0 }, to = { 0 };
	struct err err = { 0 };
	char text[96];

	k.rate_bits = r->bits;
	to.maxrate.tc_mbps[0] = to.maxrate.tc_mbps[1] = r->asked;
	assert_int_equal(feature_maxrate.write(&k.host, &port, &none, &to, &err),
			 r->asked == r->stored);
	assert_int_equal(k.rate, UINT64_C(1000) * r->stored);
	if (r->asked == r->stored)
		return;
	snprintf(text, sizeof(text),
		 "the driver made %u Mb/s of a limit of %u Mb/s for traffic class 0", r->stored,
		 r->asked);
	assert_int_equal(err.kind, ERR_VERIFY);
	assert_string_equal(err.text, text);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, a_rate_that_cannot_be_is_not_cut);
	SUITE_ADD_ROWS(&s, width_rows, the_driver_s_value_is_reported);
	return suite_run(&s, "maxrate");
}
