/*
 * Tests of files on a failing disk: each call fails in turn, and the file is checked afterwards.
 * test_files.c tests the successes.
 */
#include "failing_files.h"

enum work { DO_READ, DO_WRITE, DO_LIST, DO_SAVE, DO_PUBLISH, DO_MOVE, DO_REMOVE, DO_MAKE };

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
	const char *text; /* part of the error */
	const char *left; /* the file's text afterwards; NULL: any */
} rows[] = {
	{ "a read that is interrupted goes on", DO_READ, READ, 1, EINTR, true, "", OLD },
	{ "a read that fails", DO_READ, READ, 1, EIO, false, "read /d/file", OLD },
	{ "a read that fails later", DO_READ, READ, 2, EIO, false, "read /d/file", OLD },
	{ "a value that is refused", DO_WRITE, WRITE, 1, EINVAL, false, "write /d/file", OLD },
	{ "half a value is an error", DO_WRITE, SHORT_WRITE, 1, 0, false, "Input/output error",
	  NULL },
	{ "a file that cannot be opened", DO_WRITE, OPEN, 1, EACCES, false, "write /d/file", OLD },
	{ "a directory that cannot be opened", DO_LIST, OPEN, 1, EACCES, false, "list /d", OLD },
	{ "a directory without memory for it", DO_LIST, OPEN_DIR, 1, ENOMEM, false, "list /d",
	  OLD },
	{ "a list that breaks off", DO_LIST, NEXT_ENTRY, 2, EIO, false, "list /d", OLD },
	{ "a save that is interrupted goes on", DO_SAVE, WRITE, 1, EINTR, true, "", NEW },
	{ "a save in two parts", DO_SAVE, SHORT_WRITE, 1, 0, true, "", NEW },
	{ "no file to save to", DO_SAVE, OPEN, 1, ENOSPC, false, "create a draft of /d/file", OLD },
	{ "a mode that cannot be set", DO_SAVE, MODE, 1, EPERM, false, "write /d/file", OLD },
	{ "a full disk", DO_SAVE, WRITE, 1, ENOSPC, false, "write /d/file", OLD },
	{ "a disk that does not keep it", DO_SAVE, SYNC, 1, EIO, false, "write /d/file", OLD },
	{ "no space in the directory", DO_SAVE, RENAME, 1, ENOSPC, false, "write /d/file", OLD },
	{ "a directory that is gone", DO_SAVE, OPEN, 2, EIO, false, "sync the directory", NEW },
	{ "a directory that is not synced", DO_SAVE, SYNC, 2, EIO, false, "sync the directory",
	  NEW },
	{ "a publication without room", DO_PUBLISH, WRITE, 1, ENOSPC, false, "write", OLD },
	{ "a move that is refused", DO_MOVE, RENAME, 1, EACCES, false, "rename /d/file", OLD },
	{ "a move out of a directory that is not synced", DO_MOVE, SYNC, 1, EIO, false, "sync",
	  NULL },
	{ "a move into a directory that is not synced", DO_MOVE, SYNC, 2, EIO, false, "sync",
	  NULL },
	{ "a removal that is refused", DO_REMOVE, REMOVE, 1, EACCES, false, "remove /d/file", OLD },
	{ "a removal that is not kept", DO_REMOVE, SYNC, 1, EIO, false, "sync the directory",
	  NULL },
	{ "a directory that cannot be created", DO_MAKE, MAKE, 1, ENOSPC, false, "make /d/made",
	  OLD },
	{ "a directory whose mode cannot be set", DO_MAKE, MODE_AT, 1, EPERM, false, "make", OLD },
};

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
	assert_int_equal(faccessat(l.host.root, "d/.file.new", F_OK, 0), -1); /* none is left */
	if (r->left)
		left_is(l.host.root, r->left);
	unlinkat(l.host.root, "d/made", AT_REMOVEDIR);
	unlinkat(l.host.root, "e/file", 0);
	close(l.host.root);
}

/* A publication is not needed after a reboot, and is written at every sample. */
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

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, ends_as_the_row_says);
	SUITE_ADD(&s, a_publication_waits_for_no_disk);
	return _cmocka_run_group_tests("disk", s.tests, s.count, make_root, remove_root);
}
