/* Tests of the places of files that are written: by a draft, in place, or not at all. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/host/file_place.h"
#include "tests/support/unit.h"

static char dir[] = "/tmp/losslessctl-places-XXXXXX";

static const char *const links[][2] = {
	{ "sub/file", "link" }, { "../sub/new", "sub/dangling" }, { "sub", "link-to-sub" },
	{ "round", "round" },	{ "link", "link-to-link" },	  { "/dev/null", "link-to-null" },
	{ "other", "others" },
};

static int fill(void **state)
{
	(void)state;
	if (!mkdtemp(dir) || chdir(dir) < 0 || mkdir("sub", 0700) < 0 || mkfifo("fifo", 0600) < 0)
		return -1;
	close(open("sub/file", O_WRONLY | O_CREAT, 0600));
	for (size_t i = 0; i < COUNT(links); i++)
		if (symlink(links[i][0], links[i][1]) < 0)
			return -1;
	return geteuid() == 0 ? lchown("others", 65534, 65534) : 0;
}

static int clear(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(links); i++)
		unlink(links[i][1]);
	return unlink("sub/file") || unlink("fifo") || rmdir("sub") || rmdir(dir);
}

static const struct row {
	const char *sentence, *path, *name;
	mode_t kind;
	int code;
} rows[] = {
	{ "nothing has the name", "new", "new", 0, 0 },
	{ "a file is there", "sub/file", "file", S_IFREG, 0 },
	{ "slashes and dots are skipped", ".//sub/..//sub/./file", "file", S_IFREG, 0 },
	{ "a link leads to its file", "link", "file", S_IFREG, 0 },
	{ "so does a link to a link", "link-to-link", "file", S_IFREG, 0 },
	{ "a link without a file leads to its place", "sub/dangling", "new", 0, 0 },
	{ "a directory may be a link", "link-to-sub/file", "file", S_IFREG, 0 },
	{ "a FIFO is no regular file", "fifo", "fifo", S_IFIFO, 0 },
	{ "nor is a device", "/dev/null", "null", S_IFCHR, 0 },
	{ "nor a link to one", "link-to-null", "null", S_IFCHR, 0 },
	{ "what this process has open stays a link", "/proc/self/fd/0", "0", S_IFLNK, 0 },
	{ "a directory is none", "sub", "sub", S_IFDIR, 0 },
	{ "a name that ends with a slash is none", "sub/", NULL, 0, EISDIR },
	{ "a file has none below it", "sub/file/new", NULL, 0, ENOTDIR },
	{ "a directory is missing", "none/new", NULL, 0, ENOENT },
	{ "a link to itself is not followed", "round", NULL, 0, ELOOP },
};

static void leads_where_the_row_says(void **state)
{
	const struct row *r = *state;
	_place_ struct file_place place = { .dir = -1 };
	struct stat found, there;

	assert_int_equal(file_place_find(AT_FDCWD, r->path, &place), r->code);
	if (r->code) {
		assert_int_equal(place.dir, -1);
		return;
	}
	assert_string_equal(place.name, r->name);
	assert_int_equal(place.kind, r->kind);
	assert_int_equal(file_place_is_regular(&place), !r->kind || r->kind == S_IFREG);
	if (r->kind && r->kind != S_IFLNK) {
		assert_int_equal(fstatat(place.dir, place.name, &found, 0), 0);
		assert_int_equal(stat(r->path, &there), 0);
		assert_int_equal(found.st_ino, there.st_ino);
	}
}

static void another_users_link_is_not_followed(void **state)
{
	_place_ struct file_place place = { .dir = -1 };

	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(file_place_find(AT_FDCWD, "others", &place), ELOOP);
}

/* Nothing leads out of the directory that stands for "/". */
static void a_path_is_below_the_root(void **state)
{
	int root = open("sub", O_PATH | O_DIRECTORY | O_CLOEXEC);
	_place_ struct file_place place = { .dir = -1 };

	(void)state;
	assert_int_equal(file_place_find(root, "/file", &place), 0);
	assert_int_equal(place.kind, S_IFREG);
	close(root);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, leads_where_the_row_says);
	SUITE_ADD(&s, another_users_link_is_not_followed);
	SUITE_ADD(&s, a_path_is_below_the_root);
	return _cmocka_run_group_tests("file_place", s.tests, s.count, fill, clear);
}
