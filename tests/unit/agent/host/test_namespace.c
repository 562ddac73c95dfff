/* Tests of finding in /proc whether a process may change ports. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/host/namespace.h"
#include "policy/util/exit_code.h"

struct fake {
	struct host host; /* first, so that a struct host * is a struct fake * */
	const char *uid_map, *status;
};

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	const struct fake *f = (const struct fake *)h;
	const char *text = strstr(path, "uid_map") ? f->uid_map : f->status;

	if (!text)
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "read %s: not here", path);
	snprintf(buf, size, "%s", text);
	return true;
}

#define ALL	 "         0          0 4294967295"
#define EVERYONE "Name:\tx\nCapPrm:\t000001ffffffffff\nCapEff:\t000001ffffffffff\n"
#define JUST_NET "Name:\tx\nCapEff:\t0000000000001000\n"
#define ALL_BUT	 "Name:\tx\nCapPrm:\t0000000000001000\nCapEff:\t000001ffffffefff\n"

static const struct row {
	const char *uid_map, *status;
	bool may;
} rows[] = {
	{ ALL, EVERYONE, true },
	{ ALL, JUST_NET, true },
	{ ALL, ALL_BUT, false },
	{ ALL, "Name:\tx\nCapEff:\t0000000000000000\n", false },
	{ "         0       1000          1", EVERYONE, false },
	{ "         0     100000      65536", EVERYONE, false },
	{ "         0          0      65536", EVERYONE, false },
	{ NULL, NULL, true }, /* without /proc, the kernel decides */
	{ ALL, "Name:\tx\n", true },
	{ "", EVERYONE, true },
};

static void ports_are_changed_only_with_net_admin_in_the_first_namespace(void **s)
{
	(void)s;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fake f = { .host.read_file = read_file,
				  .uid_map = rows[i].uid_map,
				  .status = rows[i].status };
		struct err err = { 0 };

		if (namespace_may_change(&f.host, &err) != rows[i].may)
			fail_msg("row %zu", i);
		if (rows[i].may)
			continue;
		assert_int_equal(exit_code_of_err(&err), 77);
		assert_non_null(strstr(err.text, "CAP_NET_ADMIN in the initial"));
	}
}

struct mounts {
	struct host host;
	const char *theirs, *ours;
};

static bool read_mounts(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	const struct mounts *m = (const struct mounts *)h;
	const char *text = strstr(path, "/uid_map")		    ? ALL
			   : strcmp(path, "/proc/7/mountinfo") == 0 ? m->theirs
								    : m->ours;

	if (!text)
		return err_set(err, ERR_UNSUPPORTED, ENOENT, "read %s: not here", path);
	snprintf(buf, size, "%s", text);
	return true;
}

#define ROOT "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"

static const struct mount_row {
	const char *theirs, *ours;
	bool same;
} mount_rows[] = {
	{ ROOT, ROOT, true },
	{ ROOT "30 22 8:1 /etc /etc rw\n", ROOT, true },
	{ ROOT, ROOT "30 22 8:1 /etc/x /etc/x ro\n31 30 8:1 /etc/x/y /etc/x/y rw\n", true },
	{ ROOT "30 22 8:2 / /et rw\n", ROOT, true },
	{ ROOT "30 22 8:2 / /etc/x/y rw\n", ROOT, false },
	{ ROOT "30 22 8:1 /other /etc/x rw\n", ROOT, false },
	{ ROOT, ROOT "30 22 8:2 / /etc rw\n", false },
	{ "22 1 0:50 / / rw\n", ROOT, false },
	{ "30 22 8:1 /etc /etcetera rw\n", ROOT, false },
	{ "", "", false },
	{ NULL, ROOT, false },
	{ ROOT, NULL, false },
};

static void a_path_is_one_file_for_both_by_their_mounts(void **s)
{
	(void)s;
	for (size_t i = 0; i < sizeof(mount_rows) / sizeof(mount_rows[0]); i++) {
		struct mounts m = { .host.read_file = read_mounts,
				    .theirs = mount_rows[i].theirs,
				    .ours = mount_rows[i].ours };

		if (namespace_has_file(&m.host, 7, "/etc/x/y/z.conf") != mount_rows[i].same)
			fail_msg("row %zu", i);
	}
}

static bool is_one_file(const char *theirs, const char *path)
{
	struct mounts m = { .host.read_file = read_mounts, .theirs = theirs, .ours = ROOT };

	return namespace_has_file(&m.host, 7, path);
}

/* A process that has a file of its own below /run/a, or in "/run/a b", cannot name it as ours. */
static void a_path_that_hides_a_mount_is_not_one_file(void **s)
{
	static const char *const paths[] = {
		"/etc/../run/a/z.conf", "/etc/./z.conf", "/etc//z.conf", "/run/a b/z.conf",
		"/run/a\\b/z.conf",	"/run/a/..",	 "/run/a/."
	};

	(void)s;
	assert_true(is_one_file(ROOT, "/run/b/z..conf"));
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (is_one_file(ROOT "30 22 0:60 / /run/a rw\n31 22 0:61 / /run/a\\040b rw\n",
				paths[i]))
			fail_msg("%s", paths[i]);
}

static void a_link_to_what_is_mounted_elsewhere_is_not_one_file(void **s)
{
	char dir[] = "/tmp/losslessctl-place-XXXXXX", link[64], mounts[256];

	(void)s;
	assert_non_null(mkdtemp(dir));
	snprintf(link, sizeof(link), "%s/link", dir);
	assert_int_equal(symlink("/usr/bin/env", link), 0);
	assert_true(is_one_file(ROOT, link));
	snprintf(mounts, sizeof(mounts), "%s30 22 0:60 / /usr rw\n", ROOT);
	assert_false(is_one_file(mounts, link));
	unlink(link);
	rmdir(dir);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_that_hides_a_mount_is_not_one_file),
		cmocka_unit_test(a_link_to_what_is_mounted_elsewhere_is_not_one_file),
		cmocka_unit_test(ports_are_changed_only_with_net_admin_in_the_first_namespace),
		cmocka_unit_test(a_path_is_one_file_for_both_by_their_mounts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
