/* Guards, on a host whose files are a folder of the test's and whose links are a list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/host/host_linux.h"
#include "dcb/registry.h"
#include "policy/model/setting.h"

static char root[] = "/tmp/losslessctl-test-XXXXXX";
static struct host_linux outside;
static const struct port port = { .id.name = "ens1f0np0", .ifindex = 2 };

/* The port, a VLAN on it, a bond with it and a VLAN on that; and one that has nothing to do with
 * it. */
static bool some_links(struct host *h, struct link_list *ret, struct err *err)
{
	static const struct link list[] = {
		{ .ifindex = 2, .name = "ens1f0np0", .master = 4 },
		{ .ifindex = 3, .name = "ens1f0np0.7", .lower = 2 },
		{ .ifindex = 4, .name = "bond0" },
		{ .ifindex = 5, .name = "bond0.9", .lower = 4 },
		{ .ifindex = 6, .name = "eno1" },
	};

	(void)h;
	(void)err;
	*ret = (struct link_list){ malloc(sizeof(list)), sizeof(list) / sizeof(list[0]) };
	assert_non_null(ret->links);
	memcpy(ret->links, list, sizeof(list));
	return true;
}

static void put(const char *path, const char *bytes, size_t size)
{
	int fd = openat(outside.host.root, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

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
	outside.host.links = some_links;
	return mkdirat(outside.host.root, "proc", 0700) ||
	       mkdirat(outside.host.root, "proc/net", 0700) ||
	       mkdirat(outside.host.root, "proc/321", 0700);
}

static int remove_root(void **s)
{
	static const char *const files[] = { "proc/321/comm", "proc/321/cmdline", "proc/net/route",
					     "proc/net/ipv6_route" };
	int dir = outside.host.root;

	(void)s;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		unlinkat(dir, files[i], 0);
	unlinkat(dir, "proc/321", AT_REMOVEDIR);
	unlinkat(dir, "proc/net", AT_REMOVEDIR);
	unlinkat(dir, "proc", AT_REMOVEDIR);
	host_linux_close(&outside);
	return rmdir(root);
}

static void an_lldpad_objects_unless_it_only_speaks(void **s)
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

static void somebody_runs(const char *comm, const char *words, size_t size)
{
	put("proc/321/comm", comm, strlen(comm));
	put("proc/321/cmdline", words, size);
}

static void who_is_to_follow_or_to_speak_needs_an_lldpad(void **s)
{
	static const struct {
		const char *comm, *words;
		size_t size;
		bool nobody_follows, nobody_speaks;
	} rows[] = {
		{ "lldpad\n", WORDS("lldpad\0"), false, false },
		{ "lldpad\n", WORDS("lldpad\0-R\0"), true, false },
		{ "lldpd\n", WORDS("lldpd\0"), true, true },
	};

	(void)s;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char why[GUARD_WHY_MAX] = "";

		somebody_runs(rows[i].comm, rows[i].words, rows[i].size);
		assert_int_equal(guard_follower.objects(&outside.host, &port, why),
				 rows[i].nobody_follows);
		assert_true(!rows[i].nobody_follows || strstr(why, "that could follow"));
		assert_int_equal(guard_advertiser.objects(&outside.host, &port, why),
				 rows[i].nobody_speaks);
		assert_true(!rows[i].nobody_speaks || strstr(why, "that could tell"));
	}
}

static void what_is_wished_waives_a_guard(void **s)
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

/* A driver that refuses every question about DCBX in this way. */
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

static void a_port_whose_owner_cannot_be_told_is_not_refused(void **s)
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

#define V4_HEAD \
	"Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
#define V4(iface, dest, mask) iface "\t" dest "\tFE0200C0\t0003\t0\t0\t0\t" mask "\t0\t0\t0\n"
#define ZERO32		      "00000000000000000000000000000000"
#define V6(iface, dest, bits) \
	dest " " bits " " ZERO32 " 00 " ZERO32 " 00000400 00000001 00000000 00000003 " iface "\n"

static void the_port_below_the_default_route_objects(void **s)
{
	static const struct {
		const char *v4, *v6;
		bool objects;
	} rows[] = {
		{ V4("ens1f0np0", "00000000", "00000000"), "", true },
		{ V4("ens1f0np0.7", "00000000", "00000000"), "", true },
		{ V4("bond0.9", "00000000", "00000000"), "", true },
		{ V4("eno1", "00000000", "00000000"), "", false },
		{ V4("ens1f0np0", "000200C0", "00FFFFFF"), "", false },
		{ "", V6("ens1f0np0", ZERO32, "00"), true },
		{ "", V6("lo", ZERO32, "00"), false },
		{ V4("ens1f0np0", "00000000", "00000000") V4("eno1", "00000000", "00000000"), "",
		  true },
		{ V4("gone0", "00000000", "00000000"), "", false },
		{ V4("ens1f0np0", "nonsense", "00000000"), "", false },
		{ "", V6("ens1f0np0", ZERO32, "81"), false },
		{ "", V6("ens1f0np0", "000000000000000000000000000000gg", "00"), false },
		{ "", V6("ens1f0np0", "00", "00"), false },
		{ "", "", false },
	};

	(void)s;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[512], why[GUARD_WHY_MAX];
		int n = snprintf(text, sizeof(text), "%s%s", V4_HEAD, rows[i].v4);

		put("proc/net/route", text, (size_t)n);
		put("proc/net/ipv6_route", rows[i].v6, strlen(rows[i].v6));
		if (guard_default_route.objects(&outside.host, &port, why) != rows[i].objects)
			fail_msg("row %zu", i);
	}
}

static void the_port_of_this_session_objects(void **s)
{
	static const char v4[] =
		V4_HEAD V4("eno1", "00000000", "00000000") V4("bond0", "000200C0", "00FFFFFF");
	static const char v6[] =
		V6("eno1", ZERO32, "00") V6("ens1f0np0", "20010db8000000000000000000000000", "40")
			V6("ens1f0np0", "20010dba000800000000000000000000", "2d")
				V6("eno1", "20010dba000000000000000000000000", "20");
	static const struct {
		const char *peer;
		bool objects;
	} rows[] = {
		{ "192.0.2.9", true },
		{ "198.51.100.9", false },
		{ "2001:db8::9", true },
		{ "2001:db9::9", false },
		{ "2001:dba:f::9", true },
		{ "2001:dba:10::9", false },
		{ "", false },
		{ "nonsense", false },
	};

	(void)s;
	put("proc/net/route", v4, sizeof(v4) - 1);
	put("proc/net/ipv6_route", v6, sizeof(v6) - 1);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char why[GUARD_WHY_MAX];

		snprintf(outside.host.session_peer, sizeof(outside.host.session_peer), "%s",
			 rows[i].peer);
		if (guard_session.objects(&outside.host, &port, why) != rows[i].objects)
			fail_msg("%s", rows[i].peer);
	}
}

static bool no_links(struct host *h, struct link_list *ret, struct err *err)
{
	(void)h;
	(void)ret;
	return err_set(err, ERR_SYSTEM, ENOBUFS, "no links");
}

/* They keep a way in from being lost; where nothing is known of it, nothing is said. */
static void without_links_nobody_objects(void **s)
{
	static const char v4[] = V4_HEAD V4("ens1f0np0", "00000000", "00000000");
	char why[GUARD_WHY_MAX];

	(void)s;
	put("proc/net/route", v4, sizeof(v4) - 1);
	snprintf(outside.host.session_peer, sizeof(outside.host.session_peer), "192.0.2.9");
	assert_true(guard_default_route.objects(&outside.host, &port, why));
	assert_true(guard_session.objects(&outside.host, &port, why));
	outside.host.links = no_links;
	assert_false(guard_default_route.objects(&outside.host, &port, why));
	assert_false(guard_session.objects(&outside.host, &port, why));
	outside.host.links = some_links;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_lldpad_objects_unless_it_only_speaks),
		cmocka_unit_test(who_is_to_follow_or_to_speak_needs_an_lldpad),
		cmocka_unit_test(what_is_wished_waives_a_guard),
		cmocka_unit_test(a_port_whose_owner_cannot_be_told_is_not_refused),
		cmocka_unit_test(the_port_below_the_default_route_objects),
		cmocka_unit_test(the_port_of_this_session_objects),
		cmocka_unit_test(without_links_nobody_objects),
	};

	return cmocka_run_group_tests(tests, make_root, remove_root);
}
