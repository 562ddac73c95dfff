/* Tests of the owner guards, on a host whose root is a temporary directory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <linux/dcbnl.h>
#include <linux/rtnetlink.h>
#include <linux/unix_diag.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/host/host_linux.h"
#include "dcb/lldpad/detect.h"
#include "dcb/peer.h"
#include "dcb/registry.h"
#include "policy/model/setting.h"

static char root[] = "/tmp/losslessctl-test-XXXXXX";
static struct host_linux outside;
static const struct port port = { .id.name = "ens1f0np0", .ifindex = 2 };

static void put(const char *path, const char *bytes, size_t size)
{
	int fd = openat(outside.host.root, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	run_facts_forget(&outside.host.facts);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	close(fd);
}

static int make_root(void **s)
{
	struct err err = { 0 };

	(void)s;
	if (!mkdtemp(root) || !host_linux_open(&outside, root, false, &err))
		return -1;
	return mkdirat(outside.host.root, "proc", 0700) ||
	       mkdirat(outside.host.root, "proc/321", 0700);
}

static int remove_root(void **s)
{
	static const char *const files[] = { "proc/321/comm", "proc/321/cmdline" };
	int dir = outside.host.root;

	(void)s;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		unlinkat(dir, files[i], 0);
	unlinkat(dir, "proc/321", AT_REMOVEDIR);
	unlinkat(dir, "proc", AT_REMOVEDIR);
	host_linux_close(&outside);
	return rmdir(root);
}

static void an_lldpad_objects_unless_it_only_advertises(void **s)
{
#define WORDS(text) text, sizeof(text) - 1
	static const struct {
		const char *comm, *words;
		size_t size;
		bool objects;
	} rows[] = {
		{ "lldpad\n", WORDS("/usr/sbin/lldpad\0-t\0"), true },
		{ "lldpad\n", WORDS("lldpad\0"), true },
		{ "lldpad\n", WORDS("lldpad\0-t\0-R\0"), false },
		{ "lldpad\n", WORDS("lldpad\0-tR\0"), false },
		{ "lldpad\n", WORDS("lldpad\0-f\0/etc/R\0"), true },
		{ "lldpad\n", WORDS("lldpad\0-f/etc/R\0"), true },
		{ "lldpad\n", WORDS("lldpad\0-V\0006\0-R\0"), false },
		{ "lldpd\n", WORDS("lldpd\0"), false },
	};

	(void)s;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char why[GUARD_WHY_MAX] = "";

		put("proc/321/comm", rows[i].comm, strlen(rows[i].comm));
		put("proc/321/cmdline", rows[i].words, rows[i].size);
		if (guard_lldpad.objects(&outside.host, &port, why) != rows[i].objects)
			fail_msg("row %zu", i);
		assert_true(!rows[i].objects || strstr(why, "pid 321"));
	}
}

#define USER_UNKNOWN UINT32_MAX /* a kernel before Linux 5.3 answers without it */

static uint32_t socket_user;

/* Answers that the host is in charge of DCBX, and whose socket lldpad's is. */
static bool host_is_in_charge(struct host *h, enum bus bus, struct nlmsghdr *request,
			      reply_fn *each, void *arg, struct err *err)
{
	char buf[256] __attribute__((aligned(8))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);

	(void)h;
	(void)request;
	(void)err;
	mnl_nlmsg_put_extra_header(n, bus == BUS_SOCKETS ? sizeof(struct unix_diag_msg)
							 : sizeof(struct dcbmsg));
	if (bus != BUS_SOCKETS)
		mnl_attr_put_u8(n, DCB_ATTR_DCBX, DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE);
	else if (socket_user != USER_UNKNOWN)
		mnl_attr_put_u32(n, UNIX_DIAG_UID, socket_user);
	return each(n, arg) >= 0;
}

static bool hear_nobody(struct host *h, const struct lldp_listener *l, struct err *err)
{
	(void)h;
	(void)l;
	(void)err;
	return true;
}

/* Whether it follows the switch, or advertises, is unknown: that is not the same as no. */
static void assert_unknown(bool is_hidden)
{
	const struct port linked = { .id.name = "ens1f0np0", .ifindex = 2, .carrier = true };
	const struct port *const ports[] = { &linked };
	const struct peer_request q = { ports, 1, 1000, false };
	const enum err_kind kind = is_hidden ? ERR_UNKNOWN : ERR_NONE;
	struct peer_info seen;
	struct config read = { 0 };
	struct err mode = { 0 }, advertised = { 0 }, err = { 0 };

	assert_int_equal(feature_dcbx.read(&outside.host, &port, &read, &mode), !is_hidden);
	assert_int_equal(mode.kind, kind);
	assert_int_equal(feature_advertise.read(&outside.host, &port, &read, &advertised),
			 !is_hidden);
	assert_int_equal(advertised.kind, kind);
	assert_true(peers_read(&outside.host, &q, &seen, &err));
	assert_int_equal(seen.lldpad_error.kind, kind);
}

/* A pod of Kubernetes sees the host's sockets, and not its processes. */
static void an_lldpad_outside_the_container_objects(void **s)
{
	static const char sockets[] =
		"Num       RefCount Protocol Flags    Type St Inode Path\n"
		"0000000000000000: 00000002 00000000 00000000 0002 01 17 @/com/intel/lldpad\n";
	static const struct {
		const char *namespace;
		bool is_bound, objects;
		uint32_t socket_user;
	} rows[] = { { "pid:[4026532001]", true, true, 0 },
		     { "pid:[4026532001]", true, true, USER_UNKNOWN },
		     { "pid:[4026532001]", true, false, 1000 },
		     { "pid:[4026532001]", false, false, 0 },
		     { "pid:[4026531836]", true, false, 0 } };
	int dir = outside.host.root;

	(void)s;
	outside.host.talk = host_is_in_charge;
	outside.host.listen_lldp = hear_nobody;
	put("proc/321/comm", "other\n", strlen("other\n"));
	assert_int_equal(mkdirat(dir, "proc/net", 0700) | mkdirat(dir, "proc/self", 0700) |
				 mkdirat(dir, "proc/self/ns", 0700),
			 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char why[GUARD_WHY_MAX] = "";

		socket_user = rows[i].socket_user;
		assert_int_equal(symlinkat(rows[i].namespace, dir, "proc/self/ns/pid"), 0);
		put("proc/net/unix", sockets, rows[i].is_bound ? strlen(sockets) : 0);
		if (guard_lldpad.objects(&outside.host, &port, why) != rows[i].objects)
			fail_msg("row %zu", i);
		assert_unknown(rows[i].objects);
		unlinkat(dir, "proc/self/ns/pid", 0);
	}
	assert_non_null(strstr(guard_lldpad.fix, "hostPID"));
	unlinkat(dir, "proc/net/unix", 0);
	unlinkat(dir, "proc/self/ns", AT_REMOVEDIR);
	unlinkat(dir, "proc/self", AT_REMOVEDIR);
	unlinkat(dir, "proc/net", AT_REMOVEDIR);
}

static bool lacks_unix_diag;

static bool ask_the_kernel(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each,
			   void *arg, struct err *err)
{
	bool answered = host_linux_talk(h, bus, request, each, arg, err);

	lacks_unix_diag = lacks_unix_diag || !answered;
	return answered;
}

/* Returns whether a socket of this user is one of root's by what the kernel says. */
static bool counts_as_roots(uid_t user)
{
	char line[128];
	struct stat info;
	int fd, n;

	if (seteuid(user) < 0)
		return user == 0;
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	assert_true(fd >= 0 && fstat(fd, &info) == 0 && seteuid(getuid()) == 0);
	n = snprintf(line, sizeof(line), "0: 2 0 0 0002 01 %lu @/com/intel/lldpad\n",
		     (unsigned long)info.st_ino);
	put("proc/net/unix", line, (size_t)n);
	n = lldpad_socket_is_held(&outside.host);
	close(fd);
	return n;
}

static void the_kernel_names_the_user_of_a_socket(void **s)
{
	int dir = outside.host.root;

	(void)s;
	outside.host.talk = ask_the_kernel;
	put("proc/321/comm", "other\n", strlen("other\n"));
	assert_int_equal(mkdirat(dir, "proc/net", 0700), 0);
	assert_true(counts_as_roots(0));
	assert_true(lacks_unix_diag || !counts_as_roots(1000));
	unlinkat(dir, "proc/net/unix", 0);
	unlinkat(dir, "proc/net", AT_REMOVEDIR);
}

/* Others may name a process lldpad in their own container, and its file as they like. */
static void lldpads_file_is_one_on_disk(void **s)
{
	static const struct {
		const char *words;
		size_t size;
		const char *conf;
	} rows[] = {
		{ WORDS("lldpad\0-t\0"), LLDPAD_DEFAULT_CONF },
		{ WORDS("lldpad\0-f\0/etc/l.conf\0"), "/etc/l.conf" },
		{ WORDS("lldpad\0-f/etc/l.conf\0-t\0"), "/etc/l.conf" },
		{ WORDS("lldpad\0-f\0l.conf\0"), LLDPAD_DEFAULT_CONF },
		{ WORDS("lldpad\0-f\0/proc/kmsg\0"), LLDPAD_DEFAULT_CONF },
		{ WORDS("lldpad\0-f/sys/kernel/notes\0"), LLDPAD_DEFAULT_CONF },
		{ WORDS("lldpad\0-f\0"), LLDPAD_DEFAULT_CONF },
	};

	(void)s;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct lldpad_process found;

		put("proc/321/comm", "lldpad\n", strlen("lldpad\n"));
		put("proc/321/cmdline", rows[i].words, rows[i].size);
		assert_true(lldpad_find(&outside.host, &found));
		assert_string_equal(found.conf, rows[i].conf);
	}
}

static void somebody_runs(const char *comm, const char *words, size_t size)
{
	put("proc/321/comm", comm, strlen(comm));
	put("proc/321/cmdline", words, size);
}

static void following_needs_an_lldpad_that_writes(void **s)
{
	static const struct {
		const char *comm, *words;
		size_t size;
		bool nobody_follows;
	} rows[] = {
		{ "lldpad\n", WORDS("lldpad\0"), false },
		{ "lldpad\n", WORDS("lldpad\0-R\0"), true },
		{ "lldpd\n", WORDS("lldpd\0"), true },
	};

	(void)s;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char why[GUARD_WHY_MAX] = "";

		somebody_runs(rows[i].comm, rows[i].words, rows[i].size);
		assert_int_equal(guard_follower.objects(&outside.host, &port, why),
				 rows[i].nobody_follows);
		assert_true(!rows[i].nobody_follows || strstr(why, "to follow"));
	}
}

static void advertising_needs_an_lldpad(void **s)
{
	char why[GUARD_WHY_MAX] = "";

	(void)s;
	assert_false(guard_advertiser.lacks(&(struct capabilities){ .lldpad_running = true }, why));
	assert_string_equal(why, "");
	assert_true(guard_advertiser.lacks(&(struct capabilities){ .lldpad_running = false }, why));
	assert_non_null(strstr(why, "to advertise"));
}

static void a_waiver_disables_a_guard(void **s)
{
	struct config advertised = { .has = SETTING(SETTING_DCBX_ADVERTISE),
				     .dcbx.advertise = true };
	struct config silent = { .has = SETTING(SETTING_DCBX_ADVERTISE) };
	struct config host = { .has = SETTING(SETTING_DCBX_MODE), .dcbx.mode = DCBX_HOST };
	struct config follows = { .has = SETTING(SETTING_DCBX_MODE), .dcbx.mode = DCBX_SWITCH };
	struct config nothing = { .dcbx = { .advertise = true, .mode = DCBX_SWITCH } };

	(void)s;
	assert_true(guard_lldpad.waived(&advertised));
	assert_false(guard_lldpad.waived(&silent));
	assert_false(guard_lldpad.waived(&nothing));
	assert_true(guard_follower.waived(&host));
	assert_false(guard_follower.waived(&follows));
	assert_true(guard_follower.waived(&nothing));
}

/* The errno with which the driver refuses every DCBX request. */
static int dcbx_code;

static bool refuse(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each,
		   void *arg, struct err *err)
{
	(void)h;
	(void)bus;
	(void)request;
	(void)each;
	(void)arg;
	return err_set(err, host_err_kind(dcbx_code), dcbx_code, "%s", strerror(dcbx_code));
}

static void a_port_of_unknown_owner_is_not_refused(void **s)
{
	static const int codes[] = { EOPNOTSUPP, EIO };
	char why[GUARD_WHY_MAX];

	(void)s;
	outside.host.talk = refuse;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		dcbx_code = codes[i];
		assert_false(guard_network_manager.objects(&outside.host, &port, why));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_lldpad_objects_unless_it_only_advertises),
		cmocka_unit_test(an_lldpad_outside_the_container_objects),
		cmocka_unit_test(the_kernel_names_the_user_of_a_socket),
		cmocka_unit_test(lldpads_file_is_one_on_disk),
		cmocka_unit_test(following_needs_an_lldpad_that_writes),
		cmocka_unit_test(advertising_needs_an_lldpad),
		cmocka_unit_test(a_waiver_disables_a_guard),
		cmocka_unit_test(a_port_of_unknown_owner_is_not_refused),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
