/* Tests of the ToS, a number in a configfs file. */
#include <errno.h>

#include "policy/model/setting.h"
#include "roce/registry.h"
#include "tests/support/rdma_files.h"
#include "tests/support/unit.h"

static const struct read_row tos_rows[] = {
	{ "a ToS is a byte", &feature_roce_tos, "106", 0, ERR_NONE, SETTING(SETTING_ROCE_TOS) },
	{ "256 is no ToS", &feature_roce_tos, "256", 0, ERR_UNKNOWN, 0 },
	{ "nothing is no ToS", &feature_roce_tos, "", 0, ERR_UNKNOWN, 0 },
	{ "106 of something is no ToS", &feature_roce_tos, "106 x", 0, ERR_UNKNOWN, 0 },
	{ "a ToS whose directory was not created is missing", &feature_roce_tos, "", ENOENT,
	  ERR_MISSING, 0 },
};

static void a_port_without_rdma_is_not_written_to(void **s)
{
	struct rdma_files f = files_with("");
	struct config c = { 0 };
	struct err err = { 0 };

	(void)s;
	assert_false(feature_roce_tos.write(&f.host, &port_without_device, &c, &c, &err));
	assert_int_equal(err.kind, ERR_UNSUPPORTED);
	assert_int_equal(f.writes, 0);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, tos_rows, feature_reads_so);
	SUITE_ADD(&s, a_port_without_rdma_is_not_written_to);
	return suite_run(&s, "tos");
}
