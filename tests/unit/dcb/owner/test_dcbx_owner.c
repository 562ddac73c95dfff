/*
 * Who owns a port, on a host whose files are a folder of the test's and whose
 * kernel knows one port's DCBX mode.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <libmnl/libmnl.h>
#include <linux/dcbnl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/host/host_linux.h"
#include "dcb/lldpad/detect.h"
#include "dcb/owner/dcbx_owner.h"
#include "tests/support/unit.h"

#define HOST	   (DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE)
#define MLX5_FRESH 0x0c /* VER_CEE | VER_IEEE: firmware, and nothing says so */
#define MANAGED	   (HOST | DCB_CAP_DCBX_LLD_MANAGED)
#define FILES_MAX  6

struct file {
	const char *path, *text;
	size_t size; /* 0: text is a string */
};

static const struct port port = { .id = { .name = "ens1f0np0", .mac = "02:00:00:00:00:0a" } };
static char root[] = "/tmp/losslessctl-test-XXXXXX";
static struct host_linux outside;
static uint8_t mode;
static int mode_code; /* what asking for it fails with */

static bool talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each, void *arg,
		 struct err *err)
{
	char room[128] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(room);

	(void)h;
	(void)bus;
	(void)request;
	if (mode_code)
		return err_set(err, host_err_kind(mode_code), mode_code, "no");
	mnl_nlmsg_put_extra_header(n, sizeof(struct dcbmsg));
	mnl_attr_put_u8(n, DCB_ATTR_DCBX, mode);
	return each(n, arg) >= 0;
}

static int remove_one(const char *path, const struct stat *s, int type, struct FTW *where)
{
	(void)s;
	(void)type;
	return where->level ? remove(path) : 0;
}

static void empty_root(void)
{
	assert_int_equal(nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

static void make_folders(const char *path)
{
	char folder[256];

	for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
		snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path), path);
		assert_true(mkdirat(outside.host.root, folder, 0700) == 0 || errno == EEXIST);
	}
}

static void put(const struct file *f)
{
	size_t size = f->size ? f->size : strlen(f->text);
	int fd;

	make_folders(f->path);
	fd = openat(outside.host.root, f->path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, f->text, size), size);
	close(fd);
}

static int make_root(void **s)
{
	struct err err = { 0 };

	(void)s;
	if (!mkdtemp(root) || !host_linux_open(&outside, root, false, &err))
		return -1;
	outside.host.talk = talk;
	return 0;
}

static int remove_root(void **s)
{
	(void)s;
	empty_root();
	host_linux_close(&outside);
	return rmdir(root);
}

/* Processes and files of a row. */
#define RUNS(pid, name, words) \
	{ "proc/" pid "/comm", name "\n", 0 }, \
	{ \
		"proc/" pid "/cmdline", words, sizeof(words) \
	}
#define LLDPAD	     RUNS("77", "lldpad", "/usr/sbin/lldpad\0-t")
#define NM	     RUNS("99", "NetworkManager", "/usr/sbin/NetworkManager\0--no-daemon")
#define PROFILE	     "etc/NetworkManager/system-connections/storage.nmconnection"
#define OURS	     "[connection]\nid=storage\ninterface-name=ens1f0np0\n"
#define DCB	     "\n[dcb]\npriority-flow-control-flags=1\n"
#define UNIX_HEAD    "Num       RefCount Protocol Flags    Type St Inode Path\n"
#define UNIX(ty, at) "0000000000000000: 00000002 00000000 00000000 " ty " 01 4711 " at "\n"

static const struct owner_row {
	const char *sentence;
	uint8_t mode;
	int code;
	struct file files[FILES_MAX];
	enum dcbx_owner who;
	bool firmware_too;
	const char *what;
} rows[] = {
	{ "a port that nobody wants is nobody's", HOST, 0, { { 0 } }, OWNER_NOBODY, false, "" },
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
	{ "lldpad -R only speaks",
	  HOST,
	  0,
	  { RUNS("77", "lldpad", "lldpad\0-tR") },
	  OWNER_LLDPAD_ADVERTISES,
	  false,
	  "writes nothing" },
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
	{ "a port without DCB is nobody's", 0, EOPNOTSUPP, { LLDPAD }, OWNER_NOBODY, false, "" },
	{ "anybody may call a process lldpad: it is root's or it is none",
	  HOST,
	  0,
	  { LLDPAD, { "proc/77/status", "Name:\tlldpad\nUid:\t1000\t1000\t1000\t1000\n", 0 } },
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
	{ "a folder of /proc that is no process is none",
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
	  "systemd or somebody else holds" },
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
	{ "NetworkManager sets DCB by a keyfile",
	  HOST,
	  0,
	  { NM, { PROFILE, OURS DCB, 0 } },
	  OWNER_NETWORKMANAGER,
	  false,
	  "NetworkManager (pid 99) sets DCB through lldpad, by "
	  "storage.nmconnection" },
	{ "it has the word over the lldpad that it uses",
	  HOST,
	  0,
	  { NM, LLDPAD, { PROFILE, DCB OURS, 0 } },
	  OWNER_NETWORKMANAGER,
	  false,
	  "pid 99" },
	{ "a profile for any port counts",
	  HOST,
	  0,
	  { NM, { PROFILE, "[connection]\ninterface-name=\n" DCB, 0 } },
	  OWNER_NETWORKMANAGER,
	  false,
	  "storage" },
	{ "a profile for another port does not",
	  HOST,
	  0,
	  { NM, { PROFILE, "[connection]\ninterface-name=eno1\n" DCB, 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "a profile for another adapter does not",
	  HOST,
	  0,
	  { NM, { PROFILE, "[ethernet]\nmac-address=02:00:00:00:00:0B\n" DCB, 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "a profile for this adapter does",
	  HOST,
	  0,
	  { NM, { PROFILE, "[ethernet]\nmac-address=02:00:00:00:00:0A\n" DCB, 0 } },
	  OWNER_NETWORKMANAGER,
	  false,
	  "storage" },
	{ "a profile without DCB does not",
	  HOST,
	  0,
	  { NM, { PROFILE, OURS "# [dcb]\n", 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "a file that is no profile does not",
	  HOST,
	  0,
	  { NM, { "etc/NetworkManager/system-connections/storage.bak", OURS DCB, 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "blanks in a profile are none",
	  HOST,
	  0,
	  { NM, { PROFILE, "[connection] \n  interface-name =  ens1f0np0 \t\n  \n [dcb]\n", 0 } },
	  OWNER_NETWORKMANAGER,
	  false,
	  "storage" },
	{ "quotes in a profile are none",
	  HOST,
	  0,
	  { NM, { PROFILE, "[connection]\ninterface-name='ens1f0np0'\n" DCB, 0 } },
	  OWNER_NETWORKMANAGER,
	  false,
	  "storage" },
	{ "nor do they make it this port's",
	  HOST,
	  0,
	  { NM, { PROFILE, "[connection]\ninterface-name=\"eno1\"\n" DCB, 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "an address that is not the adapter's own is about something else",
	  HOST,
	  0,
	  { NM, { PROFILE, "[bridge]\nmac-address=02:00:00:00:00:0B\n" DCB, 0 } },
	  OWNER_NETWORKMANAGER,
	  false,
	  "storage" },
	{ "a name without an end is no profile",
	  HOST,
	  0,
	  { NM, { "etc/NetworkManager/system-connections/storage", OURS DCB, 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "a profile that is too long to read sets nothing",
	  HOST,
	  0,
	  { NM, { PROFILE, (char[20000]){ OURS DCB }, 20000 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "of two profiles one is named",
	  HOST,
	  0,
	  { NM,
	    { PROFILE, OURS DCB, 0 },
	    { "etc/NetworkManager/system-connections/another.nmconnection", OURS DCB, 0 } },
	  OWNER_NETWORKMANAGER,
	  false,
	  ".nmconnection" },
	{ "a profile in /run counts",
	  HOST,
	  0,
	  { NM, { "run/NetworkManager/system-connections/r.nmconnection", OURS DCB, 0 } },
	  OWNER_NETWORKMANAGER,
	  false,
	  "r.nmconnection" },
	{ "where NetworkManager does not run it sets nothing",
	  HOST,
	  0,
	  { { PROFILE, OURS DCB, 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
	{ "an ifcfg file counts",
	  HOST,
	  0,
	  { NM,
	    { "etc/sysconfig/network-scripts/ifcfg-ens1f0np0", "BOOTPROTO=none\nDCB=\"yes\"\n",
	      0 } },
	  OWNER_NETWORKMANAGER,
	  false,
	  "ifcfg-ens1f0np0" },
	{ "an ifcfg file that says no does not",
	  HOST,
	  0,
	  { NM, { "etc/sysconfig/network-scripts/ifcfg-ens1f0np0", "DCB=no\n", 0 } },
	  OWNER_NOBODY,
	  false,
	  "" },
};

static void begin(const struct file *files)
{
	empty_root();
	mode_code = 0;
	mode = HOST;
	assert_true(mkdirat(outside.host.root, "proc", 0700) == 0);
	for (size_t i = 0; i < FILES_MAX && files[i].path; i++)
		put(&files[i]);
}

static void owner(void **s)
{
	const struct owner_row *row = *s;
	struct err err = { 0 };
	struct owner o;

	begin(row->files);
	mode = row->mode;
	mode_code = row->code;
	assert_true(owner_find(&outside.host, &port, &o, &err));
	assert_string_equal(owner_name(o.who), owner_name(row->who));
	assert_int_equal(o.firmware_too, row->firmware_too);
	if (!strstr(o.what, row->what) || (o.who == OWNER_NOBODY && o.what[0]))
		fail_msg("%s", o.what);
}

static void a_port_that_is_gone_is_an_error(void **s)
{
	static const struct file none[FILES_MAX];
	struct owner o = { .pid = 1 };
	struct err err = { 0 };

	(void)s;
	begin(none);
	mode_code = ENODEV;
	assert_false(owner_find(&outside.host, &port, &o, &err));
	assert_int_equal(err.kind, ERR_GONE);
	assert_int_equal(o.pid, 1);
}

static const struct looming_row {
	const char *sentence;
	struct file files[FILES_MAX];
	bool looms;
} looming[] = {
	{ "an enabled service looms",
	  { { "etc/systemd/system/multi-user.target.wants/lldpad.service", "", 0 } },
	  true },
	{ "so does an enabled socket",
	  { { "etc/systemd/system/sockets.target.wants/lldpad.socket", "", 0 } },
	  true },
	{ "not where it runs already",
	  { { "etc/systemd/system/multi-user.target.wants/lldpad.service", "", 0 }, LLDPAD },
	  false },
	{ "a unit that is only there does not",
	  { { "etc/systemd/system/lldpad.service", "", 0 } },
	  false },
	{ "nor does another's",
	  { { "etc/systemd/system/multi-user.target.wants/lldpd.service", "", 0 } },
	  false },
	{ "a host without systemd has none", { { 0 } }, false },
};

static void looms(void **s)
{
	const struct looming_row *row = *s;
	char what[OWNER_WHAT_MAX] = "";

	begin(row->files);
	assert_int_equal(owner_at_next_boot(&outside.host, what), row->looms);
	assert_int_equal(strstr(what, "switches PFC off") != NULL, row->looms);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, owner);
	SUITE_ADD(&s, a_port_that_is_gone_is_an_error);
	SUITE_ADD_ROWS(&s, looming, looms);
	return _cmocka_run_group_tests("who owns a port", s.tests, s.count, make_root, remove_root);
}
