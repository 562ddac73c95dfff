/* Tests of the check of ports with addresses in one subnet, and their ARP settings. */
#include <arpa/inet.h>
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/ready_host.h"
#include "tests/support/unit.h"

#define CONF "/proc/sys/net/ipv4/conf/"

#define MAIN 254

struct has_address {
	unsigned ifindex;
	const char *address;
	uint8_t bits;
};

/* The route of packets from an address. Packets without a route leave by the first port. */
struct has_route {
	const char *from;
	unsigned ifindex; /* 0: unreachable */
	unsigned table;
};

static const struct row {
	const char *sentence;
	struct has_address addresses[4];
	struct ready_file files[6];
	struct has_route routes[2];
	bool no_dump, no_routes;
	enum ready_status status;
	uint64_t value;
	const char *says;
} rows[] = {
	{ "a subnet for each port",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.2.1", 24 } },
	  .status = READY_NOT_APPLICABLE },
	{ "two ports in one subnet, as Linux comes",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  .status = READY_MET,
	  .value = 0,
	  .says = "sysctl -w net.ipv4.conf.ens1f0np0.arp_ignore=1" },
	{ "two ports that answer for themselves",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "all/arp_ignore", "1" }, { CONF "all/arp_announce", "2" } },
	  .status = READY_MET,
	  .value = 1 },
	{ "one of two ports that answers for both",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "all/arp_announce", "2" }, { CONF "ens1f0np0/arp_ignore", "1" } },
	  .status = READY_MET,
	  .value = 0,
	  .says = "net.ipv4.conf.ens1f1np1.arp_ignore=1" },
	{ "addresses that are announced by the wrong port",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "all/arp_ignore", "1" }, { CONF "all/arp_announce", "1" } },
	  .status = READY_MET,
	  .value = 0,
	  .says = "arp_announce=2" },
	{ "a strict reverse path filter",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "all/arp_ignore", "1" },
	    { CONF "all/arp_announce", "2" },
	    { CONF "ens1f0np0/rp_filter", "1" } },
	  .status = READY_MET,
	  .value = 0,
	  .says = "rp_filter=2" },
	{ "a loose reverse path filter",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "all/arp_ignore", "1" },
	    { CONF "all/arp_announce", "2" },
	    { CONF "ens1f0np0/rp_filter", "2" } },
	  .status = READY_MET,
	  .value = 1 },
	{ "all that is unsafe is one command",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "ens1f1np1/rp_filter", "1" } },
	  .status = READY_MET,
	  .value = 0,
	  .says = "`sysctl -w net.ipv4.conf.ens1f0np0.arp_ignore=1 "
		  "net.ipv4.conf.ens1f0np0.arp_announce=2 net.ipv4.conf.ens1f1np1.arp_ignore=1 "
		  "net.ipv4.conf.ens1f1np1.arp_announce=2 net.ipv4.conf.ens1f1np1.rp_filter=2`" },
	{ "settings that cannot be read",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "all/arp_ignore", "1" },
	    { CONF "all/arp_announce", "2" },
	    { CONF "ens1f1np1/arp_filter", BROKEN } },
	  .status = READY_UNKNOWN,
	  .says = "conf/ens1f1np1/arp_filter" },
	{ "settings that only others may read",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "all/arp_ignore", DENIED } },
	  .status = READY_UNKNOWN,
	  .says = "sudo" },
	{ "two addresses of one port",
	  { { 3, "10.0.1.1", 24 }, { 3, "10.0.1.2", 24 } },
	  .status = READY_NOT_APPLICABLE },
	{ "a port and one that is not checked",
	  { { 3, "10.0.1.1", 24 }, { 9, "10.0.1.2", 24 } },
	  .status = READY_NOT_APPLICABLE },
	{ "host routes have no neighbours",
	  { { 3, "10.0.1.1", 32 }, { 4, "10.0.1.1", 32 } },
	  .status = READY_NOT_APPLICABLE },
	{ "subnets of two sizes",
	  { { 3, "10.0.0.1", 16 }, { 4, "10.0.0.2", 24 } },
	  .status = READY_NOT_APPLICABLE },
	{ "addresses on VLANs of the ports",
	  { { 5, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  .status = READY_MET,
	  .value = 0,
	  .says = "conf.ens1f0np0/7.arp_ignore" },
	{ "a reserved value, for all interfaces",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "all/arp_ignore", "4" }, { CONF "all/arp_announce", "2" } },
	  .status = READY_MET,
	  .value = 0,
	  .says = "sysctl -w net.ipv4.conf.all.arp_ignore=1" },
	{ "a filter for all interfaces, and for each that is new",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "all/arp_filter", "1" }, { CONF "ens1f0np0/arp_filter", "1" } },
	  .status = READY_MET,
	  .value = 0,
	  .says = "all.arp_filter=0 net.ipv4.conf.ens1f0np0.arp_filter=0" },
	{ "two ports, one of which answers nothing",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "all/arp_ignore", "1" },
	    { CONF "all/arp_announce", "2" },
	    { CONF "ens1f0np0/arp_filter", "1" } },
	  .status = READY_MET,
	  .value = 0,
	  .says = "ens1f0np0.arp_filter=0" },
	{ "two ports that answer for themselves, and one route",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "all/arp_ignore", "2" }, { CONF "all/arp_announce", "2" } },
	  .status = READY_MET,
	  .value = 1,
	  .says = "TCP from 10.0.1.2 by ens1f0np0" },
	{ "the same, and how to route",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "all/arp_ignore", "2" }, { CONF "all/arp_announce", "2" } },
	  .status = READY_MET,
	  .value = 1,
	  .says = "ip route replace 10.0.1.0/24 dev ens1f1np1 src 10.0.1.2 table 1004; "
		  "ip rule add from 10.0.1.2 lookup 1004" },
	{ "a rule for all ports but the first",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "all/arp_ignore", "1" }, { CONF "all/arp_announce", "2" } },
	  { { "10.0.1.2", 4, 102 } },
	  .status = READY_MET,
	  .value = 1,
	  .says = "ip rule add from 10.0.1.1 lookup 1003" },
	{ "a rule with a table that has no route",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "all/arp_ignore", "1" }, { CONF "all/arp_announce", "2" } },
	  { { "10.0.1.1", 3, 101 }, { "10.0.1.2", 0, 0 } },
	  .status = READY_MET,
	  .value = 1,
	  .says = "TCP from 10.0.1.2 by none" },
	{ "a rule with a table of another port",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "all/arp_ignore", "1" }, { CONF "all/arp_announce", "2" } },
	  { { "10.0.1.1", 3, 101 }, { "10.0.1.2", 3, 101 } },
	  .status = READY_MET,
	  .value = 1,
	  .says = "TCP from 10.0.1.2 by ens1f0np0" },
	{ "a rule and a table for each port, which answer for each other",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { 0 } },
	  { { "10.0.1.1", 3, 101 }, { "10.0.1.2", 4, 102 } },
	  .status = READY_MET,
	  .value = 0,
	  .says = "arp_ignore=1" },
	{ "a rule and a table for each port: a strict filter does no harm",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "all/arp_ignore", "1" }, { CONF "all/rp_filter", "1" } },
	  { { "10.0.1.1", 3, 101 }, { "10.0.1.2", 4, 102 } },
	  .status = READY_MET,
	  .value = 2 },
	{ "a rule and a table for each port, and answers as routed",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  { { CONF "all/arp_filter", "1" } },
	  { { "10.0.1.1", 3, 1001 }, { "10.0.1.2", 4, 1002 } },
	  .status = READY_MET,
	  .value = 2 },
	{ "a VRF for each port",
	  { { 7, "10.0.1.1", 24 }, { 8, "10.0.1.2", 24 } },
	  .status = READY_NOT_APPLICABLE },
	{ "routes that cannot be read",
	  { { 3, "10.0.1.1", 24 }, { 4, "10.0.1.2", 24 } },
	  .no_routes = true,
	  .status = READY_UNKNOWN,
	  .says = "no answer" },
	{ "addresses that cannot be listed",
	  { { 0 } },
	  .no_dump = true,
	  .status = READY_UNKNOWN,
	  .says = "no dump" },
};

static const struct row *now;

static bool links(struct host *h, struct link_list *ret, struct err *err)
{
	static const struct link list[] = {
		{ .ifindex = 3, .name = "ens1f0np0" },
		{ .ifindex = 4, .name = "ens1f1np1" },
		{ .ifindex = 5, .name = "ens1f0np0.7", .lower = 3, .is_vlan = true },
		{ .ifindex = 7, .name = "ens1f0np0.8", .lower = 3, .is_vlan = true, .master = 20 },
		{ .ifindex = 8, .name = "ens1f1np1.8", .lower = 4, .is_vlan = true, .master = 21 },
		{ .ifindex = 9, .name = "eno1" },
	};

	(void)h;
	(void)err;
	*ret = (struct link_list){ .links = malloc(sizeof(list)), .count = COUNT(list) };
	assert_non_null(ret->links);
	memcpy(ret->links, list, sizeof(list));
	return true;
}

/* Write an address of a request as text; "" if it has none. */
static void asked_for(const struct nlmsghdr *n, int type, char text[INET_ADDRSTRLEN])
{
	const struct nlattr *a;

	text[0] = '\0';
	mnl_attr_for_each (a, n, sizeof(struct rtmsg))
		if (mnl_attr_get_type(a) == type)
			inet_ntop(AF_INET, mnl_attr_get_payload(a), text, INET_ADDRSTRLEN);
}

/* True if the address is another host's: packets to this host's addresses never leave it. */
static bool is_to_a_neighbour(const char *to)
{
	for (size_t i = 0; i < COUNT(now->addresses) && now->addresses[i].ifindex; i++)
		if (strcmp(now->addresses[i].address, to) == 0)
			return false;
	return strncmp(to, "10.0.", 5) == 0;
}

static bool answer_route(const struct nlmsghdr *request, reply_fn *each, void *arg, struct err *err)
{
	char buf[128] __attribute__((aligned(8))) = { 0 };
	char to[INET_ADDRSTRLEN], from[INET_ADDRSTRLEN];
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	struct rtmsg *m = mnl_nlmsg_put_extra_header(n, sizeof(*m));
	struct has_route route = { .ifindex = 3, .table = MAIN };

	asked_for(request, RTA_DST, to);
	asked_for(request, RTA_SRC, from);
	assert_true(is_to_a_neighbour(to));
	for (size_t i = 0; i < COUNT(now->routes) && now->routes[i].from; i++)
		if (strcmp(now->routes[i].from, from) == 0)
			route = now->routes[i];
	if (now->no_routes)
		return err_set(err, ERR_SYSTEM, ETIMEDOUT, "no answer");
	if (!route.ifindex)
		return err_set(err, ERR_SYSTEM, -ENETUNREACH, "Network is unreachable");
	m->rtm_family = AF_INET;
	m->rtm_table = route.table > 255 ? RT_TABLE_COMPAT : (uint8_t)route.table;
	mnl_attr_put_u32(n, RTA_TABLE, route.table);
	mnl_attr_put_u32(n, RTA_OIF, route.ifindex);
	return each(n, arg) >= 0;
}

static bool list_addresses(reply_fn *each, void *arg)
{
	for (size_t i = 0; i < COUNT(now->addresses) && now->addresses[i].ifindex; i++) {
		char buf[128] __attribute__((aligned(8))) = { 0 };
		struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
		struct ifaddrmsg *m = mnl_nlmsg_put_extra_header(n, sizeof(*m));
		uint32_t address;

		m->ifa_family = AF_INET;
		m->ifa_index = now->addresses[i].ifindex;
		m->ifa_prefixlen = now->addresses[i].bits;
		assert_int_equal(inet_pton(AF_INET, now->addresses[i].address, &address), 1);
		mnl_attr_put(n, IFA_LOCAL, sizeof(address), &address);
		assert_true(each(n, arg) >= 0);
	}
	return true;
}

static bool talk(struct host *h, enum bus bus, struct nlmsghdr *request, reply_fn *each, void *arg,
		 struct err *err)
{
	(void)h;
	assert_int_equal(bus, BUS_ROUTE);
	if (request->nlmsg_type == RTM_GETROUTE)
		return answer_route(request, each, arg, err);
	assert_int_equal(request->nlmsg_type, RTM_GETADDR);
	if (now->no_dump)
		return err_set(err, ERR_SYSTEM, EIO, "no dump");
	return list_addresses(each, arg);
}

static bool (*read_listed)(struct host *h, const char *path, char *buf, size_t size,
			   struct err *err);

/* The kernel has settings for every interface; those that a row omits are 0. */
static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	if (read_listed(h, path, buf, size, err))
		return true;
	if (err->code != ENOENT || strncmp(path, CONF, strlen(CONF)) != 0)
		return false;
	snprintf(buf, size, "0");
	*err = (struct err){ 0 };
	return true;
}

static void is_judged_so(void **s)
{
	const struct row *row = now = *s;
	struct ready_host h = ready_host(row->files);
	struct port two[2] = { ready_port, ready_port };
	struct ready_reading r;

	two[1].ifindex = 4;
	h.host.links = links;
	h.host.talk = talk;
	read_listed = h.host.read_file;
	h.host.read_file = read_file;
	r = ready_reading_of(&ready_shared_subnet, &h, two, 2);
	if (r.status != row->status || (r.status == READY_MET && r.value != row->value))
		fail_msg("status %d, value %llu: %s", r.status, (unsigned long long)r.value,
			 r.reason);
	if (row->says && !strstr(r.fix, row->says) && !strstr(r.reason, row->says))
		fail_msg("says \"%s\", \"%s\"", r.reason, r.fix);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, is_judged_so);
	return suite_run(&s, "addresses");
}
