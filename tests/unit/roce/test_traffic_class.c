/* Tests of the forced traffic class of MLNX_OFED. */
#include <errno.h>

#include "policy/model/setting.h"
#include "roce/registry.h"
#include "tests/support/rdma_files.h"
#include "tests/support/unit.h"

static const struct read_row class_rows[] = {
	{ "a forced traffic class is a byte", &feature_traffic_class, "Global tclass=106\n", 0,
	  ERR_NONE, SETTING(SETTING_ROCE_TRAFFIC_CLASS) },
	{ "a file without one forces none", &feature_traffic_class, "tclass=1 src=::\n", 0,
	  ERR_NONE, SETTING(SETTING_ROCE_TRAFFIC_CLASS) },
	{ "256 is no traffic class", &feature_traffic_class, "Global tclass=256\n", 0, ERR_UNKNOWN,
	  0 },
	{ "a word is no traffic class", &feature_traffic_class, "Global tclass=x\n", 0, ERR_UNKNOWN,
	  0 },
	{ "only MLNX_OFED has traffic classes", &feature_traffic_class, "", ENOENT, ERR_UNSUPPORTED,
	  0 },
	{ "a traffic class may be denied", &feature_traffic_class, "", EACCES, ERR_DENIED, 0 },
};

static void no_traffic_class_is_written_as_minus_one(void **s)
{
	struct rdma_files f = files_with("");
	struct config c = { .roce.traffic_class = TRAFFIC_CLASS_UNSET };
	struct err err = { 0 };

	(void)s;
	assert_true(feature_traffic_class.write(&f.host, &port_with_device, &c, &c, &err));
	assert_string_equal(f.written[0], "-1");
	c.roce.traffic_class = 106;
	assert_true(feature_traffic_class.write(&f.host, &port_with_device, &c, &c, &err));
	assert_string_equal(f.written[1], "106");
}

static const struct rollback_row {
	const char *sentence;
	uint16_t from, to;
	bool is_exact;
} rollback_rows[] = {
	{ "no rollback takes a forced class from connections", TRAFFIC_CLASS_UNSET, 106, false },
	{ "a class that was forced is forced again", 96, 106, true },
	{ "a class that is unset is forced again", 106, TRAFFIC_CLASS_UNSET, true },
};

static void a_rollback_is_so(void **s)
{
	const struct rollback_row *row = *s;
	struct config from = { .roce.traffic_class = row->from };
	struct config to = { .roce.traffic_class = row->to };
	const char *said = feature_traffic_class.irreversible(&port_with_device, &from, &to);

	assert_int_equal(!said, row->is_exact);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, class_rows, feature_reads_so);
	SUITE_ADD_ROWS(&s, rollback_rows, a_rollback_is_so);
	SUITE_ADD(&s, no_traffic_class_is_written_as_minus_one);
	return suite_run(&s, "traffic_class");
}
