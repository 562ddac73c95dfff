/* Tests of files that only root may change, on mounts that are read-only or not. */
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cli/sandbox/trusted_open.h"
#include "tests/support/unit.h"

static bool read_only;

/* Stands for a sandbox that mounts everything read-only, as ProtectSystem=strict of systemd. */
int fstatvfs(int fd, struct statvfs *ret)
{
	(void)fd;
	*ret = (struct statvfs){ .f_flag = read_only ? ST_RDONLY : 0 };
	return 0;
}

struct row {
	const char *sentence;
	bool read_only;
	enum mount_trust trust;
	bool opens;
};

static const struct row rows[] = {
	{ "a directory that others may write to is refused", false, CHECK_EVERY_MOUNT, false },
	{ "a mount that is read-only is checked like any other", true, CHECK_EVERY_MOUNT, false },
	{ "a read-only mount that the caller trusts is not checked", true, TRUST_READ_ONLY_MOUNTS,
	  true },
	{ "a writable mount is not trusted", false, TRUST_READ_ONLY_MOUNTS, false },
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
	assert_int_equal(trusted_open(path, r->trust, &fd, &err), r->opens);
	unlink(path);
	if (r->opens) {
		close(fd);
		return;
	}
	assert_int_equal(err.kind, ERR_REFUSED);
	assert_non_null(strstr(err.text, "the directory /tmp has mode 1777"));
	assert_string_equal(err.fix, ""); /* /tmp is not the caller's to change */
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, opens_as_the_row_says);
	return suite_run(&s, "trusted_open");
}
