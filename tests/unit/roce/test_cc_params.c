/* Parameters of congestion control, a number in a file each. */
#include <errno.h>

#include "roce/registry.h"
#include "tests/support/rdma_files.h"
#include "tests/support/unit.h"

static const struct read_row cc_rows[] = {
	{ "parameters are numbers", &feature_dcqcn_debugfs, "1", 0, ERR_NONE, 0 },
	{ "a number that has no room is no parameter", &feature_dcqcn_debugfs, "7", 0, ERR_UNKNOWN,
	  0 },
	{ "a word is no parameter", &feature_dcqcn_debugfs, "1 x", 0, ERR_UNKNOWN, 0 },
	{ "parameters may be denied", &feature_cnp_ofed, "", EACCES, ERR_DENIED, 0 },
	{ "where no parameter is there are none", &feature_cnp_ofed, "", ENOENT, ERR_UNSUPPORTED,
	  0 },
};

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, cc_rows, feature_reads_so);
	return suite_run(&s, "cc_params");
}
