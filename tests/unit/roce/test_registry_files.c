/* What RoCE keeps in files of configfs and sysfs: what is missing, odd or refused is told apart. */
#include <errno.h>
#include <string.h>

#include "policy/model/setting.h"
#include "roce/registry.h"
#include "roce/rdma_cm.h"
#include "tests/support/unit.h"

/* Every file has the same text, or fails so; what is written and made is noted. */
struct files {
	struct host host;
	const char *text;
	int read_code, write_code, dir_code, module_code;
	unsigned dir_fails; /* so many times */
	char written[4][16];
	size_t writes;
	bool loaded;
};

static bool outcome(int code, const char *path, struct err *err)
{
	enum err_kind kind = code == ENOENT ? ERR_UNSUPPORTED : host_err_kind(code);

	return !code || err_set(err, kind, code, "%s: %s", path, strerror(code));
}

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	const struct files *f = (const struct files *)h;

	if (!outcome(f->read_code, path, err))
		return false;
	snprintf(buf, size, "%s", f->text);
	return true;
}

static bool write_file(struct host *h, const char *path, const char *value, struct err *err)
{
	struct files *f = (struct files *)h;

	if (!outcome(f->write_code, path, err))
		return false;
	assert_true(f->writes < COUNT(f->written));
	snprintf(f->written[f->writes++], sizeof(f->written[0]), "%s", value);
	return true;
}

static bool make_dir(struct host *h, const char *path, struct err *err)
{
	struct files *f = (struct files *)h;

	return !f->dir_fails || (f->dir_fails--, outcome(f->dir_code, path, err));
}

static bool load_module(struct host *h, const char *name, struct err *err)
{
	struct files *f = (struct files *)h;

	f->loaded = true;
	return outcome(f->module_code, name, err);
}

static struct files with(const char *text)
{
	return (struct files){ .host = { .may_write = true,
					 .read_file = read_file,
					 .write_file = write_file,
					 .make_dir = make_dir,
					 .load_module = load_module },
			       .text = text };
}

static const struct port port = { .id = { .name = "ens1f0np0", .rdma = "mlx5_0" },
				  .ifindex = 2,
				  .rdma_port = 1 };
static const struct port without = { .id = { .name = "ens1f1np1" }, .ifindex = 3 };

/* ---- reading ---- */

static const struct read_row {
	const char *sentence;
	const struct feature *f;
	const char *text;
	int code;
	enum err_kind kind;
	setting_set has;
} read_rows[] = {
	{ "a mode is one of the kernel's words", &feature_roce_mode, "RoCE v2", 0, ERR_NONE,
	  SETTING(SETTING_ROCE_MODE) },
	{ "another word is no mode", &feature_roce_mode, "RoCE v3", 0, ERR_UNKNOWN, 0 },
	{ "a mode whose folder is not made is missing", &feature_roce_mode, "", ENOENT, ERR_MISSING,
	  0 },
	{ "a folder that outlived its device does not make the port gone", &feature_roce_mode, "",
	  ENODEV, ERR_UNKNOWN, 0 },
	{ "a mode may be denied", &feature_roce_mode, "", EACCES, ERR_DENIED, 0 },
	{ "a ToS is a byte", &feature_roce_tos, "106", 0, ERR_NONE, SETTING(SETTING_ROCE_TOS) },
	{ "256 is no ToS", &feature_roce_tos, "256", 0, ERR_UNKNOWN, 0 },
	{ "nothing is no ToS", &feature_roce_tos, "", 0, ERR_UNKNOWN, 0 },
	{ "106 of something is no ToS", &feature_roce_tos, "106 x", 0, ERR_UNKNOWN, 0 },
	{ "a ToS whose folder is not made is missing", &feature_roce_tos, "", ENOENT, ERR_MISSING,
	  0 },
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
	{ "a switch is on or off", &feature_ecn, "1", 0, ERR_NONE,
	  SETTING(SETTING_ECN_NP) | SETTING(SETTING_ECN_RP_PRIORITIES) },
	{ "a switch that reads as nothing is unknown", &feature_ecn, "", 0, ERR_UNKNOWN, 0 },
	{ "only MLNX_OFED has switches", &feature_ecn, "", ENOENT, ERR_UNSUPPORTED, 0 },
	{ "a switch may be denied", &feature_ecn, "", EACCES, ERR_DENIED, 0 },
	{ "parameters are numbers", &feature_dcqcn_debugfs, "1", 0, ERR_NONE, 0 },
	{ "a number that has no room is no parameter", &feature_dcqcn_debugfs, "7", 0, ERR_UNKNOWN,
	  0 },
	{ "a word is no parameter", &feature_dcqcn_debugfs, "1 x", 0, ERR_UNKNOWN, 0 },
	{ "parameters may be denied", &feature_cnp_ofed, "", EACCES, ERR_DENIED, 0 },
	{ "where no parameter is there are none", &feature_cnp_ofed, "", ENOENT, ERR_UNSUPPORTED,
	  0 },
};

static void it_reads_so(void **s)
{
	const struct read_row *row = *s;
	struct files f = with(row->text);
	struct config c = { 0 };
	struct err err = { 0 };

	f.read_code = row->code;
	assert_int_equal(row->f->read(&f.host, &port, &c, &err), row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	if (row->has || row->kind)
		assert_int_equal(c.has, row->has);
}

static void a_port_without_rdma_lacks_it_all(void **s)
{
	static const struct feature *const all[] = { &feature_roce_mode, &feature_roce_tos,
						     &feature_traffic_class, &feature_roce_gid };

	(void)s;
	for (size_t i = 0; i < COUNT(all); i++) {
		struct files f = with("1");
		struct config c = { 0 };
		struct err err = { 0 };

		assert_false(all[i]->read(&f.host, &without, &c, &err));
		assert_int_equal(err.kind, ERR_UNSUPPORTED);
		assert_int_equal(c.has, 0);
	}
}

/* ---- writing ---- */

static void a_port_without_rdma_is_not_written_to(void **s)
{
	struct files f = with("");
	struct config c = { 0 };
	struct err err = { 0 };

	(void)s;
	assert_false(feature_roce_tos.write(&f.host, &without, &c, &c, &err));
	assert_int_equal(err.kind, ERR_UNSUPPORTED);
	assert_int_equal(f.writes, 0);
}

static void only_switches_that_differ_are_turned(void **s)
{
	struct files f = with("");
	struct config from = { .ecn = { .np = true, .rp_priorities = 0x09 } };
	struct config to = { .ecn = { .np = true, .rp_priorities = 0x0a } };
	struct err err = { 0 };

	(void)s;
	assert_true(feature_ecn.write(&f.host, &port, &from, &to, &err));
	assert_int_equal(f.writes, 2);
	assert_string_equal(f.written[0], "0");
	assert_string_equal(f.written[1], "1");
	f.writes = 0;
	to = (struct config){ .ecn.rp_priorities = 0x09 };
	assert_true(feature_ecn.write(&f.host, &port, &from, &to, &err));
	assert_int_equal(f.writes, 1);
	assert_string_equal(f.written[0], "0");
}

static void a_switch_that_does_not_turn_is_told(void **s)
{
	struct files f = with("");
	struct config from = { .ecn = { .np = true } }, no_np = { 0 };
	struct config other = { .ecn = { .np = true, .rp_priorities = 0x08 } };
	struct err err = { 0 }, more = { 0 };

	(void)s;
	f.write_code = EPERM;
	assert_false(feature_ecn.write(&f.host, &port, &from, &no_np, &err));
	assert_int_equal(err.kind, ERR_DENIED);
	assert_false(feature_ecn.write(&f.host, &port, &from, &other, &more));
	assert_int_equal(more.kind, ERR_DENIED);
}

static void no_traffic_class_is_written_as_minus_one(void **s)
{
	struct files f = with("");
	struct config c = { .roce.traffic_class = TRAFFIC_CLASS_UNSET };
	struct err err = { 0 };

	(void)s;
	assert_true(feature_traffic_class.write(&f.host, &port, &c, &c, &err));
	assert_string_equal(f.written[0], "-1");
	c.roce.traffic_class = 106;
	assert_true(feature_traffic_class.write(&f.host, &port, &c, &c, &err));
	assert_string_equal(f.written[1], "106");
}

static void a_mode_is_written_in_the_kernels_words(void **s)
{
	struct files f = with("");
	struct config c = { .roce.mode = ROCE_V1 };
	struct err err = { 0 };

	(void)s;
	assert_true(feature_roce_mode.write(&f.host, &port, &c, &c, &err));
	assert_string_equal(f.written[0], "IB/RoCE v1");
}

/* ---- the folder ---- */

static const struct folder_row {
	const char *sentence;
	unsigned fails;
	int dir_code, module_code;
	enum err_kind kind;
	bool loads;
} folder_rows[] = {
	{ "a folder is made without more ado", 0, 0, 0, ERR_NONE, false },
	{ "a module that is not there is loaded", 1, ENOENT, 0, ERR_NONE, true },
	{ "a folder that cannot be made is told as at first", 2, EACCES, 0, ERR_DENIED, true },
	{ "a module that cannot be loaded does not hide why", 2, EACCES, EIO, ERR_DENIED, true },
};

static void it_is_prepared_so(void **s)
{
	const struct folder_row *row = *s;
	struct files f = with("");
	struct err err = { 0 };

	f.dir_fails = row->fails;
	f.dir_code = row->dir_code;
	f.module_code = row->module_code;
	assert_int_equal(rdma_cm_prepare(&f.host, &port, &err), row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_int_equal(f.loaded, row->loads);
	assert_int_equal(err.fix[0] != '\0', row->kind != ERR_NONE);
}

static void a_port_without_rdma_needs_no_folder(void **s)
{
	struct files f = with("");
	struct err err = { 0 };

	(void)s;
	f.dir_fails = 2;
	f.dir_code = EACCES;
	assert_true(rdma_cm_prepare(&f.host, &without, &err));
	assert_int_equal(f.dir_fails, 2);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD_ROWS(&s, read_rows, it_reads_so);
	SUITE_ADD(&s, a_port_without_rdma_lacks_it_all);
	SUITE_ADD(&s, a_port_without_rdma_is_not_written_to);
	SUITE_ADD(&s, only_switches_that_differ_are_turned);
	SUITE_ADD(&s, a_switch_that_does_not_turn_is_told);
	SUITE_ADD(&s, no_traffic_class_is_written_as_minus_one);
	SUITE_ADD(&s, a_mode_is_written_in_the_kernels_words);
	SUITE_ADD_ROWS(&s, folder_rows, it_is_prepared_so);
	SUITE_ADD(&s, a_port_without_rdma_needs_no_folder);
	return suite_run(&s, "roce_files");
}
