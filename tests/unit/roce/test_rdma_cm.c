/* Tests of the configfs directory with a port's RoCE defaults. */
#include <errno.h>

#include "roce/registry.h"
#include "tests/support/rdma_files.h"
#include "tests/support/unit.h"

static void a_port_without_rdma_lacks_it_all(void **s)
{
	static const struct feature *const all[] = { &feature_roce_mode, &feature_roce_tos,
						     &feature_traffic_class, &feature_roce_gid };

	(void)s;
	for (size_t i = 0; i < COUNT(all); i++) {
		struct rdma_files f = files_with("1");
		struct config c = { 0 };
		struct err err = { 0 };

		assert_false(all[i]->read(&f.host, &port_without_device, &c, &err));
		assert_int_equal(err.kind, ERR_UNSUPPORTED);
		assert_int_equal(c.has, 0);
	}
}

static const struct directory_row {
	const char *sentence;
	unsigned fails;
	int dir_code, module_code;
	enum err_kind kind;
	bool loads;
} directory_rows[] = {
	{ "a directory is created", 0, 0, 0, ERR_NONE, false },
	{ "a module that is not there is loaded", 1, ENOENT, 0, ERR_NONE, true },
	{ "a directory that cannot be created is reported as at first", 2, EACCES, 0, ERR_DENIED,
	  true },
	{ "a module that cannot be loaded does not hide why", 2, EACCES, EIO, ERR_DENIED, true },
};

static void it_is_prepared_so(void **s)
{
	const struct directory_row *row = *s;
	struct rdma_files f = files_with("");
	struct err err = { 0 };

	f.read_code = ENOENT;
	f.dir_fails = row->fails;
	f.dir_code = row->dir_code;
	f.module_code = row->module_code;
	assert_int_equal(rdma_cm_prepare(&f.host, &port_with_device, &err), row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	assert_int_equal(f.loaded, row->loads);
	assert_int_equal(err.fix[0] != '\0', row->kind != ERR_NONE);
}

static void a_directory_that_exists_is_no_change(void **s)
{
	struct rdma_files f = files_with("106");
	struct err err = { 0 };

	(void)s;
	f.dir_fails = 1;
	f.dir_code = EACCES;
	assert_true(rdma_cm_prepare(&f.host, &port_with_device, &err));
	assert_int_equal(f.dir_fails, 1);
	assert_int_equal(f.host.changes, 0);
}

static void a_port_without_rdma_needs_no_directory(void **s)
{
	struct rdma_files f = files_with("");
	struct err err = { 0 };

	(void)s;
	f.dir_fails = 2;
	f.dir_code = EACCES;
	assert_true(rdma_cm_prepare(&f.host, &port_without_device, &err));
	assert_int_equal(f.dir_fails, 2);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_port_without_rdma_lacks_it_all);
	SUITE_ADD_ROWS(&s, directory_rows, it_is_prepared_so);
	SUITE_ADD(&s, a_directory_that_exists_is_no_change);
	SUITE_ADD(&s, a_port_without_rdma_needs_no_directory);
	return suite_run(&s, "rdma_cm");
}
