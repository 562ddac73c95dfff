/*
 * Files on a disk that fails: every call in turn, with what is left afterwards. The door's own
 * source is built in here, with calls that fail when a row says so; what succeeds is in
 * test_files.c.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/host/cleanup.h"
#include "agent/host/host_linux.h"
#include "tests/support/unit.h"

enum call {
	NOTHING,
	OPEN,
	READ,
	WRITE,
	SHORT_WRITE,
	SYNC,
	MODE,
	RENAME,
	REMOVE,
	MAKE,
	MODE_AT,
	OPEN_DIR,
	NEXT_ENTRY
};

static struct {
	enum call call;
	int nth; /* from 1 */
	int code;
} outside;

static bool fails(enum call c)
{
	if (c != outside.call || --outside.nth != 0)
		return false;
	errno = outside.code;
	return true;
}

/* As a disk that is full in the middle. */
static ssize_t write_some(int fd, const void *bytes, size_t size)
{
	return write(fd, bytes, fails(SHORT_WRITE) ? size / 2 : size);
}

#define openat(...)	 (fails(OPEN) ? -1 : openat(__VA_ARGS__))
#define read(...)	 (fails(READ) ? -1 : read(__VA_ARGS__))
#define write(...)	 (fails(WRITE) ? -1 : write_some(__VA_ARGS__))
#define fsync(fd)	 (fails(SYNC) ? -1 : fsync(fd))
#define fchmod(fd, mode) (fails(MODE) ? -1 : fchmod(fd, mode))
#define renameat(...)	 (fails(RENAME) ? -1 : renameat(__VA_ARGS__))
#define unlinkat(...)	 (fails(REMOVE) ? -1 : unlinkat(__VA_ARGS__))
#define mkdirat(...)	 (fails(MAKE) ? -1 : mkdirat(__VA_ARGS__))
#define fchmodat(...)	 (fails(MODE_AT) ? -1 : fchmodat(__VA_ARGS__))
#define fdopendir(fd)	 (fails(OPEN_DIR) ? NULL : fdopendir(fd))
#define readdir(dir)	 (fails(NEXT_ENTRY) ? NULL : readdir(dir))
#include "agent/host/files.c"
#undef openat
#undef read
#undef write
#undef unlinkat
#undef mkdirat

#define OLD "what was\n"
#define NEW "what is to be, which is longer\n"

enum work { DO_READ, DO_WRITE, DO_LIST, DO_SAVE, DO_PUBLISH, DO_MOVE, DO_REMOVE, DO_MAKE };

static char root[] = "/tmp/losslessctl-disk-XXXXXX";

static void count(const char *name, void *arg)
{
	(void)name;
	++*(unsigned *)arg;
}

static bool carry_out(struct host *h, enum work w, struct err *err)
{
	char buf[64];
	unsigned n = 0;

	switch (w) {
	case DO_READ:
		return host_linux_read_file(h, "/d/file", buf, sizeof(buf), err);
	case DO_WRITE:
		return host_linux_write_file(h, "/d/file", NEW, err);
	case DO_LIST:
		return host_linux_list_dir(h, "/d", count, &n, err);
	case DO_SAVE:
		return host_linux_save_file(h, "/d/file", NEW, err);
	case DO_PUBLISH:
		return host_linux_publish_file(h, "/d/file", NEW, err);
	case DO_MOVE:
		return host_linux_move_file(h, "/d/file", "/e/file", err);
	case DO_REMOVE:
		return host_linux_move_file(h, "/d/file", NULL, err);
	case DO_MAKE:
		return host_linux_make_dir(h, "/d/made", err);
	}
	return false;
}

static const struct row {
	const char *sentence;
	enum work work;
	enum call call;
	int nth, code;
	bool succeeds;
	const char *text; /* part of what is said */
	const char *left; /* in the file afterwards; NULL: whatever */
} rows[] = {
	{ "a read that is interrupted goes on", DO_READ, READ, 1, EINTR, true, "", OLD },
	{ "a read that fails", DO_READ, READ, 1, EIO, false, "read /d/file", OLD },
	{ "a read that fails later", DO_READ, READ, 2, EIO, false, "read /d/file", OLD },
	{ "a value that is refused", DO_WRITE, WRITE, 1, EINVAL, false, "write /d/file", OLD },
	{ "half a value is an error", DO_WRITE, SHORT_WRITE, 1, 0, false, "Input/output error",
	  NULL },
	{ "a file that cannot be opened", DO_WRITE, OPEN, 1, EACCES, false, "write /d/file", OLD },
	{ "a folder that cannot be opened", DO_LIST, OPEN, 1, EACCES, false, "list /d", OLD },
	{ "a folder without memory for it", DO_LIST, OPEN_DIR, 1, ENOMEM, false, "list /d", OLD },
	{ "a list that breaks off", DO_LIST, NEXT_ENTRY, 2, EIO, false, "list /d", OLD },
	{ "a save that is interrupted goes on", DO_SAVE, WRITE, 1, EINTR, true, "", NEW },
	{ "a save in two parts", DO_SAVE, SHORT_WRITE, 1, 0, true, "", NEW },
	{ "no file to save to", DO_SAVE, OPEN, 1, ENOSPC, false, "create /d/file.new", OLD },
	{ "a mode that cannot be set", DO_SAVE, MODE, 1, EPERM, false, "write /d/file", OLD },
	{ "a full disk", DO_SAVE, WRITE, 1, ENOSPC, false, "write /d/file", OLD },
	{ "a disk that does not keep it", DO_SAVE, SYNC, 1, EIO, false, "write /d/file", OLD },
	{ "no place in the folder", DO_SAVE, RENAME, 1, ENOSPC, false, "write /d/file", OLD },
	{ "a folder that is gone", DO_SAVE, OPEN, 2, EIO, false, "sync the directory", NEW },
	{ "a folder that is not kept", DO_SAVE, SYNC, 2, EIO, false, "sync the directory", NEW },
	{ "a publication without room", DO_PUBLISH, WRITE, 1, ENOSPC, false, "write", OLD },
	{ "a move that is refused", DO_MOVE, RENAME, 1, EACCES, false, "rename /d/file", OLD },
	{ "a move out of a folder that is not kept", DO_MOVE, SYNC, 1, EIO, false, "sync", NULL },
	{ "a move into a folder that is not kept", DO_MOVE, SYNC, 2, EIO, false, "sync", NULL },
	{ "a removal that is refused", DO_REMOVE, REMOVE, 1, EACCES, false, "remove /d/file", OLD },
	{ "a removal that is not kept", DO_REMOVE, SYNC, 1, EIO, false, "sync the directory",
	  NULL },
	{ "a folder that cannot be made", DO_MAKE, MAKE, 1, ENOSPC, false, "make /d/made", OLD },
	{ "a folder whose mode cannot be set", DO_MAKE, MODE_AT, 1, EPERM, false, "make", OLD },
};

static void put_old(int at)
{
	int fd = openat(at, "d/file", O_WRONLY | O_CREAT | O_TRUNC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, OLD, strlen(OLD)), strlen(OLD));
	close(fd);
}

static void left_is(int at, const char *text)
{
	char buf[64] = "";
	int fd = openat(at, "d/file", O_RDONLY);

	assert_true(fd >= 0 && read(fd, buf, sizeof(buf) - 1) >= 0);
	assert_string_equal(buf, text);
	close(fd);
}

static void ends_as_the_row_says(void **s)
{
	const struct row *r = *s;
	struct host_linux l = { .host.root = open(root, O_PATH | O_DIRECTORY) };
	struct err err = { 0 };

	put_old(l.host.root);
	outside.call = r->call;
	outside.nth = r->nth;
	outside.code = r->code;
	assert_int_equal(carry_out(&l.host, r->work, &err), r->succeeds);
	assert_true(outside.nth <= 0); /* the call was made */
	outside.call = NOTHING;
	assert_non_null(strstr(err.text, r->text));
	assert_int_equal(err.kind != ERR_NONE, !r->succeeds);
	assert_int_equal(faccessat(l.host.root, "d/file.new", F_OK, 0), -1); /* nothing is left */
	if (r->left)
		left_is(l.host.root, r->left);
	unlinkat(l.host.root, "d/made", AT_REMOVEDIR);
	unlinkat(l.host.root, "e/file", 0);
	close(l.host.root);
}

/* Nobody needs it after a reboot, and it is written at every sample. */
static void a_publication_waits_for_no_disk(void **s)
{
	struct host_linux l = { .host.root = open(root, O_PATH | O_DIRECTORY) };
	struct err err = { 0 };

	(void)s;
	outside.call = SYNC;
	outside.nth = 1;
	assert_true(host_linux_publish_file(&l.host, "/d/file", NEW, &err));
	assert_int_equal(outside.nth, 1);
	left_is(l.host.root, NEW);
	close(l.host.root);
}

/* ---- room in reserve ---- */

static off_t size_of(int at, const char *path)
{
	struct stat s;

	return fstatat(at, path, &s, 0) == 0 ? s.st_size : -1;
}

/* As a save on a full disk: there is no byte for the new file. */
static bool save_when_full(struct host *h, const char *text, struct err *err)
{
	outside.call = WRITE;
	outside.nth = 1;
	outside.code = ENOSPC;
	return host_linux_save_file(h, "/d/file", text, err);
}

static void begins_with(int at, const char *text)
{
	char buf[64] = "";
	int fd = openat(at, "d/file", O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, buf, sizeof(buf) - 1);

	assert_true(n >= (ssize_t)strlen(text));
	assert_memory_equal(buf, text, strlen(text));
	for (size_t i = strlen(text); i < (size_t)n; i++)
		assert_int_equal(buf[i], ' ');
	close(fd);
}

static void on_a_full_disk_a_file_takes_the_room_in_reserve(void **s)
{
	struct host_linux l = { .host.root = open(root, O_PATH | O_DIRECTORY) };
	struct err err = { 0 };
	int at = l.host.root;

	(void)s;
	outside.call = NOTHING;
	unlinkat(at, "d/file", 0);
	assert_true(host_linux_reserve_room(&l.host, "/d", 300, &err));
	assert_int_equal(size_of(at, "d/reserve"), 300);
	assert_true(save_when_full(&l.host, NEW, &err));
	assert_int_equal(err.kind, ERR_NONE);
	begins_with(at, NEW);
	assert_int_equal(size_of(at, "d/file"), 300);
	assert_int_equal(size_of(at, "d/reserve"), -1);
	assert_true(host_linux_release_file(&l.host, "/d/file", &err));
	assert_int_equal(size_of(at, "d/file"), -1);
	assert_int_equal(size_of(at, "d/reserve"), 300);
	unlinkat(at, "d/reserve", 0);
	close(at);
}

static void a_file_that_is_replaced_leaves_the_larger_room_in_reserve(void **s)
{
	struct host_linux l = { .host.root = open(root, O_PATH | O_DIRECTORY) };
	struct err err = { 0 };
	int at = l.host.root;

	(void)s;
	put_old(at);
	assert_true(host_linux_reserve_room(&l.host, "/d", 300, &err));
	assert_true(save_when_full(&l.host, "short\n", &err));
	begins_with(at, "short\n");
	assert_int_equal(size_of(at, "d/file"), strlen(OLD));
	assert_int_equal(size_of(at, "d/reserve"), 300);
	outside.call = NOTHING;
	assert_true(host_linux_reserve_room(&l.host, "/d", 200, &err)); /* it has that */
	assert_int_equal(size_of(at, "d/reserve"), 300);
	assert_true(host_linux_release_file(&l.host, "/d/file", &err)); /* it is the smaller one */
	assert_int_equal(size_of(at, "d/file"), -1);
	assert_int_equal(size_of(at, "d/reserve"), 300);
	unlinkat(at, "d/reserve", 0);
	close(at);
}

static void without_room_in_reserve_a_full_disk_is_an_error(void **s)
{
	struct host_linux l = { .host.root = open(root, O_PATH | O_DIRECTORY) };
	struct err err = { 0 };

	(void)s;
	put_old(l.host.root);
	assert_false(save_when_full(&l.host, NEW, &err));
	assert_int_equal(err.code, ENOSPC);
	left_is(l.host.root, OLD);
	assert_int_equal(size_of(l.host.root, "d/reserve"), -1);
	err = (struct err){ 0 };
	assert_false(host_linux_release_file(&l.host, "/d/none", &err));
	assert_int_equal(err.kind, ERR_UNSUPPORTED);
	close(l.host.root);
}

static int make_root(void **s)
{
	int at;

	(void)s;
	if (!mkdtemp(root))
		return -1;
	at = open(root, O_PATH | O_DIRECTORY);
	return mkdirat(at, "d", 0755) || mkdirat(at, "e", 0755) || close(at);
}

static int remove_root(void **s)
{
	int at = open(root, O_PATH | O_DIRECTORY);

	(void)s;
	unlinkat(at, "d/file", 0);
	unlinkat(at, "d", AT_REMOVEDIR);
	unlinkat(at, "e", AT_REMOVEDIR);
	close(at);
	return rmdir(root);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, ends_as_the_row_says);
	SUITE_ADD(&s, a_publication_waits_for_no_disk);
	SUITE_ADD(&s, on_a_full_disk_a_file_takes_the_room_in_reserve);
	SUITE_ADD(&s, a_file_that_is_replaced_leaves_the_larger_room_in_reserve);
	SUITE_ADD(&s, without_room_in_reserve_a_full_disk_is_an_error);
	return _cmocka_run_group_tests("disk", s.tests, s.count, make_root, remove_root);
}
