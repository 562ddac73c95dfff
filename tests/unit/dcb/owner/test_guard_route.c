/* Tests of the guards of ports that carry a default route or the SSH session. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>

#include "dcb/registry.h"
#include "tests/support/routes.h"

static const struct port port = { .id.name = "ens1f0np0", .ifindex = 2 };

#define ROUTING_RULES 1024 /* as many as are read */

#define PORT	  2
#define VLAN	  3
#define BOND_VLAN 5
#define OTHER	  6
#define MACVLAN	  7
#define TUNNEL	  8
#define PAIR	  9
#define BRIDGE	  11
#define FAR_PAIR  12
#define INTERNAL  16
#define WIREGUARD 17
#define OVERLAY	  19
#define VRF	  20
#define IN_VRF	  21
/* clang-format off */
#define MAIN { AF_INET, 254, false, { 0 } }

static void the_port_below_a_default_route_objects(void **s)
{
	static const struct {
		struct fake_rule rule;
		struct fake_route routes[2];
		bool objects;
	} rows[] = {
		{ MAIN, { { NULL, 0, 254, { PORT } } }, true },
		{ MAIN, { { NULL, 0, 254, { VLAN } } }, true },
		{ MAIN, { { NULL, 0, 254, { BOND_VLAN } } }, true },
		{ MAIN, { { NULL, 0, 254, { OTHER } } }, false },
		{ MAIN, { { "192.0.2.0", 24, 254, { PORT } } }, false },
		{ MAIN, { { NULL, 0, 254, { OTHER } }, { NULL, 0, 254, { PORT } } }, true },
		{ MAIN, { { NULL, 0, 254, { OTHER, PORT } } }, true },
		{ MAIN, { { NULL, 0, 254, { OTHER, 99 } } }, false },
		{ MAIN, { { NULL, 0, 254, { 99 } } }, false },
		{ MAIN, { { NULL, 0, 254, { 0 } } }, false },
		/* Tables without a rule, or with a rule of the other family only, do not count. */
		{ MAIN, { { NULL, 0, 100, { PORT } } }, false },
		{ { AF_INET, 1000, false, { 0 } }, { { NULL, 0, 1000, { PORT } } }, true },
		{ { AF_INET6, 254, false, { 0 } }, { { NULL, 0, 254, { PORT } } }, false },
		{ { AF_INET6, 254, false, { 0 } }, { { "::", 0, 254, { PORT } } }, true },
		{ { AF_INET, 0, true, { 0 } }, { { NULL, 0, 100, { PORT } } }, true },
		{ MAIN, { { NULL, 0, 0, { 0 } } }, false },
		/* VPNs have the halves; 2000::/3 is the internet. */
		{ MAIN, { { "0.0.0.0", 1, 254, { PORT } } }, true },
		{ MAIN, { { "128.0.0.0", 1, 254, { PORT } } }, true },
		{ MAIN, { { "64.0.0.0", 2, 254, { PORT } } }, false },
		{ MAIN, { { "128.0.0.0", 1, 254, { OTHER } }, { NULL, 0, 254, { PORT } } }, true },
		{ { AF_INET6, 254, false, { 0 } }, { { "2000::", 3, 254, { PORT } } }, true },
		{ { AF_INET6, 254, false, { 0 } }, { { "e000::", 3, 254, { PORT } } }, false },
		{ { AF_INET6, 254, false, { 0 } }, { { "2000::", 4, 254, { PORT } } }, false },
	};

	(void)s;
	routed_host.talk = route_talk;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char why[GUARD_WHY_MAX];

		memset(&routing, 0, sizeof(routing));
		routing.rules[0] = rows[i].rule;
		memcpy(routing.routes, rows[i].routes, sizeof(rows[i].routes));
		if (guard_default_route.objects(&routed_host, &port, why) != rows[i].objects)
			fail_msg("row %zu", i);
	}
}

/* The kernel's links lead to the port, whatever their kinds; a route not in use carries nothing. */
static void links_lead_from_a_route_in_use_to_the_port(void **s)
{
#define ADVERTISED { .is_advertised = true }
	static const struct {
		unsigned out[2];
		struct fake_use uses[2];
		unsigned under_tunnel;
		bool objects;
	} rows[] = {
		{ { MACVLAN }, { { 0 } }, 0, true },
		{ { PAIR }, { { 0 } }, 0, true },
		{ { BRIDGE }, { { 0 } }, 0, true },
		{ { FAR_PAIR }, { { 0 } }, 0, false },
		{ { INTERNAL }, { { 0 } }, 0, true },
		{ { TUNNEL }, { { 0 } }, MACVLAN, true },
		{ { TUNNEL }, { { 0 } }, OTHER, false },
		{ { TUNNEL }, { { 0 } }, 0, false },
		{ { OTHER, PORT }, { { .metric = 100 }, { .metric = 200 } }, 0, false },
		{ { OTHER, PORT }, { { .metric = 200 }, { .metric = 100 } }, 0, true },
		{ { OTHER, PORT }, { { .is_down = true }, { .metric = 200 } }, 0, true },
		{ { OTHER, PORT }, { { .metric = 9 }, ADVERTISED }, 0, false },
		{ { OTHER, PORT }, { ADVERTISED, ADVERTISED }, 0, true },
		{ { PORT }, { ADVERTISED }, 0, true },
	};

	(void)s;
	routed_host.talk = route_talk;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char why[GUARD_WHY_MAX];

		memset(&routing, 0, sizeof(routing));
		routing.rules[0] = (struct fake_rule)MAIN;
		for (size_t r = 0; r < 2 && rows[i].out[r]; r++)
			routing.routes[r] = (struct fake_route){ NULL, 0, 254, { rows[i].out[r] } };
		memcpy(routing.uses, rows[i].uses, sizeof(rows[i].uses));
		routing.under_tunnel = rows[i].under_tunnel;
		if (guard_default_route.objects(&routed_host, &port, why) != rows[i].objects)
			fail_msg("row %zu", i);
	}
}

/* A default route of another table says nothing of this one, in either family. */
static void tables_are_apart(void **s)
{
	static const struct {
		unsigned table; /* that has an administrator's route over another link */
		const char *to;
		bool objects; /* to the advertised one over the port, in the main table */
	} rows[] = {
		{ 254, NULL, false },
		{ 254, "::", false },
		{ 100, NULL, true },
		{ 100, "::", true },
	};

	(void)s;
	routed_host.talk = route_talk;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char why[GUARD_WHY_MAX] = "";

		memset(&routing, 0, sizeof(routing));
		routing.no_rules = true;
		routing.routes[0] = (struct fake_route){ "::", 0, 254, { PORT } };
		routing.uses[0] = (struct fake_use){ .is_advertised = true };
		routing.routes[1] = (struct fake_route){ rows[i].to, 0, rows[i].table, { OTHER } };
		if (guard_default_route.objects(&routed_host, &port, why) != rows[i].objects)
			fail_msg("row %zu", i);
	}
}

static void next_hops_of_objects_count(void **s)
{
	static const struct fake_next_hop objects[] = {
		{ 1, PORT, { 0 }, false },
		{ 2, OTHER, { 0 }, false },
		{ 3, 0, { 2, 1 }, false },
		{ 4, 0, { 2 }, false },
		{ 5, BOND_VLAN, { 0 }, true },
	};
	static const struct {
		unsigned next_hop;
		bool objects;
		const char *why;
	} rows[] = {
		{ 1, true, "this port carries the default route (ens1f0np0)" },
		{ 2, false, "" },
		{ 3, true, "this port carries the default route (ens1f0np0)" },
		{ 4, false, "" },
		{ 5, false, "" },
		{ 9, true,
		  "whether this port carries the default route is unknown: so is its next hop" },
	};

	(void)s;
	routed_host.talk = route_talk;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char why[GUARD_WHY_MAX] = "";

		memset(&routing, 0, sizeof(routing));
		memcpy(routing.next_hops, objects, sizeof(objects));
		routing.rules[0] = (struct fake_rule)MAIN;
		routing.routes[0] = (struct fake_route){ NULL, 0, 254, { 0 } };
		routing.uses[0] = (struct fake_use){ .next_hop = rows[i].next_hop };
		if (guard_default_route.objects(&routed_host, &port, why) != rows[i].objects ||
		    strcmp(why, rows[i].why) != 0)
			fail_msg("row %zu: %s", i, why);
	}
}

/* A next hop whose link is down sends nothing, whatever the metric of its route. */
static void routes_whose_links_are_down_beat_no_others(void **s)
{
	char why[GUARD_WHY_MAX];

	(void)s;
	routed_host.talk = route_talk;
	memset(&routing, 0, sizeof(routing));
	routing.rules[0] = (struct fake_rule)MAIN;
	routing.next_hops[0] = (struct fake_next_hop){ 1, OTHER, { 0 }, true };
	routing.routes[0] = (struct fake_route){ NULL, 0, 254, { 0 } };
	routing.uses[0] = (struct fake_use){ .next_hop = 1 };
	routing.routes[1] = (struct fake_route){ NULL, 0, 254, { PORT } };
	routing.uses[1] = (struct fake_use){ .metric = 100 };
	assert_true(guard_default_route.objects(&routed_host, &port, why));
	routing.next_hops[0].is_down = false;
	assert_false(guard_default_route.objects(&routed_host, &port, why));
}

/* The packets of a tunnel whose other end is unknown take another route. */
static void tunnels_leave_by_another_route(void **s)
{
	char why[GUARD_WHY_MAX] = "";

	(void)s;
	routed_host.talk = route_talk;
	memset(&routing, 0, sizeof(routing));
	routing.rules[0] = (struct fake_rule)MAIN;
	routing.routes[0] = (struct fake_route){ NULL, 0, 254, { WIREGUARD } };
	assert_false(guard_default_route.objects(&routed_host, &port, why));
	assert_string_equal(why, "the default route over wg0 may lead through this port: the "
				 "device below wg0 is unknown");
	routing.routes[1] = (struct fake_route){ NULL, 0, 254, { PORT } };
	routing.uses[1] = (struct fake_use){ .metric = 100 };
	assert_true(guard_default_route.objects(&routed_host, &port, why));
	routing.routes[1].out[0] = OTHER;
	assert_false(guard_default_route.objects(&routed_host, &port, why));
}

/* So do those of a VXLAN without a remote, below a bridge. */
static void overlays_leave_by_another_route(void **s)
{
	char why[GUARD_WHY_MAX] = "";

	(void)s;
	routed_host.talk = route_talk;
	memset(&routing, 0, sizeof(routing));
	routing.rules[0] = (struct fake_rule)MAIN;
	routing.routes[0] = (struct fake_route){ NULL, 0, 254, { OVERLAY } };
	assert_false(guard_default_route.objects(&routed_host, &port, why));
	assert_string_equal(why, "the default route over br2 may lead through this port: the "
				 "device below vx0 is unknown");
}

/* Routed fabrics give each rail a table of its own, for packets from the rail's address. */
static void a_table_for_packets_from_the_port_is_not_the_hosts(void **s)
{
#define FROM(address, bits) { AF_INET, 100, false, { .from = address, .from_bits = bits } }
#define NOT_FROM(address, bits) \
	{ \
		AF_INET, 100, false, { .from = address, .from_bits = bits, .is_inverted = true } \
	}
#define TO(bits, link) { AF_INET, 100, false, { .to_bits = bits, .iif = link } }
#define BOUND(link) { AF_INET, 100, false, { .oif = link } }
	static const struct {
		struct fake_rule rules[2];
		unsigned other; /* the table of the other default route; 0: there is none */
		struct fake_address addresses[2];
		bool objects;
	} rows[] = {
		{ { FROM("10.0.1.2", 32) }, 254, { { "10.0.1.2", PORT } }, false },
		{ { FROM("10.0.1.2", 32) }, 254, { { "10.0.1.2", VLAN } }, false },
		{ { FROM("10.0.1.0", 24) }, 254, { { "10.0.1.2", PORT } }, false },
		{ { FROM("10.0.1.0", 24) }, 254, { { "10.0.1.2", PORT }, { "10.9.0.1", OTHER } },
		  false },
		{ { FROM("10.0.1.2", 32) }, 0, { { "10.0.1.2", PORT } }, true },
		{ { FROM("10.0.1.2", 32) }, 101, { { "10.0.1.2", PORT } }, true },
		{ { FROM("10.0.0.0", 8) }, 254, { { "10.0.1.2", PORT }, { "10.9.0.1", OTHER } },
		  true },
		{ { FROM("10.0.1.2", 32) }, 254, { { "10.0.1.2", OTHER } }, true },
		{ { FROM("10.0.1.2", 32), BOUND("eno1") }, 254, { { 0 } }, true },
		{ { BOUND("ens1f0np0") }, 254, { { 0 } }, false },
		{ { BOUND("eno1") }, 254, { { 0 } }, true },
		/* Hosts with several ports often have a rule for each direction. */
		{ { FROM("10.0.1.2", 32), TO(32, NULL) }, 254, { { "10.0.1.2", PORT } }, false },
		{ { TO(8, NULL) }, 254, { { 0 } }, false },
		{ { TO(1, NULL) }, 254, { { 0 } }, true },
		{ { TO(0, "ens1f0np0") }, 254, { { 0 } }, false },
		{ { TO(0, "eno1") }, 254, { { 0 } }, true },
		{ { TO(0, "lo") }, 254, { { 0 } }, true },
		{ { { AF_INET, 100, false, { .to_bits = 8, .is_inverted = true } } }, 254,
		  { { 0 } }, true },
		{ { NOT_FROM("10.0.1.2", 32) }, 254, { { 0 } }, true },
		{ { { AF_INET, 100, false, { 0 } } }, 254, { { 0 } }, true },
	};

	(void)s;
	routed_host.talk = route_talk;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char why[GUARD_WHY_MAX] = "";

		memset(&routing, 0, sizeof(routing));
		routing.rules[0] = (struct fake_rule)MAIN;
		routing.rules[1] = (struct fake_rule){ AF_INET, 101, false, { .oif = "eno1" } };
		memcpy(&routing.rules[2], rows[i].rules, sizeof(rows[i].rules));
		memcpy(routing.addresses, rows[i].addresses, sizeof(rows[i].addresses));
		routing.routes[0] = (struct fake_route){ NULL, 0, 100, { PORT } };
		routing.routes[1] = (struct fake_route){ NULL, 0, rows[i].other, { OTHER } };
		if (guard_default_route.objects(&routed_host, &port, why) != rows[i].objects)
			fail_msg("row %zu", i);
		if (!rows[i].objects)
			assert_string_equal(why, "the default route over ens1f0np0 is for some "
						 "packets only: the host has another");
	}
}

static void without_rules_every_table_counts(void **s)
{
	char why[GUARD_WHY_MAX];

	(void)s;
	memset(&routing, 0, sizeof(routing));
	routing.routes[0] = (struct fake_route){ NULL, 0, 100, { PORT } };
	assert_false(guard_default_route.objects(&routed_host, &port, why));
	routing.no_rules = true;
	assert_true(guard_default_route.objects(&routed_host, &port, why));
	assert_string_equal(why, "this port carries the default route (ens1f0np0)");
	routing.no_rules = false;
	for (size_t i = 0; i <= ROUTING_RULES; i++)
		routing.rules[i] = (struct fake_rule){ AF_INET, 200 + (unsigned)i, false, { 0 } };
	assert_true(guard_default_route.objects(&routed_host, &port, why));
}

static void log_in(const char *peer, const char *server)
{
	snprintf(routed_host.session.peer, sizeof(routed_host.session.peer), "%s", peer);
	snprintf(routed_host.session.server, sizeof(routed_host.session.server), "%s", server);
}

static const struct {
	const char *peer, *server, *source;
	unsigned table, out;
	struct fake_route route;
	bool objects;
} sessions[] = {
	{ "192.0.2.9", "192.0.2.1", "192.0.2.1", 254, PORT, { 0 }, true },
	{ "192.0.2.9", "192.0.2.1", "192.0.2.1", 100, BOND_VLAN, { 0 }, true },
	{ "192.0.2.9", "192.0.2.1", "192.0.2.1", 254, OTHER, { 0 }, false },
	{ "192.0.2.9", "192.0.2.1", NULL, 254, PORT, { 0 }, true },
	{ "192.0.2.9", "nonsense", NULL, 254, PORT, { 0 }, true },
	{ "2001:db8::9", "2001:db8::1", "2001:db8::1", 254, PORT, { 0 }, true },
	{ "2001:db8::9", "2001:db8::1", "2001:db8::1", 0, 0, { 0 }, false },
	{ "nonsense", "192.0.2.1", NULL, 254, PORT, { 0 }, false },
	{ "fe80::9%ens1f0np0", "fe80::1%ens1f0np0", NULL, 0, 0, { 0 }, true },
	{ "fe80::9%bond0.9", "fe80::1%bond0.9", NULL, 0, 0, { 0 }, true },
	{ "fe80::9%2", "fe80::1%2", NULL, 0, 0, { 0 }, true },
	{ "fe80::9%eno1", "fe80::1%eno1", NULL, 0, 0, { 0 }, false },
	{ "fe80::9%gone0", "fe80::1%gone0", NULL, 0, 0, { 0 }, false },
	{ "", "", NULL, 254, PORT, { 0 }, false },
/* The other next hops of the chosen route count; those of other routes do not. */
#define ON(to, bits, table, ...) \
	"192.0.2.9", "", NULL, 100, OTHER, \
	{ \
		to, bits, table, \
		{ \
			__VA_ARGS__ \
		} \
	}
	{ ON("192.0.2.0", 24, 100, OTHER, PORT), true },
	{ ON("192.0.0.0", 22, 100, OTHER, PORT), true },
	{ ON("192.0.4.0", 22, 100, OTHER, PORT), false },
	{ ON("192.0.3.0", 24, 100, OTHER, PORT), false },
	{ ON("192.0.2.0", 24, 254, OTHER, PORT), false },
	{ ON("192.0.2.0", 24, 100, PORT), false },
	{ ON("192.0.2.0", 24, 100, PORT, OTHER), true },
};

static void the_port_of_this_session_objects(void **s)
{
	(void)s;
	routed_host.talk = route_talk;
	for (size_t i = 0; i < sizeof(sessions) / sizeof(sessions[0]); i++) {
		char why[GUARD_WHY_MAX];

		memset(&routing, 0, sizeof(routing));
		routing.source = sessions[i].source;
		routing.table = sessions[i].table;
		routing.out = sessions[i].out;
		routing.routes[0] = sessions[i].route;
		log_in(sessions[i].peer, sessions[i].server);
		if (guard_session.objects(&routed_host, &port, why) != sessions[i].objects)
			fail_msg("row %zu", i);
	}
}

static void next_hops_of_an_object_count_for_the_session(void **s)
{
	char why[GUARD_WHY_MAX];

	(void)s;
	routed_host.talk = route_talk;
	memset(&routing, 0, sizeof(routing));
	routing.table = 100;
	routing.out = OTHER;
	routing.routes[0] = (struct fake_route){ "192.0.2.0", 24, 100, { 0 } };
	routing.uses[0] = (struct fake_use){ .next_hop = 3 };
	routing.next_hops[0] = (struct fake_next_hop){ 3, 0, { 2, 1 }, false };
	routing.next_hops[1] = (struct fake_next_hop){ 1, PORT, { 0 }, false };
	routing.next_hops[2] = (struct fake_next_hop){ 2, OTHER, { 0 }, false };
	log_in("192.0.2.9", "");
	assert_true(guard_session.objects(&routed_host, &port, why));
	routing.next_hops[1].out = OTHER;
	assert_false(guard_session.objects(&routed_host, &port, why));
}

/* sshd may run in a VRF, whose table has the way back. */
static void a_session_in_a_vrf_takes_its_routes(void **s)
{
	char why[GUARD_WHY_MAX];

	(void)s;
	routed_host.talk = route_talk;
	memset(&routing, 0, sizeof(routing));
	log_in("192.0.2.9", "192.0.2.1");
	routing.source = "192.0.2.1";
	routing.table = 9;
	routing.out = IN_VRF;
	routing.vrf = VRF;
	routing.addresses[0] = (struct fake_address){ "192.0.2.1", OTHER };
	assert_false(guard_session.objects(&routed_host, &port, why));
	for (unsigned owner = VRF; owner <= IN_VRF; owner++) {
		routing.addresses[1] = (struct fake_address){ "192.0.2.1", owner };
		assert_true(guard_session.objects(&routed_host, &port, why));
	}
}

/* Its namespace may be another, as in a container, or its socket may have no address. */
static void a_session_whose_way_is_unknown_is_noted(void **s)
{
	static const struct {
		unsigned out;
		const char *source, *peer, *server, *why;
	} rows[] = {
		{ WIREGUARD, NULL, "192.0.2.9", "",
		  "this SSH session, from 192.0.2.9, may come through this port: the device below "
		  "wg0 is unknown" },
		{ OTHER, NULL, "192.0.2.9", "192.0.2.1",
		  "this SSH session, from 192.0.2.9, may come through this port: no route of this "
		  "network namespace leads there from 192.0.2.1" },
		{ OTHER, NULL, "UNKNOWN", "UNKNOWN",
		  "this SSH session, from UNKNOWN, may come through this port: no route of this "
		  "network namespace leads there from UNKNOWN" },
		{ OTHER, "192.0.2.1", "192.0.2.9", "192.0.2.1", "" },
	};

	(void)s;
	routed_host.talk = route_talk;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char why[GUARD_WHY_MAX] = "";

		memset(&routing, 0, sizeof(routing));
		routing.table = 254;
		routing.out = rows[i].out;
		routing.source = rows[i].source;
		log_in(rows[i].peer, rows[i].server);
		assert_false(guard_session.objects(&routed_host, &port, why));
		assert_string_equal(why, rows[i].why);
	}
}

static bool no_links(struct host *h, struct link_list *ret, struct err *err)
{
	(void)h;
	(void)ret;
	return err_set(err, ERR_SYSTEM, ENOBUFS, "no links");
}

static void expect_objections(bool of_default, bool of_session)
{
	char why[GUARD_WHY_MAX];

	assert_int_equal(guard_default_route.objects(&routed_host, &port, why), of_default);
	assert_int_equal(guard_session.objects(&routed_host, &port, why), of_session);
}

/* Links and routes that are not listed may lead through the port. */
static void without_links_or_routes_guards_object(void **s)
{
	char why[GUARD_WHY_MAX] = "";

	(void)s;
	routed_host.talk = route_talk;
	memset(&routing, 0, sizeof(routing));
	routing.rules[0] = (struct fake_rule)MAIN;
	routing.routes[0] = (struct fake_route){ NULL, 0, 254, { PORT } };
	routing.out = PORT;
	log_in("192.0.2.9", "");
	expect_objections(true, true);
	routing.routes[0].out[0] = routing.out = OTHER;
	expect_objections(false, false);
	routing.no_dump = true;
	expect_objections(true, true);
	routing.no_dump = false;
	routed_host.links = no_links;
	expect_objections(true, true);
	log_in("", "");
	expect_objections(true, false);
	assert_true(guard_default_route.objects(&routed_host, &port, why));
	assert_string_equal(why,
			    "whether this port carries the default route is unknown: no links");
	routed_host.links = some_links;
}

/* Answer with routes that are truncated, overlong or of another family. */
static bool talk_nonsense(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each,
			  void *arg, struct err *err)
{
	char buf[128] __attribute__((aligned(8))) = { 0 };
	struct rtnexthop hop = { .rtnh_len = 200, .rtnh_ifindex = PORT };
	struct nlmsghdr *n;

	(void)h;
	(void)bus;
	(void)request;
	(void)err;
	each(mnl_nlmsg_put_header(buf), arg);
	memset(buf, 0, sizeof(buf));
	n = begin_route(buf, RTNL_FAMILY_IPMR, 0);
	mnl_attr_put_u32(n, RTA_OIF, PORT);
	each(n, arg);
	memset(buf, 0, sizeof(buf));
	n = begin_route(buf, AF_INET, 0);
	mnl_attr_put_u32(n, RTA_TABLE, 0);
	mnl_attr_put(n, RTA_MULTIPATH, sizeof(hop), &hop);
	each(n, arg);
	return true;
}

static void an_answer_that_is_no_route_is_passed_over(void **s)
{
	(void)s;
	routed_host.talk = talk_nonsense;
	log_in("192.0.2.9", "");
	expect_objections(false, false);
}

static bool cannot_list(struct host *h, const char *path,
			void (*each)(const char *name, void *arg), void *arg, struct err *err)
{
	(void)h;
	(void)path;
	(void)each;
	(void)arg;
	return err_set(err, ERR_SYSTEM, EIO, "no list");
}

static void functions_that_cannot_be_listed_object(void **s)
{
	const struct port p = { .id.pci = "0000:3b:00.0" };
	struct host h = { .list_dir = cannot_list };
	char why[GUARD_WHY_MAX] = "";

	(void)s;
	assert_true(guard_functions.objects(&h, &p, why));
	assert_string_equal(why, "the VFs and SFs of this port are unknown: no list");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_port_below_a_default_route_objects),
		cmocka_unit_test(links_lead_from_a_route_in_use_to_the_port),
		cmocka_unit_test(tables_are_apart),
		cmocka_unit_test(next_hops_of_objects_count),
		cmocka_unit_test(routes_whose_links_are_down_beat_no_others),
		cmocka_unit_test(tunnels_leave_by_another_route),
		cmocka_unit_test(overlays_leave_by_another_route),
		cmocka_unit_test(a_table_for_packets_from_the_port_is_not_the_hosts),
		cmocka_unit_test(without_rules_every_table_counts),
		cmocka_unit_test(the_port_of_this_session_objects),
		cmocka_unit_test(next_hops_of_an_object_count_for_the_session),
		cmocka_unit_test(a_session_in_a_vrf_takes_its_routes),
		cmocka_unit_test(a_session_whose_way_is_unknown_is_noted),
		cmocka_unit_test(without_links_or_routes_guards_object),
		cmocka_unit_test(an_answer_that_is_no_route_is_passed_over),
		cmocka_unit_test(functions_that_cannot_be_listed_object),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
