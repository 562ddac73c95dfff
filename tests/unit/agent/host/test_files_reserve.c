/* Tests of the room in reserve for a full disk, and of its failures. */
#include "failing_files.h"

/* A save on a full disk, or a larger reserve. */
static const struct row {
	const char *sentence;
	bool saves;
	enum call call;
	int nth, code;
	bool succeeds;
	const char *text; /* part of the error */
	const char *left; /* the file's text afterwards; NULL: NEW, then blanks */
} rows[] = {
	{ "the room in reserve cannot be opened", true, OPEN, 2, EACCES, false, "No space", OLD },
	{ "the size of the reserve is unknown", true, LOOK, 1, EIO, false, "No space", OLD },
	{ "the reserve does not take the text", true, WRITE, 1, EIO, false, "No space", OLD },
	{ "the reserve does not take the blanks", true, WRITE, 2, EIO, false, "No space", OLD },
	{ "the reserve is not kept", true, SYNC, 1, EIO, false, "No space", OLD },
	{ "a disk without exchange takes the reserve", true, EXCHANGE, 1, EINVAL, true, "", NULL },
	{ "the file before is too small to stay in use", true, WRITE, 3, ENOSPC, true, "", NULL },
	{ "a reserve that cannot be opened", false, OPEN, 1, EACCES, false, "create", OLD },
	{ "a reserve of unknown size", false, LOOK, 1, EIO, false, "create", OLD },
	{ "no room for a reserve", false, ALLOCATE, 1, ENOSPC, false, "reserve space", OLD },
	{ "a reserve that is not kept", false, SYNC, 1, EIO, false, "reserve space", OLD },
	{ "a reserve whose directory is not synced", false, SYNC, 2, EIO, false, "sync", OLD },
};

static off_t size_of(int at, const char *path)
{
	struct stat s;

	return fstatat(at, path, &s, 0) == 0 ? s.st_size : -1;
}

/* Save on a full disk: the first write of the new file fails. */
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

static void ends_as_the_row_says(void **s)
{
	const struct row *r = *s;
	struct host_linux l = { .host.root = open(root, O_PATH | O_DIRECTORY) };
	struct err err = { 0 };

	put_old(l.host.root);
	assert_true(host_linux_reserve_room(&l.host, "/d", RESERVED, &err));
	outside.is_full = r->saves;
	outside.call = r->call;
	outside.nth = r->nth;
	outside.code = r->code;
	assert_int_equal(r->saves ? host_linux_save_file(&l.host, "/d/file", NEW, &err)
				  : host_linux_reserve_room(&l.host, "/d", RESERVED + 1, &err),
			 r->succeeds);
	assert_true(outside.nth <= 0); /* the call was made */
	outside.call = NOTHING;
	assert_non_null(strstr(err.text, r->text));
	if (r->left)
		left_is(l.host.root, r->left);
	else
		begins_with(l.host.root, NEW);
	unlinkat(l.host.root, "d/reserve", 0);
	close(l.host.root);
}

static void on_a_full_disk_a_file_takes_the_room_in_reserve(void **s)
{
	struct host_linux l = { .host.root = open(root, O_PATH | O_DIRECTORY) };
	struct err err = { 0 };
	int at = l.host.root;

	(void)s;
	outside.call = NOTHING;
	unlinkat(at, "d/file", 0);
	assert_true(host_linux_reserve_room(&l.host, "/d", RESERVED, &err));
	assert_int_equal(size_of(at, "d/reserve"), RESERVED);
	assert_true(save_when_full(&l.host, NEW, &err));
	assert_int_equal(err.kind, ERR_NONE);
	begins_with(at, NEW);
	assert_int_equal(size_of(at, "d/file"), RESERVED);
	assert_int_equal(size_of(at, "d/reserve"), -1);
	assert_true(host_linux_release_file(&l.host, "/d/file", &err));
	assert_int_equal(size_of(at, "d/file"), -1);
	assert_int_equal(size_of(at, "d/reserve"), RESERVED);
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
	assert_true(host_linux_reserve_room(&l.host, "/d", RESERVED, &err));
	assert_true(save_when_full(&l.host, "short\n", &err));
	begins_with(at, "short\n");
	assert_int_equal(size_of(at, "d/file"), strlen(OLD));
	assert_int_equal(size_of(at, "d/reserve"), RESERVED);
	outside.call = NOTHING;
	assert_true(host_linux_reserve_room(&l.host, "/d", 200, &err)); /* the reserve has them */
	assert_int_equal(size_of(at, "d/reserve"), RESERVED);
	assert_true(host_linux_release_file(&l.host, "/d/file", &err)); /* the smaller one */
	assert_int_equal(size_of(at, "d/file"), -1);
	assert_int_equal(size_of(at, "d/reserve"), RESERVED);
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

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, ends_as_the_row_says);
	SUITE_ADD(&s, on_a_full_disk_a_file_takes_the_room_in_reserve);
	SUITE_ADD(&s, a_file_that_is_replaced_leaves_the_larger_room_in_reserve);
	SUITE_ADD(&s, without_room_in_reserve_a_full_disk_is_an_error);
	return _cmocka_run_group_tests("reserve", s.tests, s.count, make_root, remove_root);
}
