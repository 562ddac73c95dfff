/* Tests of the congestion control parameters, each a number in a file. */
#include <errno.h>
#include <string.h>

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

#define RTT SETTING(SETTING_CNP_RTT_RESP_DSCP)

static const struct {
	const char *text; /* content of both files */
	unsigned dscp;
} rtt_rows[] = { { "0", RTT_RESP_DSCP_UNSET }, { "1", 1 }, { "46", 46 }, { "63", 63 } };

static void a_parameter_that_is_not_valid_is_unset(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(rtt_rows); i++) {
		struct rdma_files f = files_with(rtt_rows[i].text);
		struct config c = { 0 };
		struct err err = { 0 };

		assert_true(feature_cnp_debugfs.read(&f.host, &port_with_device, &c, &err));
		assert_true(c.has & RTT);
		assert_int_equal(c.cnp.rtt_resp_dscp, rtt_rows[i].dscp);
	}
}

/* The inbox driver writes the files of a device's second port to the first. */
static void the_second_port_of_a_device_has_none(void **s)
{
	struct rdma_files f = files_with("1");
	struct port second = port_with_device;
	struct config c = { 0 };
	struct err err = { 0 };

	(void)s;
	second.rdma_port = 2;
	assert_false(feature_cnp_debugfs.read(&f.host, &second, &c, &err));
	assert_int_equal(err.kind, ERR_UNSUPPORTED);
	assert_true(feature_dcqcn_ofed.read(&f.host, &second, &c, &err));
}

/* Whether the function of the bond's RDMA device has parameters. */
static bool has_params;

static bool read_bond(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	(void)h;
	if (strcmp(path, "/sys/class/infiniband/mlx5_bond_0/device/uevent") == 0) {
		snprintf(buf, size, "DRIVER=mlx5_core\nPCI_SLOT_NAME=0000:3b:00.0\n");
		return true;
	}
	if (has_params && strcmp(path, "/sys/kernel/debug/mlx5/0000:3b:00.0/cc_params") == 0)
		return err_set(err, ERR_SYSTEM, EISDIR, "a directory");
	return err_set(err, ERR_UNSUPPORTED, ENOENT, "no such file");
}

/* The device's interface is any member's. */
static void another_member_has_it_only_if_its_files_are_there(void **s)
{
	const struct port members[] = {
		{ .id = { .name = "a", .rdma = "mlx5_bond_0" }, .rdma_port = 1, .in_lag = true },
		{ .id = { .name = "b", .bond_rdma = "mlx5_bond_0" }, .in_lag = true },
		{ .id = { .name = "c" } },
	};
	struct host host = { .read_file = read_bond };

	(void)s;
	for (unsigned i = 0; i < 2 * COUNT(members); i++) {
		const struct port *p = &members[i / 2];
		struct config c = { 0 };
		struct err err = { 0 };

		has_params = i % 2;
		assert_false(feature_dcqcn_debugfs.read(&host, p, &c, &err));
		assert_int_equal(err.kind,
				 has_params && p->in_lag ? ERR_ELSEWHERE : ERR_UNSUPPORTED);
	}
}

/* 64 is the internal number of "unset". */
static void a_number_above_a_parameters_range_is_no_word(void **s)
{
	struct rdma_files f = files_with("64");
	struct config c = { 0 };
	struct err err = { 0 };

	(void)s;
	assert_false(feature_cnp_debugfs.read(&f.host, &port_with_device, &c, &err));
	assert_int_equal(err.kind, ERR_UNKNOWN);
	assert_non_null(strstr(err.text, "cnp.rtt_resp_dscp"));
}

static void a_parameter_is_unset_by_its_second_file(void **s)
{
	struct rdma_files f = files_with("46");
	struct config set = { .has = RTT, .cnp.rtt_resp_dscp = 46 };
	struct config unset = { .has = RTT, .cnp.rtt_resp_dscp = RTT_RESP_DSCP_UNSET };
	struct err err = { 0 };

	(void)s;
	assert_true(feature_cnp_debugfs.write(&f.host, &port_with_device, &set, &unset, &err));
	assert_string_equal(f.path, "/sys/kernel/debug/mlx5//cc_params/rtt_resp_dscp_valid");
	assert_string_equal(f.written[0], "0");
	assert_true(feature_cnp_debugfs.write(&f.host, &port_with_device, &unset, &set, &err));
	assert_string_equal(f.path, "/sys/kernel/debug/mlx5//cc_params/rtt_resp_dscp");
	assert_string_equal(f.written[1], "46");
}

static void a_refusal_to_unset_names_the_word(void **s)
{
	struct rdma_files f = files_with("46");
	struct config set = { .has = RTT, .cnp.rtt_resp_dscp = 46 };
	struct config unset = { .has = RTT, .cnp.rtt_resp_dscp = RTT_RESP_DSCP_UNSET };
	struct err err = { 0 };

	(void)s;
	f.write_code = EINVAL;
	assert_false(feature_cnp_debugfs.write(&f.host, &port_with_device, &set, &unset, &err));
	assert_non_null(strstr(err.fix, "refuses \"unset\" for cnp.rtt_resp_dscp"));
}

static const struct lockdown_row {
	const char *sentence;
	const struct feature *f;
	int code;
	const char *lockdown; /* NULL: no securityfs */
	enum err_kind kind;
} lockdown_rows[] = {
	{ "a locked kernel offers no debugfs", &feature_cnp_debugfs, EPERM,
	  "none [integrity] confidentiality", ERR_UNSUPPORTED },
	{ "the same for confidentiality", &feature_dcqcn_debugfs, EPERM,
	  "none integrity [confidentiality]", ERR_UNSUPPORTED },
	{ "an unlocked kernel denies", &feature_cnp_debugfs, EPERM,
	  "[none] integrity confidentiality", ERR_DENIED },
	{ "other users are denied by a locked kernel", &feature_cnp_debugfs, EACCES,
	  "none [integrity] confidentiality", ERR_DENIED },
	{ "a kernel without securityfs denies", &feature_cnp_debugfs, EPERM, NULL, ERR_DENIED },
	{ "lockdown does not close sysfs", &feature_cnp_ofed, EPERM,
	  "none [integrity] confidentiality", ERR_DENIED },
};

static void locked_kernel_reads_so(void **s)
{
	const struct lockdown_row *row = *s;
	struct rdma_files f = files_with("");
	struct config c = { 0 };
	struct err err = { 0 };

	f.read_code = row->code;
	f.lockdown = row->lockdown;
	assert_false(row->f->read(&f.host, &port_with_device, &c, &err));
	assert_int_equal(err.kind, row->kind);
	assert_int_equal(c.has, 0);
}

/* Without the setting's name, an error would show only the file of another setting. */
static void an_error_names_the_setting_of_its_file(void **s)
{
	struct rdma_files f = files_with("");
	struct config c = { 0 };
	struct err err = { 0 };

	(void)s;
	f.read_code = EIO;
	assert_false(feature_dcqcn_debugfs.read(&f.host, &port_with_device, &c, &err));
	assert_non_null(strstr(err.text, "dcqcn.clamp_tgt_rate cannot be read, and all of its"));
	assert_non_null(strstr(err.fix, "the adapter's firmware did not report it"));
}

static void a_value_that_firmware_refuses_is_named(void **s)
{
	struct rdma_files f = files_with("1");
	struct config from = { 0 }, to;
	struct err err = { 0 };

	(void)s;
	assert_true(feature_dcqcn_debugfs.read(&f.host, &port_with_device, &from, &err));
	to = from;
	to.dcqcn.rpg_ai_rate = 50;
	f.write_code = EINVAL;
	assert_false(feature_dcqcn_debugfs.write(&f.host, &port_with_device, &from, &to, &err));
	assert_non_null(strstr(err.fix, "refuses 50 for dcqcn.rpg_ai_rate_mbps"));
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, cc_rows, feature_reads_so);
	SUITE_ADD_ROWS(&s, lockdown_rows, locked_kernel_reads_so);
	SUITE_ADD(&s, an_error_names_the_setting_of_its_file);
	SUITE_ADD(&s, a_value_that_firmware_refuses_is_named);
	SUITE_ADD(&s, the_second_port_of_a_device_has_none);
	SUITE_ADD(&s, another_member_has_it_only_if_its_files_are_there);
	SUITE_ADD(&s, a_parameter_that_is_not_valid_is_unset);
	SUITE_ADD(&s, a_number_above_a_parameters_range_is_no_word);
	SUITE_ADD(&s, a_parameter_is_unset_by_its_second_file);
	SUITE_ADD(&s, a_refusal_to_unset_names_the_word);
	return suite_run(&s, "cc_params");
}
