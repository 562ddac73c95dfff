/* Tests of the ECN switches of MLNX_OFED. */
#include <errno.h>

#include "policy/model/setting.h"
#include "roce/registry.h"
#include "tests/support/rdma_files.h"
#include "tests/support/unit.h"

static const struct read_row ecn_rows[] = {
	{ "a switch is on or off", &feature_ecn, "1", 0, ERR_NONE,
	  SETTING(SETTING_ECN_NP) | SETTING(SETTING_ECN_RP_PRIORITIES) },
	{ "a switch that reads as nothing is unknown", &feature_ecn, "", 0, ERR_UNKNOWN, 0 },
	{ "only MLNX_OFED has switches", &feature_ecn, "", ENOENT, ERR_UNSUPPORTED, 0 },
	{ "a switch may be denied", &feature_ecn, "", EACCES, ERR_DENIED, 0 },
};

static void only_switches_that_differ_are_turned(void **s)
{
	struct rdma_files f = files_with("");
	struct config from = { .ecn = { .np = true, .rp_priorities = 0x09 } };
	struct config to = { .ecn = { .np = true, .rp_priorities = 0x0a } };
	struct err err = { 0 };

	(void)s;
	assert_true(feature_ecn.write(&f.host, &port_with_device, &from, &to, &err));
	assert_int_equal(f.writes, 2);
	assert_string_equal(f.written[0], "0");
	assert_string_equal(f.written[1], "1");
	f.writes = 0;
	to = (struct config){ .ecn.rp_priorities = 0x09 };
	assert_true(feature_ecn.write(&f.host, &port_with_device, &from, &to, &err));
	assert_int_equal(f.writes, 1);
	assert_string_equal(f.written[0], "0");
}

static void a_switch_that_does_not_turn_is_reported(void **s)
{
	struct rdma_files f = files_with("");
	struct config from = { .ecn = { .np = true } }, no_np = { 0 };
	struct config other = { .ecn = { .np = true, .rp_priorities = 0x08 } };
	struct err err = { 0 }, more = { 0 };

	(void)s;
	f.write_code = EPERM;
	assert_false(feature_ecn.write(&f.host, &port_with_device, &from, &no_np, &err));
	assert_int_equal(err.kind, ERR_DENIED);
	assert_false(feature_ecn.write(&f.host, &port_with_device, &from, &other, &more));
	assert_int_equal(more.kind, ERR_DENIED);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, ecn_rows, feature_reads_so);
	SUITE_ADD(&s, only_switches_that_differ_are_turned);
	SUITE_ADD(&s, a_switch_that_does_not_turn_is_reported);
	return suite_run(&s, "ecn");
}
