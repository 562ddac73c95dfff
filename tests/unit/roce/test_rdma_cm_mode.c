/* Tests of the RoCE mode, a word in a configfs file. */
#include <errno.h>

#include "policy/model/setting.h"
#include "roce/registry.h"
#include "tests/support/rdma_files.h"
#include "tests/support/unit.h"

static const struct read_row mode_rows[] = {
	{ "a mode is one of the kernel's words", &feature_roce_mode, "RoCE v2", 0, ERR_NONE,
	  SETTING(SETTING_ROCE_MODE) },
	{ "another word is no mode", &feature_roce_mode, "RoCE v3", 0, ERR_UNKNOWN, 0 },
	{ "a mode whose directory was not created is missing", &feature_roce_mode, "", ENOENT,
	  ERR_MISSING, 0 },
	{ "a directory that outlived its device does not make the port gone", &feature_roce_mode,
	  "", ENODEV, ERR_UNKNOWN, 0 },
	{ "a mode may be denied", &feature_roce_mode, "", EACCES, ERR_DENIED, 0 },
};

static void a_mode_is_written_in_the_kernels_words(void **s)
{
	struct rdma_files f = files_with("");
	struct config c = { .roce.mode = ROCE_V1 };
	struct err err = { 0 };

	(void)s;
	assert_true(feature_roce_mode.write(&f.host, &port_with_device, &c, &c, &err));
	assert_string_equal(f.written[0], "IB/RoCE v1");
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, mode_rows, feature_reads_so);
	SUITE_ADD(&s, a_mode_is_written_in_the_kernels_words);
	return suite_run(&s, "mode");
}
