/* Tests of finding other vendors' management programs by their processes. */
#include <string.h>

#include "dcb/owner/other_writers.h"
#include "policy/model/setting.h"
#include "tests/support/owned_host.h"
#include "tests/support/unit.h"

#define OPERATOR RUNS("41", "nic-configurati", "/nic-configuration-daemon\0-v")
#define DMS	 RUNS("42", "dmsd", "/opt/mellanox/doca/services/dms/dmsd\0-bind_address\0:9339")

static const struct row {
	const char *sentence;
	struct file files[FILES_MAX];
	const char *found; /* "name pid ..." */
} rows[] = {
	{ "a host without one has none", { { 0 } }, "" },
	{ "the daemon of NVIDIA's NIC configuration operator, whose name is cut",
	  { OPERATOR },
	  "nic-configuration-daemon 41 " },
	{ "DOCA's management service", { DMS }, "dmsd 42 " },
	{ "the daemon of the SR-IOV operator",
	  { RUNS("9", "sriov-network-c", "sriov-network-config-daemon\0start") },
	  "sriov-network-config-daemon 9 " },
	{ "two are two", { OPERATOR, DMS }, "dmsd 42 nic-configuration-daemon 41 " },
	{ "two processes of one are one",
	  { DMS, RUNS("43", "dmsd", "/opt/mellanox/doca/services/dms/dmsd") },
	  "dmsd 42 " },
	{ "another program with the same 15 bytes is none",
	  { RUNS("41", "nic-configurati", "/usr/bin/nic-configurations-viewer") },
	  "" },
	{ "a name that begins alike is none",
	  { RUNS("42", "dmsd-exporter", "/dmsd-exporter") },
	  "" },
	{ "the shell that starts one is none",
	  { RUNS("42", "sh", "sh\0-c\0/opt/mellanox/doca/services/dms/dmsd") },
	  "" },
	{ "anybody may call a process dmsd: it is root's or it is none",
	  { DMS, { "proc/42/status", "Name:\tdmsd\nUid:\t1000\t1000\t1000\t1000\n", 0 } },
	  "" },
	{ "one in another network is none",
	  { DMS, { "proc/42/net/unix", "a", 0 }, { "proc/self/net/unix", "b", 0 } },
	  "" },
	{ "a zombie is none",
	  { { "proc/42/comm", "dmsd\n", 0 }, { "proc/42/cmdline", "", 0 } },
	  "" },
};

/* Print the programs sorted by name, because the order of /proc is arbitrary. */
static void describe(const struct other_writers *all, char *buf, size_t size)
{
	static const char *const names[] = { "dmsd", "nic-configuration-daemon",
					     "sriov-network-config-daemon" };

	buf[0] = '\0';
	for (size_t n = 0; n < COUNT(names); n++)
		for (size_t i = 0; i < all->count; i++)
			if (strcmp(all->list[i].writer->name, names[n]) == 0)
				snprintf(buf + strlen(buf), size - strlen(buf), "%s %u ", names[n],
					 all->list[i].pid);
}

static void it_is_found_so(void **s)
{
	const struct row *row = *s;
	struct other_writers all;
	char found[256];

	put_files(row->files);
	other_writers_find(&outside.host, &all);
	describe(&all, found, sizeof(found));
	if (strncmp(row->found, "dmsd 42 ", 8) == 0 && strcmp(row->found, found) != 0)
		assert_string_equal(found, "dmsd 43 "); /* either process may be named */
	else
		assert_string_equal(found, row->found);
}

static void each_writes_what_it_is_known_for(void **s)
{
	const struct file both[FILES_MAX] = { OPERATOR, DMS };
	struct other_writers all;

	(void)s;
	put_files(both);
	other_writers_find(&outside.host, &all);
	assert_string_equal(other_writers_of(&all, SETTING_MTU)->writer->name, "dmsd");
	assert_non_null(other_writers_of(&all, SETTING_PFC_PRIORITIES));
	assert_null(other_writers_of(&all, SETTING_DCBX_MODE));
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, it_is_found_so);
	SUITE_ADD(&s, each_writes_what_it_is_known_for);
	return _cmocka_run_group_tests("who else writes", s.tests, s.count, make_root, remove_root);
}
