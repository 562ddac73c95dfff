#include "ready_host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

const struct port ready_port = {
	.id = { .name = "ens1f0np0",
		.pci = "0000:3b:00.0",
		.rdma = "mlx5_0",
		.driver = "mlx5_core" },
	.ifindex = 3,
	.rdma_port = 1,
	.mtu = 9000,
	.up = true,
	.carrier = true,
};

static bool read_config(const struct ready_host *r, const char *path, char *buf, size_t size)
{
	bool is_own = strncmp(path, NIC, strlen(NIC)) == 0;
	const uint8_t *const *config = is_own ? r->config : r->other_config;
	size_t depth = 0;

	for (const char *at = path; (at = strstr(at, "/..")); at++)
		depth++;
	if (depth >= COUNT(r->config) || !config[depth])
		return false;
	memset(buf, 0, size);
	memcpy(buf, config[depth], r->config_size < size ? r->config_size : size);
	return true;
}

static bool fail_to_read(const char *path, int code, struct err *err)
{
	return err_set(err, host_err_kind(code), code, "read %s", path);
}

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	const struct ready_host *r = (const struct ready_host *)h;
	const char *name = strrchr(path, '/');

	for (const struct ready_file *f = r->files; f && f->path; f++) {
		if (strcmp(f->path, path) != 0)
			continue;
		if (strcmp(f->text, DENIED) == 0 || strcmp(f->text, BROKEN) == 0)
			return fail_to_read(path, f->text[0] == DENIED[0] ? EACCES : EIO, err);
		if (strlen(f->text) >= size)
			return fail_to_read(path, EFBIG, err);
		snprintf(buf, size, "%s", f->text);
		return true;
	}
	return (strcmp(name, "/config") == 0 && read_config(r, path, buf, size)) ||
	       err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
}

/* The length of the first part of a path below a directory; 0: the path is not below it. */
static size_t part_below(const char *path, const char *dir)
{
	size_t length = strlen(dir);

	return strncmp(path, dir, length) == 0 && path[length] == '/'
		       ? strcspn(path + length + 1, "/")
		       : 0;
}

/* True if a file before this one has the same name in the directory. */
static bool is_listed(const struct ready_host *r, const struct ready_file *f, const char *dir)
{
	size_t length = part_below(f->path, dir);

	for (const struct ready_file *at = r->files; at < f; at++)
		if (part_below(at->path, dir) == length &&
		    strncmp(at->path, f->path, strlen(dir) + 1 + length) == 0)
			return true;
	return false;
}

/* Lists a directory by the files below it. */
static bool list_dir(struct host *h, const char *path, void (*each)(const char *name, void *arg),
		     void *arg, struct err *err)
{
	const struct ready_host *r = (const struct ready_host *)h;
	bool any = false;
	char name[64];

	for (const struct ready_file *f = r->files; f && f->path; f++) {
		size_t length = part_below(f->path, path);

		if (!length || is_listed(r, f, path))
			continue;
		any = true;
		snprintf(name, sizeof(name), "%.*s", (int)length, f->path + strlen(path) + 1);
		each(name, arg);
	}
	return any || err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
}

struct ready_host ready_host(const struct ready_file *files)
{
	return (struct ready_host){
		.host = { .root = -1, .read_file = read_file, .list_dir = list_dir },
		.files = files,
	};
}

/* ready and doctor print one complete command, without a choice or a placeholder. */
static void fix_can_be_run(const struct ready_check *c, const char *fix)
{
	if (strstr(fix, "(or"))
		fail_msg("an open choice: \"%s\"", fix);
	if (c->of_host && (strstr(fix, "PORT") || strstr(fix, "ADDRESS")))
		fail_msg("no port replaces the word: \"%s\"", fix);
}

struct ready_reading ready_reading_of(const struct ready_reader *p, struct ready_host *h,
				      const struct port *ports, size_t count)
{
	struct ready_scene s = { .h = &h->host, .ports = ports, .count = count };
	struct ready_reading r = { .status = READY_UNKNOWN };

	p->read(&s, ready_checks[p->id].of_host ? NULL : ports, &r);
	fix_can_be_run(&ready_checks[p->id], r.fix);
	return r;
}

struct ready_reading of_two(const struct ready_reader *p, const struct ready_file *files,
			    struct port two[2])
{
	struct ready_host h = ready_host(files);

	snprintf(two[1].id.name, sizeof(two[1].id.name), "ens1f1np1");
	snprintf(two[1].id.pci, sizeof(two[1].id.pci), "0000:3b:00.1");
	snprintf(two[1].id.rdma, sizeof(two[1].id.rdma), "mlx5_1");
	return ready_reading_of(p, &h, two, 2);
}

void ready_reads_so(void **s)
{
	const struct ready_row_test *row = *s;
	struct ready_host h = ready_host(row->files);
	struct ready_reading r = ready_reading_of(row->probe, &h, &ready_port, 1);

	if (r.status != row->status || (r.status == READY_MET && r.value != row->value))
		fail_msg("status %d, value %llu: %s %s", r.status, (unsigned long long)r.value,
			 r.actual, r.reason);
	if (row->says && !strstr(r.actual, row->says) && !strstr(r.reason, row->says) &&
	    !strstr(r.fix, row->says))
		fail_msg("says \"%s\", \"%s\", \"%s\"", r.actual, r.reason, r.fix);
}
