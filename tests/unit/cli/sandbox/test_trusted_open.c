/* Tests of files that only root may change, on mounts that are read-only or not. */
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "cli/sandbox/trusted_open.h"
#include "tests/support/unit.h"

static bool read_only;

/* FUSE_SUPER_MAGIC of linux/magic.h, which virtiofs has, too. */
enum fuse { NO_FUSE, FUSE, FUSE_IS_ROOT };

static enum fuse fuse;
static dev_t device; /* that of the last file which was asked for */

/* Stands for a sandbox that mounts everything read-only, as ProtectSystem=strict of systemd. */
int fstatfs(int fd, struct statfs *ret)
{
	struct stat s;

	assert_int_equal(fstat(fd, &s), 0);
	device = s.st_dev;
	*ret = (struct statfs){ .f_flags = read_only ? ST_RDONLY : 0,
				.f_type = fuse ? 0x65735546 : 0 };
	return 0;
}

/* The root is the only path that is asked for. */
int stat(const char *path, struct stat *ret)
{
	assert_string_equal(path, "/");
	*ret = (struct stat){ .st_dev = fuse == FUSE_IS_ROOT ? device : device + 1 };
	return 0;
}

struct row {
	const char *sentence;
	bool read_only;
	enum mount_trust trust;
	bool opens;
	enum fuse fuse;
};

static const struct row rows[] = {
	{ "a directory that others may write to is refused", false, CHECK_EVERY_MOUNT, false,
	  NO_FUSE },
	{ "a mount that is read-only is checked like any other", true, CHECK_EVERY_MOUNT, false,
	  NO_FUSE },
	{ "a read-only mount that the caller trusts is not checked", true, TRUST_READ_ONLY_MOUNTS,
	  true, NO_FUSE },
	{ "a writable mount is not trusted", false, TRUST_READ_ONLY_MOUNTS, false, NO_FUSE },
	{ "a file system that a program serves is refused", false, CHECK_EVERY_MOUNT, false, FUSE },
	{ "it is, read-only, too", true, TRUST_READ_ONLY_MOUNTS, false, FUSE },
	{ "the root that a program serves is like any other", false, CHECK_EVERY_MOUNT, false,
	  FUSE_IS_ROOT },
	{ "and so is its read-only mount", true, TRUST_READ_ONLY_MOUNTS, true, FUSE_IS_ROOT },
};

static void opens_as_the_row_says(void **state)
{
	const struct row *r = *state;
	char path[] = "/tmp/losslessctl-XXXXXX";
	struct err err = { 0 };
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	read_only = r->read_only;
	fuse = r->fuse;
	assert_int_equal(trusted_open(path, r->trust, &fd, &err), r->opens);
	unlink(path);
	if (r->opens) {
		close(fd);
		return;
	}
	assert_int_equal(err.kind, ERR_REFUSED);
	if (r->fuse == FUSE) {
		assert_string_equal(err.text, "/ is on a file system that a program serves (FUSE): "
					      "its owner and mode prove nothing");
		return;
	}
	assert_non_null(strstr(err.text, "the directory /tmp has mode 1777"));
	assert_string_equal(err.fix, ""); /* /tmp is not the caller's to change */
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, opens_as_the_row_says);
	return suite_run(&s, "trusted_open");
}
