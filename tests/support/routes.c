#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <arpa/inet.h>
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/fib_rules.h>
#include <linux/if_addr.h>
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/routes.h"

bool some_links(struct host *h, struct link_list *ret, struct err *err)
{
	static const struct link list[] = {
		{ .ifindex = 2, .name = "ens1f0np0", .master = 4 },
		{ .ifindex = 3, .name = "ens1f0np0.7", .lower = 2, .is_vlan = true },
		{ .ifindex = 4, .name = "bond0", .master = 15 },
		{ .ifindex = 5, .name = "bond0.9", .lower = 4, .is_vlan = true, .master = 11 },
		{ .ifindex = 6, .name = "eno1" },
		{ .ifindex = 7, .name = "macvlan0", .lower = 5 },
		{ .ifindex = 8,
		  .name = "gre1",
		  .remote_family = AF_INET,
		  .remote = { 198, 51, 100, 1 } },
		{ .ifindex = 9, .name = "veth0", .lower = 10 },
		{ .ifindex = 10, .name = "veth1", .lower = 9, .master = 11 },
		{ .ifindex = 11, .name = "br0" },
		{ .ifindex = 12, .name = "veth2", .lower = 13 },
		{ .ifindex = 13, .name = "veth3", .lower = 12, .master = 14 },
		{ .ifindex = 14, .name = "br1" },
		{ .ifindex = 15, .name = "ovs-system", .is_openvswitch = true },
		{ .ifindex = 16, .name = "br-ex", .is_openvswitch = true },
		{ .ifindex = 17, .name = "wg0", .is_tunnel = true },
		{ .ifindex = 18, .name = "vx0", .is_tunnel = true, .master = 19 },
		{ .ifindex = 19, .name = "br2" },
		{ .ifindex = 20, .name = "vrf9", .vrf_table = 9 },
		{ .ifindex = 21, .name = "ens1f0np0.9", .lower = 2, .master = 20 },
	};

	(void)h;
	(void)err;
	*ret = (struct link_list){ .links = malloc(sizeof(list)),
				   .count = sizeof(list) / sizeof(list[0]) };
	assert_non_null(ret->links);
	memcpy(ret->links, list, sizeof(list));
	return true;
}

static bool no_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	(void)h;
	(void)buf;
	(void)size;
	return err_set(err, ERR_UNSUPPORTED, ENOENT, "no %s", path);
}

struct host routed_host = { .links = some_links, .read_file = no_file };

struct routing routing;

static int family_of(const char *address)
{
	return address && strchr(address, ':') ? AF_INET6 : AF_INET;
}

struct nlmsghdr *begin_route(char *buf, int family, unsigned bits)
{
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	struct rtmsg *m = mnl_nlmsg_put_extra_header(n, sizeof(*m));

	n->nlmsg_type = RTM_NEWROUTE;
	m->rtm_family = (uint8_t)family;
	m->rtm_dst_len = (uint8_t)bits;
	m->rtm_table = RT_TABLE_COMPAT;
	m->rtm_type = RTN_UNICAST;
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
	for (size_t i = 0; i < 4 && routing.routes[i].table; i++) {
		const struct fake_route *r = &routing.routes[i];
		const struct fake_use *use = &routing.uses[i];
		char buf[512] __attribute__((aligned(8))) = { 0 };
		struct nlmsghdr *n = begin_route(buf, family_of(r->to), r->bits);
		struct rtmsg *head;

		if (r->bits)
			put_address(n, RTA_DST, r->to);
		mnl_attr_put_u32(n, RTA_TABLE, r->table);
		mnl_attr_put_u32(n, RTA_PRIORITY, use->metric);
		head = mnl_nlmsg_get_payload(n);
		head->rtm_protocol = use->is_advertised ? RTPROT_RA : RTPROT_STATIC;
		head->rtm_flags = use->is_down ? RTNH_F_LINKDOWN : 0;
		if (use->next_hop)
			mnl_attr_put_u32(n, RTA_NH_ID, use->next_hop);
		put_next_hops(n, r->out);
		if (each(n, arg) < 0)
			return false;
	}
	return true;
}

static bool list_next_hops(const struct nlmsghdr *request, reply_fn *each, void *arg)
{
	assert_int_equal(mnl_nlmsg_get_payload_len(request), sizeof(struct nhmsg));
	for (const struct fake_next_hop *o = routing.next_hops; o->id; o++) {
		char buf[128] __attribute__((aligned(8))) = { 0 };
		struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
		struct nhmsg *m = mnl_nlmsg_put_extra_header(n, sizeof(*m));
		struct nexthop_grp g[2] = { { .id = o->members[0] }, { .id = o->members[1] } };

		m->nh_flags = o->is_down ? RTNH_F_LINKDOWN : 0;
		mnl_attr_put_u32(n, NHA_ID, o->id);
		if (g[0].id)
			mnl_attr_put(n, NHA_GROUP, (g[1].id ? 2 : 1) * sizeof(g[0]), g);
		if (o->out)
			mnl_attr_put_u32(n, NHA_OIF, o->out);
		if (each(n, arg) < 0)
			return false;
	}
	return true;
}

static bool list_rules(reply_fn *each, void *arg)
{
	for (size_t i = 0; i < FAKE_RULES && routing.rules[i].family; i++) {
		char buf[128] __attribute__((aligned(8))) = { 0 };
		struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
		struct fib_rule_hdr *m = mnl_nlmsg_put_extra_header(n, sizeof(*m));

		m->family = (uint8_t)routing.rules[i].family;
		m->src_len = (uint8_t)routing.rules[i].only.from_bits;
		m->dst_len = (uint8_t)routing.rules[i].only.to_bits;
		m->flags = routing.rules[i].only.is_inverted ? FIB_RULE_INVERT : 0;
		mnl_attr_put_u32(n, FRA_TABLE, routing.rules[i].table);
		if (routing.rules[i].is_vrf)
			mnl_attr_put_u8(n, FRA_L3MDEV, 1);
		if (routing.rules[i].only.iif)
			mnl_attr_put_strz(n, FRA_IIFNAME, routing.rules[i].only.iif);
		if (routing.rules[i].only.oif)
			mnl_attr_put_strz(n, FRA_OIFNAME, routing.rules[i].only.oif);
		if (routing.rules[i].only.from)
			put_address(n, FRA_SRC, routing.rules[i].only.from);
		if (each(n, arg) < 0)
			return false;
	}
	return true;
}

static bool list_addresses(reply_fn *each, void *arg)
{
	for (size_t i = 0; i < 4 && routing.addresses[i].ifindex; i++) {
		const struct fake_address *a = &routing.addresses[i];
		char buf[128] __attribute__((aligned(8))) = { 0 };
		struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
		struct ifaddrmsg *m = mnl_nlmsg_put_extra_header(n, sizeof(*m));

		m->ifa_family = (uint8_t)family_of(a->address);
		m->ifa_index = a->ifindex;
		put_address(n, IFA_ADDRESS, a->address);
		if (each(n, arg) < 0)
			return false;
	}
	return true;
}

static unsigned vrf_asked_for(const struct nlmsghdr *n)
{
	const struct nlattr *a;

	mnl_attr_for_each (a, n, sizeof(struct rtmsg))
		if (mnl_attr_get_type(a) == RTA_OIF)
			return mnl_attr_get_u32(a);
	return 0;
}

/* Copies the address in an attribute of the request as text; "": none. */
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
	if (strcmp(to, "198.51.100.1") == 0 && routing.under_tunnel) {
		mnl_attr_put_u32(n, RTA_OIF, routing.under_tunnel);
		return each(n, arg) >= 0;
	}
	if (strcmp(to, "198.51.100.1") == 0)
		return false;
	assert_string_equal(to, routed_host.session.peer);
	if (!routing.out || vrf_asked_for(request) != routing.vrf ||
	    strcmp(from, routing.source ? routing.source : "") != 0)
		return false;
	put_address(n, RTA_DST, to);
	mnl_attr_put_u32(n, RTA_TABLE, m->rtm_flags & RTM_F_LOOKUP_TABLE ? routing.table : 254);
	mnl_attr_put_u32(n, RTA_OIF, routing.out);
	return each(n, arg) >= 0;
}

bool route_talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each, void *arg,
		struct err *err)
{
	bool dump = request->nlmsg_flags & NLM_F_DUMP;

	(void)h;
	assert_int_equal(bus, BUS_ROUTE);
	if (request->nlmsg_type == RTM_GETRULE	    ? !routing.no_rules && list_rules(each, arg)
	    : request->nlmsg_type == RTM_GETADDR    ? list_addresses(each, arg)
	    : request->nlmsg_type == RTM_GETNEXTHOP ? list_next_hops(request, each, arg)
	    : dump				    ? !routing.no_dump && list_routes(each, arg)
						    : choose_route(request, each, arg))
		return true;
	return err_set(err, ERR_SYSTEM, ENETUNREACH, "no route");
}
