/* Files of the fake kernel: configfs, sysfs, and those of the journal. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_files.h"
#include "fake_requests.h"

#define RDMA_CM "/sys/kernel/config/rdma_cm/mlx5_0"

struct fake_file *fake_file(struct fake *f, const char *path, bool make)
{
	for (size_t i = 0; i < FAKE_FILES; i++)
		if (strcmp(f->files[i].path, path) == 0)
			return &f->files[i];
	for (size_t i = 0; make && i < FAKE_FILES; i++)
		if (!f->files[i].path[0]) {
			snprintf(f->files[i].path, sizeof(f->files[i].path), "%s", path);
			return &f->files[i];
		}
	return NULL;
}

static void look_at(struct fake *f, const char *path)
{
	if (!f->asked_disk && strncmp(path, "/var/", 5) == 0)
		f->asked_disk = f->writes;
}

static bool read_rdma_cm(struct fake *f, const char *path, char *buf, size_t size)
{
	if (strstr(path, "roce_mode"))
		snprintf(buf, size, "%s", f->hw.roce_mode == ROCE_V2 ? "RoCE v2" : "IB/RoCE v1");
	else
		snprintf(buf, size, "%u", f->hw.roce_tos);
	return f->has_rdma_cm;
}

bool fake_read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	struct fake *f = fake_of(h);
	const struct fake_file *file = fake_file(f, path, false);

	look_at(f, path);
	if (fake_param(f, path) || strncmp(path, RDMA_CM, sizeof(RDMA_CM) - 1) == 0)
		if (fake_param(f, path) || strncmp(path, RDMA_CM, sizeof(RDMA_CM) - 1) == 0)
			fake_requested("read %s", path);
	if (!fake_look(f, err))
		return false;
	if (fake_param(f, path)) {
		snprintf(buf, size, "%u", *fake_param(f, path));
		return true;
	}
	if (strncmp(path, RDMA_CM, sizeof(RDMA_CM) - 1) == 0 && read_rdma_cm(f, path, buf, size))
		return true;
	if (!file)
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "read %s: no such file", path);
	snprintf(buf, size, "%s", file->text);
	return true;
}

bool fake_write_file(struct host *h, const char *path, const char *value, struct err *err)
{
	struct fake *f = fake_of(h);
	bool apply, ok = fake_change(f, &apply, err);

	fake_requested("write %s %s", path, value);
	if (fake_param(f, path)) {
		if (apply)
			fake_param_write(f, fake_param(f, path), value);
		return ok;
	}
	if (!f->has_rdma_cm)
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "write %s: no such file", path);
	if (apply && strstr(path, "roce_mode"))
		f->hw.roce_mode = strcmp(value, "RoCE v2") == 0 ? ROCE_V2 : ROCE_V1;
	else if (apply)
		f->hw.roce_tos = (uint8_t)atoi(value);
	return ok;
}

bool fake_make_dir(struct host *h, const char *path, struct err *err)
{
	struct fake *f = fake_of(h);

	(void)err;
	look_at(f, path);
	if (strcmp(path, RDMA_CM) == 0)
		f->has_rdma_cm = true;
	return true;
}

bool fake_list_dir(struct host *h, const char *path, void (*each)(const char *name, void *arg),
		   void *arg, struct err *err)
{
	struct fake *f = fake_of(h);
	size_t n = strlen(path);

	(void)err;
	look_at(f, path);
	for (size_t i = 0; i < FAKE_FILES; i++) {
		const char *file = f->files[i].path;

		if (strncmp(file, path, n) == 0 && file[n] == '/' && !strchr(file + n + 1, '/'))
			each(file + n + 1, arg);
	}
	return true;
}

bool fake_save_file(struct host *h, const char *path, const char *text, struct err *err)
{
	struct fake *f = fake_of(h);
	struct fake_file *file;
	bool apply;

	if (!fake_change(f, &apply, err))
		return false;
	file = fake_file(f, path, true);
	if (!file || strlen(text) >= sizeof(file->text))
		return err_set(err, ERR_SYSTEM, ENOSPC, "write %s: no space", path);
	snprintf(file->text, sizeof(file->text), "%s", text);
	return true;
}

bool fake_move_file(struct host *h, const char *from, const char *to, struct err *err)
{
	struct fake *f = fake_of(h);
	struct fake_file *file, *replaced = to ? fake_file(f, to, false) : NULL;
	bool apply;

	if (!fake_change(f, &apply, err))
		return false;
	file = fake_file(f, from, false);
	if (!file)
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "%s: no such file", from);
	if (replaced)
		replaced->path[0] = '\0';
	snprintf(file->path, sizeof(file->path), "%s", to ? to : "");
	return true;
}

bool fake_reserve_room(struct host *h, const char *dir, size_t size, struct err *err)
{
	bool apply;

	(void)dir;
	(void)size;
	return fake_change(fake_of(h), &apply, err);
}

bool fake_release_file(struct host *h, const char *path, struct err *err)
{
	return fake_move_file(h, path, NULL, err);
}

bool fake_load_module(struct host *h, const char *name, struct err *err)
{
	(void)h;
	return err_set(err, ERR_SYSTEM, ENOENT, "no module %s", name);
}
