/* Tests of files below the host's root: whole or not at all, and errors that name the path. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/host/cleanup.h"
#include "agent/host/host_linux.h"
#include "agent/host/namespace.h"
#include "tests/support/unit.h"

static char root[] = "/tmp/losslessctl-test-XXXXXX";
static struct host_linux outside;
static struct host *const h = &outside.host;

static int make_root(void **s)
{
	struct err err = { 0 };

	(void)s;
	return !mkdtemp(root) || !host_linux_open(&outside, root, true, &err) ||
	       mkdirat(h->root, "folder", 0755);
}

static int remove_root(void **s)
{
	static const char *const files[] = { "folder/a", "folder/b", "folder/.a.new", "a", "link" };

	(void)s;
	for (size_t i = 0; i < COUNT(files); i++)
		unlinkat(h->root, files[i], 0);
	unlinkat(h->root, "folder/made", AT_REMOVEDIR);
	unlinkat(h->root, "folder", AT_REMOVEDIR);
	host_linux_close(&outside);
	return rmdir(root);
}

static void what_is_saved_reads_the_same(void **s)
{
	struct err err = { 0 };
	char text[32];
	struct stat st;

	(void)s;
	assert_true(host_save_file(h, "/folder/a", "one\ntwo\n", &err));
	assert_true(host_read_file(h, text, sizeof(text), &err, "/folder/%s", "a"));
	assert_string_equal(text, "one\ntwo"); /* without the last newline */
	assert_int_equal(fstatat(h->root, "folder/a", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(faccessat(h->root, "folder/.a.new", F_OK, 0), -1);
	assert_true(host_publish_file(h, "/a", "", &err));
	assert_true(host_read_file(h, text, sizeof(text), &err, "//a"));
	assert_string_equal(text, "");
	assert_int_equal(fstatat(h->root, "a", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0644);
}

/* Without CAP_CHOWN, as after start, an owner cannot be kept: the file is then this user's. */
static void the_file_of_another_program_keeps_its_mode_and_owner(void **s)
{
	struct err err = { 0 };
	char text[32];
	struct stat st;

	(void)s;
	assert_true(host_rewrite_file(h, "/folder/a", "one", &err));
	assert_int_equal(fstatat(h->root, "folder/a", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(fchmodat(h->root, "folder/a", 02646, 0), 0);
	if (geteuid() == 0)
		assert_int_equal(fchownat(h->root, "folder/a", 12, 34, 0), 0);
	assert_true(host_rewrite_file(h, "/folder/a", "two", &err));
	assert_true(host_read_file(h, text, sizeof(text), &err, "/folder/a"));
	assert_string_equal(text, "two");
	assert_int_equal(fstatat(h->root, "folder/a", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0644); /* and nobody else may change it */
	assert_int_equal(st.st_uid, geteuid() == 0 ? 12 : geteuid());
	assert_int_equal(st.st_gid, geteuid() == 0 ? 34 : getegid());
	assert_int_equal(unlinkat(h->root, "folder/a", 0), 0);
}

static void a_file_is_read_whole_or_not_at_all(void **s)
{
	struct err err = { 0 }, more = { 0 };
	char seven[8], eight[9];

	(void)s;
	assert_true(host_save_file(h, "/a", "1234567", &err));
	assert_true(host_read_file(h, eight, sizeof(eight), &err, "/a"));
	assert_string_equal(eight, "1234567");
	assert_false(host_read_file(h, seven, sizeof(seven), &more, "/a"));
	assert_int_equal(more.code, EFBIG);
	assert_string_equal(more.text, "read /a: longer than 6 bytes");
}

#define LARGE_MAX 600000

/* Lengths around those at which the buffer grows. */
static const struct length_row {
	const char *sentence;
	size_t length;
	int code;
} lengths[] = {
	{ "an empty file is read", 0, 0 },
	{ "a file that just fits into the first buffer is read", (64 << 10) - 2, 0 },
	{ "a file one byte longer is read into the next one", (64 << 10) - 1, 0 },
	{ "a file of the most bytes is read", LARGE_MAX - 2, 0 },
	{ "a file one byte longer is refused", LARGE_MAX - 1, EFBIG },
};

static void a_large_file_is_read_up_to_the_maximum(void **s)
{
	const struct length_row *row = *s;
	_free_ char *written = calloc(1, row->length + 1), *text = NULL;
	struct err err = { 0 };

	memset(written, 'x', row->length);
	assert_true(host_save_file(h, "/a", written, &err));
	assert_int_equal(host_read_large_file(h, LARGE_MAX, &text, &err, "/%s", "a"), !row->code);
	assert_int_equal(err.code, row->code);
	if (row->code)
		assert_null(text);
	else
		assert_string_equal(text, written);
}

static void a_file_is_moved_or_removed(void **s)
{
	struct err err = { 0 }, gone = { 0 };
	char text[8];

	(void)s;
	assert_true(host_save_file(h, "/folder/a", "x", &err));
	assert_true(host_move_file(h, "/folder/a", "/folder/b", &err));
	assert_true(host_read_file(h, text, sizeof(text), &err, "/folder/b"));
	assert_true(host_has_file(h, "/folder/%s", "b"));
	assert_true(host_move_file(h, "/folder/b", NULL, &err));
	assert_false(host_has_file(h, "/folder/%s", "b"));
	assert_false(host_read_file(h, text, sizeof(text), &gone, "/folder/b"));
	assert_int_equal(gone.kind, ERR_UNSUPPORTED);
}

static void a_directory_may_exist(void **s)
{
	struct err err = { 0 };

	(void)s;
	assert_true(host_make_dir(h, &err, "/folder/made"));
	assert_true(host_make_dir(h, &err, "/folder/made"));
}

static void count(const char *name, void *arg)
{
	assert_true(strcmp(name, ".") != 0 && strcmp(name, "..") != 0);
	++*(unsigned *)arg;
}

static void a_directory_is_listed_without_itself(void **s)
{
	struct err err = { 0 };
	unsigned before = 0, after = 0;

	(void)s;
	assert_true(host_list_dir(h, "/folder", count, &before, &err));
	assert_true(host_save_file(h, "/folder/b", "x", &err));
	assert_true(host_list_dir(h, "/folder", count, &after, &err));
	assert_int_equal(after, before + 1);
	assert_true(host_move_file(h, "/folder/b", NULL, &err));
	assert_true(host_list_dir(h, "/", count, &after, &err));
}

/* A write in place needs an existing file, which takes the whole value. */
static void a_value_is_written_where_there_is_a_file(void **s)
{
	struct err err = { 0 }, none = { 0 };
	char text[8];

	(void)s;
	assert_true(host_save_file(h, "/a", "12", &err));
	assert_true(host_write_file(h, "34", &err, "/a"));
	assert_true(host_read_file(h, text, sizeof(text), &err, "/a"));
	assert_string_equal(text, "34");
	assert_false(host_write_file(h, "5", &none, "/folder/%s", "none"));
	assert_int_equal(none.code, ENOENT);
}

/* A symbolic link in place of the new file comes from another process. */
static void nothing_is_written_through_a_link_in_place_of_the_draft(void **s)
{
	char text[16];
	struct err err = { 0 };

	(void)s;
	assert_true(host_save_file(h, "/a", "others'", &err));
	assert_int_equal(symlinkat("../a", h->root, "folder/.a.new"), 0);
	assert_true(host_save_file(h, "/folder/a", "x", &err));
	assert_true(host_read_file(h, text, sizeof(text), &err, "/a"));
	assert_string_equal(text, "others'");
	assert_int_equal(faccessat(h->root, "folder/.a.new", F_OK, AT_SYMLINK_NOFOLLOW), -1);
}

/* An administrator may have moved the file to another place. */
static void a_link_to_a_file_stays_one(void **s)
{
	char text[16];
	struct stat is;
	struct err err = { 0 };

	(void)s;
	assert_int_equal(symlinkat("/folder/b", h->root, "link"), 0);
	assert_true(host_save_file(h, "/link", "1", &err));
	assert_true(host_publish_file(h, "/link", "2", &err));
	assert_int_equal(fstatat(h->root, "link", &is, AT_SYMLINK_NOFOLLOW), 0);
	assert_true(S_ISLNK(is.st_mode));
	assert_true(host_read_file(h, text, sizeof(text), &err, "/folder/b"));
	assert_string_equal(text, "2");
	assert_int_equal(unlinkat(h->root, "link", 0), 0);
}

static void what_is_no_regular_file_stays(void **s)
{
	struct stat is;
	struct err err = { 0 };

	(void)s;
	unlinkat(h->root, "folder/b", 0);
	assert_int_equal(mkfifoat(h->root, "folder/b", 0600), 0);
	assert_false(host_save_file(h, "/folder/b", "x", &err));
	assert_string_equal(err.text, "write /folder/b: it is not a regular file");
	assert_int_equal(fstatat(h->root, "folder/b", &is, AT_SYMLINK_NOFOLLOW), 0);
	assert_true(S_ISFIFO(is.st_mode));
	unlinkat(h->root, "folder/b", 0);
}

static bool save(const char *path, struct err *err)
{
	return host_save_file(h, path, "x", err);
}

static bool publish(const char *path, struct err *err)
{
	return host_publish_file(h, path, "x", err);
}

static bool put_in_place(const char *path, struct err *err)
{
	return host_write_file(h, "x", err, "%s", path);
}

static bool read_it(const char *path, struct err *err)
{
	char text[8];

	return host_read_file(h, text, sizeof(text), err, "%s", path);
}

static bool list(const char *path, struct err *err)
{
	unsigned n = 0;

	return host_list_dir(h, path, count, &n, err);
}

static bool move(const char *path, struct err *err)
{
	return host_move_file(h, path, "/folder/b", err);
}

static bool drop(const char *path, struct err *err)
{
	return host_move_file(h, path, NULL, err);
}

static bool make(const char *path, struct err *err)
{
	return host_make_dir(h, err, "%s", path);
}

static const struct row {
	const char *sentence;
	bool (*act)(const char *path, struct err *err);
	const char *path;
	int code;
	enum err_kind kind;
} rows[] = {
	{ "a file that is not there is not read", read_it, "/none", ENOENT, ERR_UNSUPPORTED },
	{ "nor one below a file", read_it, "/file/x", ENOTDIR, ERR_UNSUPPORTED },
	{ "a directory cannot be read as a file", read_it, "/folder", EISDIR, ERR_SYSTEM },
	{ "a directory cannot be written as a file", put_in_place, "/folder", EISDIR, ERR_SYSTEM },
	{ "a directory is not replaced by a file", save, "/folder", EISDIR, ERR_SYSTEM },
	{ "nor by one that is published", publish, "/folder", EISDIR, ERR_SYSTEM },
	{ "nothing is saved in a directory that does not exist", save, "/none/x", ENOENT,
	  ERR_UNSUPPORTED },
	{ "a directory that does not exist is not listed", list, "/none", ENOENT, ERR_UNSUPPORTED },
	{ "a file is not listed", list, "/file", ENOTDIR, ERR_UNSUPPORTED },
	{ "what is not there is not moved", move, "/none", ENOENT, ERR_UNSUPPORTED },
	{ "what is not there is not removed", drop, "/none", ENOENT, ERR_UNSUPPORTED },
	{ "a directory is not created in one that does not exist", make, "/none/x", ENOENT,
	  ERR_UNSUPPORTED },
};

static void it_fails_and_reports_its_path(void **s)
{
	const struct row *row = *s;
	struct err err = { 0 };

	assert_true(host_publish_file(h, "/file", "x", &err));
	assert_false(row->act(row->path, &err));
	assert_int_equal(err.code, row->code);
	assert_int_equal(err.kind, row->kind);
	assert_non_null(strstr(err.text, row->path + 1));
	assert_int_equal(faccessat(h->root, ".folder.new", F_OK, 0), -1);
	assert_int_equal(unlinkat(h->root, "file", 0), 0);
}

/* Writing to a full disk (/dev/full) is an error with the path. */
static void a_full_disk_leaves_the_old_file(void **s)
{
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	struct err err = { 0 };

	(void)s;
	if (full < 0)
		skip();
	close(full);
	assert_int_equal(symlinkat("/dev/full", h->root, "link"), 0);
	assert_false(host_write_file(h, "x", &err, "/link"));
	assert_int_equal(err.code, ENOSPC);
	assert_string_equal(err.text, "write /link: No space left on device");
}

static void processes_are_in_one_network_or_not(void **s)
{
	static const char *const folders[] = { "/proc", "/proc/1", "/proc/1/net", "/proc/2",
					       "/proc/2/net" };
	struct err err = { 0 };

	(void)s;
	for (size_t i = 0; i < COUNT(folders); i++)
		assert_true(host_make_dir(h, &err, "%s", folders[i]));
	assert_true(host_publish_file(h, "/proc/1/net/unix", "x", &err));
	assert_true(host_publish_file(h, "/proc/2/net/unix", "x", &err));
	assert_true(namespace_is_shared(h, "1", "1"));
	assert_false(namespace_is_shared(h, "1", "2"));
	assert_true(namespace_is_shared(h, "1", "3")); /* unknown counts as shared */
	assert_int_equal(unlinkat(h->root, "proc/1/net/unix", 0), 0);
	assert_int_equal(unlinkat(h->root, "proc/2/net/unix", 0), 0);
	for (size_t i = COUNT(folders); i-- > 0;)
		assert_int_equal(unlinkat(h->root, folders[i] + 1, AT_REMOVEDIR), 0);
}

static void who_only_reads_changes_nothing(void **s)
{
	static bool (*const acts[])(const char *, struct err *) = { save, publish, put_in_place,
								    move, drop,	   make };

	(void)s;
	h->may_write = false;
	for (size_t i = 0; i < COUNT(acts); i++) {
		struct err err = { 0 };

		assert_false(acts[i]("/folder/b", &err));
		assert_int_equal(err.kind, ERR_REFUSED);
	}
	h->may_write = true;
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, what_is_saved_reads_the_same);
	SUITE_ADD(&s, the_file_of_another_program_keeps_its_mode_and_owner);
	SUITE_ADD(&s, a_file_is_read_whole_or_not_at_all);
	SUITE_ADD_ROWS(&s, lengths, a_large_file_is_read_up_to_the_maximum);
	SUITE_ADD(&s, a_file_is_moved_or_removed);
	SUITE_ADD(&s, a_directory_may_exist);
	SUITE_ADD(&s, a_directory_is_listed_without_itself);
	SUITE_ADD(&s, a_value_is_written_where_there_is_a_file);
	SUITE_ADD(&s, nothing_is_written_through_a_link_in_place_of_the_draft);
	SUITE_ADD(&s, a_link_to_a_file_stays_one);
	SUITE_ADD(&s, what_is_no_regular_file_stays);
	SUITE_ADD_ROWS(&s, rows, it_fails_and_reports_its_path);
	SUITE_ADD(&s, a_full_disk_leaves_the_old_file);
	SUITE_ADD(&s, processes_are_in_one_network_or_not);
	SUITE_ADD(&s, who_only_reads_changes_nothing);
	return _cmocka_run_group_tests("files", s.tests, s.count, make_root, remove_root);
}
