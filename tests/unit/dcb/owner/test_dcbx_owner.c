/* Tests of finding the owner of a port's DCB: firmware, lldpad, or nobody. */
#include <errno.h>
#include <linux/dcbnl.h>
#include <string.h>

#include "dcb/owner/dcbx_owner.h"
#include "tests/support/owned_host.h"
#include "tests/support/unit.h"

#define MLX5_FRESH 0x0c /* VER_CEE | VER_IEEE: firmware owns it, without LLD_MANAGED */
#define MANAGED	   (HOST | DCB_CAP_DCBX_LLD_MANAGED)
#define UNIX_HEAD  "Num       RefCount Protocol Flags    Type St Inode Path\n"
#define UNIT(folder) \
	{ \
		folder "/systemd/system/lldpad.service", "[Service]\n", 0 \
	}
#define BOUND \
	{ \
		"proc/net/unix", UNIX_HEAD UNIX("0002", "@/com/intel/lldpad"), 0 \
	}
#define UNIX(ty, at) "0000000000000000: 00000002 00000000 00000000 " ty " 01 4711 " at "\n"

static const struct owner_row rows[] = {
	{ "a port without a writer has no owner", HOST, 0, { { 0 } }, OWNER_NOBODY, false, "" },
	{ "a fresh mlx5 port is firmware's",
	  MLX5_FRESH,
	  0,
	  { { 0 } },
	  OWNER_FIRMWARE,
	  false,
	  "firmware" },
	{ "LLD_MANAGED is firmware's, whatever else it says",
	  MANAGED,
	  0,
	  { { 0 } },
	  OWNER_FIRMWARE,
	  false,
	  "firmware" },
	{ "lldpad owns the port", HOST, 0, { LLDPAD }, OWNER_LLDPAD, false, "lldpad (pid 77)" },
	{ "firmware and lldpad are two",
	  MLX5_FRESH,
	  0,
	  { LLDPAD },
	  OWNER_LLDPAD,
	  true,
	  "two LLDP agents on one cable" },
	{ "lldpad -R only advertises",
	  HOST,
	  0,
	  { RUNS("77", "lldpad", "lldpad\0-tR") },
	  OWNER_LLDPAD_ADVERTISES,
	  false,
	  "does not write to it" },
	{ "of two the one that writes counts",
	  HOST,
	  0,
	  { RUNS("76", "lldpad", "lldpad\0-R"), LLDPAD, RUNS("78", "lldpad", "lldpad\0-R") },
	  OWNER_LLDPAD,
	  false,
	  "pid 77" },
	{ "an lldpad whose words are too many to read writes",
	  HOST,
	  0,
	  { { "proc/77/comm", "lldpad\n", 0 },
	    { "proc/77/cmdline", (char[2048]){ "lldpad" }, 2048 } },
	  OWNER_LLDPAD,
	  false,
	  "pid 77" },
	{ "a port without DCB has no owner", 0, EOPNOTSUPP, { LLDPAD }, OWNER_NOBODY, false, "" },
	{ "anybody may call a process lldpad: it is root's or it is none",
	  HOST,
	  0,
	  { LLDPAD, { "proc/77/status", "Name:\tlldpad\nUid:\t1000\t1000\t1000\t1000\n", 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "nor is su that anybody has called so, at its prompt",
	  HOST,
	  0,
	  { LLDPAD, { "proc/77/status", "Name:\tlldpad\nUid:\t1000\t0\t0\t0\n", 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "nor is one of so many groups that its status is long",
	  HOST,
	  0,
	  { LLDPAD,
	    { "proc/77/status",
	      (char[8192]){ "Name:\tlldpad\nUid:\t1000\t1000\t1000\t1000\nGroups:\t" }, 8192 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "root's own is one",
	  HOST,
	  0,
	  { LLDPAD, { "proc/77/status", "Name:\tlldpad\nUid:\t0\t0\t0\t0\n", 0 } },
	  OWNER_LLDPAD,
	  false,
	  "pid 77" },
	{ "a zombie is none",
	  HOST,
	  0,
	  { { "proc/77/comm", "lldpad\n", 0 }, { "proc/77/cmdline", "", 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "lldpad in another network is none",
	  HOST,
	  0,
	  { LLDPAD, { "proc/77/net/unix", "a", 0 }, { "proc/self/net/unix", "b", 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "a directory of /proc that is no process is ignored",
	  HOST,
	  0,
	  { RUNS("sys", "lldpad", "lldpad") },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "a socket without an lldpad is held for it",
	  HOST,
	  0,
	  { { "proc/net/unix", UNIX_HEAD UNIX("0002", "@/com/intel/lldpad"), 0 } },
	  OWNER_LLDPAD_SOCKET,
	  false,
	  "systemd or another program holds" },
	{ "a socket with one is its own",
	  HOST,
	  0,
	  { { "proc/net/unix", UNIX_HEAD UNIX("0002", "@/com/intel/lldpad"), 0 }, LLDPAD },
	  OWNER_LLDPAD,
	  false,
	  "pid 77" },
	{ "the stock client's socket is not lldpad's",
	  HOST,
	  0,
	  { { "proc/net/unix", UNIX_HEAD UNIX("0002", "@/com/intel/lldpad/88"), 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "a stream of that name is not lldpad's",
	  HOST,
	  0,
	  { { "proc/net/unix", UNIX_HEAD UNIX("0001", "@/com/intel/lldpad"), 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
};

/* Any user may bind lldpad's address, where no lldpad runs. */
static void a_socket_of_another_user_is_not_lldpads(void **s)
{
	static const struct {
		struct file files[FILES_MAX];
		uint32_t user;
		enum dcbx_owner who;
	} sockets[] = {
		{ { BOUND, LLDPAD }, 1000, OWNER_NOBODY },
		{ { BOUND, LLDPAD }, 0, OWNER_LLDPAD },
		/* The kernel names root of the host nobody there. */
		{ { BOUND, { "proc/self/uid_map", "0 100000 65536\n", 0 } },
		  65534,
		  OWNER_LLDPAD_SOCKET },
	};
	struct err err = { 0 };
	struct owner o;

	(void)s;
	for (size_t i = 0; i < sizeof(sockets) / sizeof(sockets[0]); i++) {
		put_files(sockets[i].files);
		socket_user = sockets[i].user;
		assert_true(owner_find(&outside.host, &owned_port, &o, &err));
		assert_string_equal(owner_name(o.who), owner_name(sockets[i].who));
	}
}

static void a_port_that_is_gone_is_an_error(void **s)
{
	static const struct file none[FILES_MAX];
	struct owner o = { .pid = 1 };
	struct err err = { 0 };

	(void)s;
	put_files(none);
	mode_code = ENODEV;
	assert_false(owner_find(&outside.host, &owned_port, &o, &err));
	assert_int_equal(err.kind, ERR_GONE);
	assert_int_equal(o.pid, 1);
}

static void count_sockets(void *arg, const char *path, const char *text)
{
	(void)text;
	*(unsigned *)arg += strcmp(path, "/proc/net/unix") == 0;
}

static void a_run_over_ports_reads_the_sockets_once(void **s)
{
	static const struct file none[FILES_MAX] = { { "proc/net/unix",
						       UNIX_HEAD UNIX("0002", "@/run/other"), 0 } };
	struct host *h = &outside.host;
	struct owner o;
	struct err err = { 0 };
	unsigned reads = 0;

	(void)s;
	put_files(none);
	h->facts.is_kept = true;
	h->file_was_read = count_sockets;
	h->file_arg = &reads;
	mode_code = 0;
	assert_true(owner_find(h, &owned_port, &o, &err) && owner_find(h, &owned_port, &o, &err));
	h->file_was_read = NULL;
	h->facts = (struct run_facts){ .is_kept = false };
	assert_int_equal(reads, 1);
}

static const struct looming_row {
	const char *sentence;
	struct file files[FILES_MAX];
	bool looms;
} looming[] = {
	{ "an enabled service looms",
	  { { "etc/systemd/system/multi-user.target.wants/lldpad.service", "", 0 },
	    UNIT("usr/lib") },
	  true },
	{ "so does an enabled socket",
	  { { "etc/systemd/system/sockets.target.wants/lldpad.socket", "", 0 }, UNIT("etc") },
	  true },
	{ "and one that its administrator installed",
	  { { "etc/systemd/system/multi-user.target.wants/lldpad.service", "", 0 },
	    UNIT("usr/local/lib") },
	  true },
	{ "not the link that is left of a package that is gone",
	  { { "etc/systemd/system/multi-user.target.wants/lldpad.service", "", 0 } },
	  false },
	{ "not where it runs already",
	  { { "etc/systemd/system/multi-user.target.wants/lldpad.service", "", 0 },
	    UNIT("lib"),
	    LLDPAD },
	  false },
	{ "a unit that is only there does not", { UNIT("etc"), UNIT("run") }, false },
	{ "nor does another's",
	  { { "etc/systemd/system/multi-user.target.wants/lldpd.service", "", 0 }, UNIT("lib") },
	  false },
	{ "a host without systemd has none", { { 0 } }, false },
};

static void looms(void **s)
{
	const struct looming_row *row = *s;
	char what[OWNER_WHAT_MAX] = "";

	put_files(row->files);
	assert_int_equal(owner_at_next_boot(&outside.host, what), row->looms);
	assert_int_equal(strstr(what, "turns PFC off") != NULL, row->looms);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, is_owned_so);
	SUITE_ADD(&s, a_socket_of_another_user_is_not_lldpads);
	SUITE_ADD(&s, a_port_that_is_gone_is_an_error);
	SUITE_ADD(&s, a_run_over_ports_reads_the_sockets_once);
	SUITE_ADD_ROWS(&s, looming, looms);
	return _cmocka_run_group_tests("who owns a port", s.tests, s.count, make_root, remove_root);
}
