/* The guards of a way in: on a host whose links, rules and routes are lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <arpa/inet.h>
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/fib_rules.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dcb/registry.h"

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

static struct host host = { .links = some_links };

/* What the kernel is asked, and what it answers to that: rules and routes of one fake host. */
#define SEVERAL 3

struct fake_route {
	const char *to; /* NULL: a default */
	unsigned bits, table;
	unsigned out[SEVERAL]; /* ifindex of each next hop */
};

struct fake_rule {
	int family;
	unsigned table;
	bool is_vrf;
};

static struct {
	struct fake_rule rules[70];
	struct fake_route routes[4];
	bool no_rules, no_dump;
	const char *source;  /* the address that routes must be asked for with; NULL: none */
	unsigned table, out; /* the route that is chosen; 0: there is none */
} kernel;

static int family_of(const char *address)
{
	return address && strchr(address, ':') ? AF_INET6 : AF_INET;
}

static struct nlmsghdr *begin_route(char *buf, int family, unsigned bits)
{
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	struct rtmsg *m = mnl_nlmsg_put_extra_header(n, sizeof(*m));

	n->nlmsg_type = RTM_NEWROUTE;
	m->rtm_family = (uint8_t)family;
	m->rtm_dst_len = (uint8_t)bits;
	m->rtm_table = RT_TABLE_COMPAT;
	return n;
}

static void put_address(struct nlmsghdr *n, uint16_t type, const char *address)
{
	unsigned char bytes[16];

	assert_int_equal(inet_pton(family_of(address), address, bytes), 1);
	mnl_attr_put(n, type, family_of(address) == AF_INET ? 4 : 16, bytes);
}

static void put_next_hops(struct nlmsghdr *n, const unsigned *out)
{
	struct rtnexthop hops[SEVERAL] = { { .rtnh_len = 0 } };
	size_t count = 0;

	for (; count < SEVERAL && out[count]; count++)
		hops[count] = (struct rtnexthop){ .rtnh_len = sizeof(hops[0]),
						  .rtnh_ifindex = (int)out[count] };
	if (count == 1)
		mnl_attr_put_u32(n, RTA_OIF, out[0]);
	else if (count > 1)
		mnl_attr_put(n, RTA_MULTIPATH, count * sizeof(hops[0]), hops);
}

static bool list_routes(reply_fn *each, void *arg)
{
	for (size_t i = 0; i < 4 && kernel.routes[i].table; i++) {
		const struct fake_route *r = &kernel.routes[i];
		char buf[512] __attribute__((aligned(8))) = { 0 };
		struct nlmsghdr *n = begin_route(buf, family_of(r->to), r->bits);

		if (r->bits)
			put_address(n, RTA_DST, r->to);
		mnl_attr_put_u32(n, RTA_TABLE, r->table);
		put_next_hops(n, r->out);
		if (each(n, arg) < 0)
			return false;
	}
	return true;
}

static bool list_rules(reply_fn *each, void *arg)
{
	for (size_t i = 0; i < 70 && kernel.rules[i].family; i++) {
		char buf[128] __attribute__((aligned(8))) = { 0 };
		struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
		struct fib_rule_hdr *m = mnl_nlmsg_put_extra_header(n, sizeof(*m));

		m->family = (uint8_t)kernel.rules[i].family;
		mnl_attr_put_u32(n, FRA_TABLE, kernel.rules[i].table);
		if (kernel.rules[i].is_vrf)
			mnl_attr_put_u8(n, FRA_L3MDEV, 1);
		if (each(n, arg) < 0)
			return false;
	}
	return true;
}

/* The address that the request has in an attribute, as text; "": it has none. */
static void asked_for(const struct nlmsghdr *n, int type, char text[64])
{
	const struct rtmsg *m = mnl_nlmsg_get_payload(n);
	const struct nlattr *a;

	text[0] = '\0';
	mnl_attr_for_each (a, n, sizeof(*m))
		if (mnl_attr_get_type(a) == type)
			inet_ntop(m->rtm_family, mnl_attr_get_payload(a), text, 64);
}

static bool choose_route(const struct nlmsghdr *request, reply_fn *each, void *arg)
{
	char buf[128] __attribute__((aligned(8))) = { 0 }, to[64], from[64];
	const struct rtmsg *m = mnl_nlmsg_get_payload(request);
	struct nlmsghdr *n = begin_route(buf, m->rtm_family, m->rtm_dst_len);

	asked_for(request, RTA_DST, to);
	asked_for(request, RTA_SRC, from);
	assert_string_equal(to, host.session.peer);
	if (!kernel.out || strcmp(from, kernel.source ? kernel.source : "") != 0)
		return false;
	put_address(n, RTA_DST, to);
	mnl_attr_put_u32(n, RTA_TABLE, m->rtm_flags & RTM_F_LOOKUP_TABLE ? kernel.table : 254);
	mnl_attr_put_u32(n, RTA_OIF, kernel.out);
	return each(n, arg) >= 0;
}

static bool route_talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each,
		       void *arg, struct err *err)
{
	bool dump = request->nlmsg_flags & NLM_F_DUMP;

	(void)h;
	assert_int_equal(bus, BUS_ROUTE);
	if (request->nlmsg_type == RTM_GETRULE ? !kernel.no_rules && list_rules(each, arg)
	    : dump			       ? !kernel.no_dump && list_routes(each, arg)
					       : choose_route(request, each, arg))
		return true;
	return err_set(err, ERR_SYSTEM, ENETUNREACH, "no route");
}

#define PORT	  2
#define VLAN	  3
#define BOND_VLAN 5
#define OTHER	  6
/* clang-format off */
#define MAIN { AF_INET, 254, false }
/* clang-format on */

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
		/* A table that no rule names, or one of the other family. */
		{ MAIN, { { NULL, 0, 100, { PORT } } }, false },
		{ { AF_INET, 1000, false }, { { NULL, 0, 1000, { PORT } } }, true },
		{ { AF_INET6, 254, false }, { { NULL, 0, 254, { PORT } } }, false },
		{ { AF_INET6, 254, false }, { { "::", 0, 254, { PORT } } }, true },
		{ { AF_INET, 0, true }, { { NULL, 0, 100, { PORT } } }, true },
		{ MAIN, { { NULL, 0, 0, { 0 } } }, false },
	};

	(void)s;
	host.talk = route_talk;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char why[GUARD_WHY_MAX];

		memset(&kernel, 0, sizeof(kernel));
		kernel.rules[0] = rows[i].rule;
		memcpy(kernel.routes, rows[i].routes, sizeof(rows[i].routes));
		if (guard_default_route.objects(&host, &port, why) != rows[i].objects)
			fail_msg("row %zu", i);
	}
}

static void without_rules_every_table_counts(void **s)
{
	char why[GUARD_WHY_MAX];

	(void)s;
	memset(&kernel, 0, sizeof(kernel));
	kernel.routes[0] = (struct fake_route){ NULL, 0, 100, { PORT } };
	assert_false(guard_default_route.objects(&host, &port, why));
	kernel.no_rules = true;
	assert_true(guard_default_route.objects(&host, &port, why));
	assert_string_equal(why, "this port carries the default route (ens1f0np0)");
	kernel.no_rules = false;
	for (size_t i = 0; i < 65; i++)
		kernel.rules[i] = (struct fake_rule){ AF_INET, 200 + (unsigned)i, false };
	assert_true(guard_default_route.objects(&host, &port, why));
}

static void log_in(const char *peer, const char *server)
{
	snprintf(host.session.peer, sizeof(host.session.peer), "%s", peer);
	snprintf(host.session.server, sizeof(host.session.server), "%s", server);
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
	{ "", "", NULL, 254, PORT, { 0 }, false },
/* The other next hops of the route that was chosen, and of no other. */
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
	host.talk = route_talk;
	for (size_t i = 0; i < sizeof(sessions) / sizeof(sessions[0]); i++) {
		char why[GUARD_WHY_MAX];

		memset(&kernel, 0, sizeof(kernel));
		kernel.source = sessions[i].source;
		kernel.table = sessions[i].table;
		kernel.out = sessions[i].out;
		kernel.routes[0] = sessions[i].route;
		log_in(sessions[i].peer, sessions[i].server);
		if (guard_session.objects(&host, &port, why) != sessions[i].objects)
			fail_msg("row %zu", i);
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

	assert_int_equal(guard_default_route.objects(&host, &port, why), of_default);
	assert_int_equal(guard_session.objects(&host, &port, why), of_session);
}

/* They keep a way in from being lost; where nothing is known of it, nothing is said. */
static void without_links_or_routes_nobody_objects(void **s)
{
	(void)s;
	host.talk = route_talk;
	memset(&kernel, 0, sizeof(kernel));
	kernel.rules[0] = (struct fake_rule)MAIN;
	kernel.routes[0] = (struct fake_route){ NULL, 0, 254, { PORT } };
	kernel.out = PORT;
	log_in("192.0.2.9", "");
	expect_objections(true, true);
	kernel.no_dump = true;
	expect_objections(false, true);
	kernel.no_dump = false;
	host.links = no_links;
	expect_objections(false, false);
	host.links = some_links;
}

/* Cut short, too long, or of another kind: passed over. */
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
	host.talk = talk_nonsense;
	log_in("192.0.2.9", "");
	expect_objections(false, false);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_port_below_a_default_route_objects),
		cmocka_unit_test(without_rules_every_table_counts),
		cmocka_unit_test(the_port_of_this_session_objects),
		cmocka_unit_test(without_links_or_routes_nobody_objects),
		cmocka_unit_test(an_answer_that_is_no_route_is_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
