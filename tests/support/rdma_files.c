#include <errno.h>
#include <string.h>

#include "tests/support/rdma_files.h"
#include "tests/support/unit.h"

static bool file_outcome(int code, const char *path, struct err *err)
{
	enum err_kind kind = code == ENOENT ? ERR_UNSUPPORTED : host_err_kind(code);

	return !code || err_set(err, kind, code, "%s: %s", path, strerror(code));
}

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	const struct rdma_files *f = (const struct rdma_files *)h;

	if (strstr(path, "/lockdown") && f->lockdown) {
		snprintf(buf, size, "%s", f->lockdown);
		return true;
	}
	if (!file_outcome(f->read_code, path, err))
		return false;
	snprintf(buf, size, "%s", f->text);
	return true;
}

static bool write_file(struct host *h, const char *path, const char *value, struct err *err)
{
	struct rdma_files *f = (struct rdma_files *)h;

	if (!file_outcome(f->write_code, path, err))
		return false;
	assert_true(f->writes < COUNT(f->written));
	snprintf(f->written[f->writes++], sizeof(f->written[0]), "%s", value);
	snprintf(f->path, sizeof(f->path), "%s", path);
	return true;
}

static bool make_dir(struct host *h, const char *path, struct err *err)
{
	struct rdma_files *f = (struct rdma_files *)h;

	return !f->dir_fails || (f->dir_fails--, file_outcome(f->dir_code, path, err));
}

static bool load_module(struct host *h, const char *name, struct err *err)
{
	struct rdma_files *f = (struct rdma_files *)h;

	f->loaded = true;
	return file_outcome(f->module_code, name, err);
}

struct rdma_files files_with(const char *text)
{
	return (struct rdma_files){ .host = { .may_write = true,
					      .read_file = read_file,
					      .write_file = write_file,
					      .make_dir = make_dir,
					      .load_module = load_module },
				    .text = text };
}

const struct port port_with_device = { .id = { .name = "ens1f0np0", .rdma = "mlx5_0" },
				       .ifindex = 2,
				       .rdma_port = 1 };

const struct port port_without_device = { .id = { .name = "ens1f1np1" }, .ifindex = 3 };

void feature_reads_so(void **s)
{
	const struct read_row *row = *s;
	struct rdma_files f = files_with(row->text);
	struct config c = { 0 };
	struct err err = { 0 };

	f.read_code = row->code;
	assert_int_equal(row->f->read(&f.host, &port_with_device, &c, &err), row->kind == ERR_NONE);
	assert_int_equal(err.kind, row->kind);
	if (row->has || row->kind)
		assert_int_equal(c.has, row->has);
}
