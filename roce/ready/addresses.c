#include <arpa/inet.h>
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/route.h"
#include "../../policy/util/fix_text.h"
#include "addresses.h"
#include "reading.h"
#include "registry.h"

/* ---- ARP ---- */

/*
 * Settings with their safe values. arp_ignore(), arp_solicit() and arp_filter() of net/ipv4/arp.c
 * and fib_validate_source() of net/ipv4/fib_frontend.c read them.
 */
static const struct arp_setting {
	const char *name;
	uint8_t safe; /* a bit for each value */
	int fix;
} arp_settings[] = {
	{ "arp_ignore", 1 << 1 | 1 << 2, 1 },
	{ "arp_announce", 1 << 2, 2 },
	{ "rp_filter", 1 << 0 | 1 << 2, 2 },
	{ "arp_filter", 1 << 0, 0 }, /* silences all ports but the first */
};

/* The value of an interface, and of all. The larger one is in force (IN_DEV_MAXCONF). */
struct conf {
	long own, all;
};

static bool read_one(struct host *h, const char *interface, const char *name, long *ret,
		     struct err *err)
{
	char text[32];

	if (!host_read_file(h, text, sizeof(text), err, "/proc/sys/net/ipv4/conf/%s/%s", interface,
			    name))
		return false;
	*ret = strtol(text, NULL, 10);
	return true;
}

static bool read_conf(struct host *h, const char *interface, const char *name, struct conf *ret,
		      struct err *err)
{
	return read_one(h, "all", name, &ret->all, err) &&
	       read_one(h, interface, name, &ret->own, err);
}

/* A dot in the name of an interface is a slash for sysctl(8). */
static void add_sysctl(const char *interface, const struct arp_setting *s, struct arp_fixes *ret)
{
	size_t used = strlen(ret->sysctls), size;
	char plain[64], quoted[128], one[128], name[IF_NAMESIZE];

	snprintf(name, sizeof(name), "%.15s", interface);
	for (char *dot = name; (dot = strchr(dot, '.'));)
		*dot = '/';
	snprintf(plain, sizeof(plain), "net.ipv4.conf.%s.%s=%d", name, s->name, s->fix);
	size = (size_t)snprintf(one, sizeof(one), " %s", shell_word(plain, quoted, sizeof(quoted)));
	if (strstr(ret->sysctls, one))
		return;
	ret->is_cut |= used + size >= sizeof(ret->sysctls);
	if (!ret->is_cut)
		memcpy(ret->sysctls + used, one, size + 1);
}

static void judge_setting(const char *interface, const struct arp_setting *s, const struct conf *c,
			  struct arp_fixes *ret)
{
	long value = c->own > c->all ? c->own : c->all;

	if (value >= 0 && value < 8 && (s->safe >> value & 1))
		return;
	if (!ret->count++)
		snprintf(ret->reason, sizeof(ret->reason),
			 "%s shares its subnet with another port, and its %s is %ld", interface,
			 s->name, value);
	if (c->all > s->fix)
		add_sysctl("all", s, ret);
	if (c->all <= s->fix || c->own > s->fix) /* the larger value is in force */
		add_sysctl(interface, s, ret);
}

bool arp_judge(struct host *h, const char *interface, bool has_route, struct arp_fixes *ret,
	       struct err *err)
{
	size_t count = has_route ? 1 : sizeof(arp_settings) / sizeof(arp_settings[0]);
	struct conf c;

	if (!read_conf(h, interface, "arp_filter", &c, err))
		return false;
	if (has_route && (c.own > 0 || c.all > 0))
		return true;
	for (size_t i = 0; i < count; i++) {
		if (!read_conf(h, interface, arp_settings[i].name, &c, err))
			return false;
		judge_setting(interface, &arp_settings[i], &c, ret);
	}
	return true;
}

/* ---- addresses and routes ---- */

#define ADDRESSES_MAX 128

enum { UNSAFE, SAFE, ROUTED };

struct address {
	unsigned ifindex;
	uint32_t local, subnet; /* in the host's byte order */
	uint8_t bits;
};

struct addresses {
	struct address list[ADDRESSES_MAX];
	size_t count;
};

static int read_local(const struct nlattr *a, void *arg)
{
	uint32_t *ret = arg;

	if (mnl_attr_get_type(a) == IFA_LOCAL && mnl_attr_validate(a, MNL_TYPE_U32) == 0)
		*ret = ntohl(mnl_attr_get_u32(a));
	return MNL_CB_OK;
}

/* An address of 32 bits has no neighbours. */
static int add_address(const struct nlmsghdr *reply, void *arg)
{
	const struct ifaddrmsg *m = mnl_nlmsg_get_payload(reply);
	struct addresses *all = arg;
	uint32_t local = 0;

	if (mnl_nlmsg_get_payload_len(reply) < sizeof(*m) || m->ifa_family != AF_INET ||
	    m->ifa_prefixlen == 0 || m->ifa_prefixlen > 31 || all->count == ADDRESSES_MAX)
		return MNL_CB_OK;
	if (mnl_attr_parse(reply, sizeof(*m), read_local, &local) < 0 || !local)
		return MNL_CB_OK;
	all->list[all->count++] =
		(struct address){ .ifindex = m->ifa_index,
				  .local = local,
				  .subnet = local & (UINT32_MAX << (32 - m->ifa_prefixlen)),
				  .bits = m->ifa_prefixlen };
	return MNL_CB_OK;
}

static bool list_addresses(struct host *h, struct addresses *ret, struct err *err)
{
	char buf[64] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	struct ifaddrmsg *m = mnl_nlmsg_put_extra_header(n, sizeof(*m));

	n->nlmsg_type = RTM_GETADDR;
	n->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	m->ifa_family = AF_INET;
	ret->count = 0;
	return host_talk(h, BUS_ROUTE, n, add_address, ret, err);
}

/* True if the traffic of an interface passes through one of the ports. */
static bool is_of_ports(const struct ready_scene *s, const struct link_list *links,
			const struct link *l)
{
	for (size_t i = 0; l && i < s->count; i++)
		if (link_rests_on(links, l, s->ports[i].ifindex))
			return true;
	return false;
}

/* The judgement of all addresses. */
struct judgement {
	const struct ready_scene *s;
	const struct link_list *links;
	const struct addresses *all;
	struct ready_reading *r;
	struct arp_fixes arp;
};

static bool is_local(const struct addresses *all, uint32_t address)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].local == address)
			return true;
	return false;
}

/* An address in the subnet that is another host's, or would be. */
static uint32_t pick_peer(const struct addresses *all, const struct address *a)
{
	uint32_t to = a->subnet + (a->bits < 31);

	while (is_local(all, to))
		to++;
	return to;
}

static void put_address(unsigned char to[ROUTE_ADDRESS_MAX], uint32_t address)
{
	uint32_t bytes = htonl(address);

	memcpy(to, &bytes, sizeof(bytes));
}

/*
 * The kernel's choice for answers from an address; all zero if it has no route. The table is the
 * main one if no rule tells the port's address from the others: the order of its routes, and with
 * it the port, changes whenever a port goes down.
 */
static bool find_route(struct host *h, const struct addresses *all, const struct address *a,
		       struct route *ret, struct err *err)
{
	struct route_query q = { .family = AF_INET, .has_from = true };

	*ret = (struct route){ .table = 0 };
	put_address(q.to, pick_peer(all, a));
	put_address(q.from, a->local);
	return host_route(h, &q, ret, err) || err->code == ENETUNREACH;
}

/* Reports the port by which answers of sockets leave, and how to change that. */
static void note_unrouted(const struct address *a, const struct link *own, const struct link *by,
			  struct ready_reading *r)
{
	struct in_addr subnet = { htonl(a->subnet) }, local = { htonl(a->local) };
	unsigned table = 1000 + a->ifindex; /* one that distributions leave free */
	char net[INET_ADDRSTRLEN], address[INET_ADDRSTRLEN], name[SHELL_NAME_MAX];

	inet_ntop(AF_INET, &subnet, net, sizeof(net));
	inet_ntop(AF_INET, &local, address, sizeof(address));
	if (by == own)
		ready_reason(r,
			     "TCP from %s leaves by %s only while its route is the first: no rule "
			     "gives that address a table of its own",
			     address, own->name);
	else
		ready_reason(r,
			     "RDMA leaves by its own port, but TCP from %s by %s: no rule gives "
			     "that address a table of its own",
			     address, by ? by->name : "none");
	ready_fix(r,
		  "run `ip route replace %s/%u dev %s src %s table %u; ip rule add from %s lookup "
		  "%u`",
		  net, a->bits, shell_word(own->name, name, sizeof(name)), address, table, address,
		  table);
}

/* Another interface of the ports with an address in the same subnet, and in the same VRF. */
static const struct link *find_neighbour(const struct judgement *j, const struct address *a)
{
	const struct link *own = link_by_index(j->links, a->ifindex);

	for (size_t i = 0; i < j->all->count; i++) {
		const struct address *b = &j->all->list[i];
		const struct link *l = link_by_index(j->links, b->ifindex);

		if (b->ifindex != a->ifindex && b->subnet == a->subnet && b->bits == a->bits &&
		    is_of_ports(j->s, j->links, l) && l->master == own->master)
			return l;
	}
	return NULL;
}

/* An address that answers for itself: whether TCP leaves by its port. */
static void judge_route(struct judgement *j, const struct address *a, const struct route *route,
			bool has_route)
{
	struct ready_reading *r = j->r;

	if (r->status == READY_NOT_APPLICABLE) {
		ready_found(r, ROUTED, "%s", "");
		ready_reason(r, "%s", "");
	}
	if (has_route)
		return;
	/* The first port of the main table is no example. */
	if (r->value == ROUTED || route->ifindex != a->ifindex)
		note_unrouted(a, link_by_index(j->links, a->ifindex),
			      link_by_index(j->links, route->ifindex), r);
	r->value = SAFE;
}

/* One address that shares its subnet; false if that cannot be judged. */
static bool judge_one(struct judgement *j, const struct address *a)
{
	const struct link *own = link_by_index(j->links, a->ifindex);
	size_t unsafe = j->arp.count;
	struct route route;
	struct err err = { 0 }, unread = { 0 };
	bool has_route;

	if (!find_route(j->s->h, j->all, a, &route, &err)) {
		reading_failed(j->r, &err);
		return false;
	}
	has_route =
		route.ifindex == a->ifindex && route.table != ROUTE_TABLE(AF_INET, RT_TABLE_MAIN);
	if (!arp_judge(j->s->h, own->name, has_route, &j->arp, &unread)) {
		reading_failed(j->r, &unread);
		return false;
	}
	if (j->arp.count == 0)
		judge_route(j, a, &route, has_route);
	else if (unsafe == 0)
		ready_found(j->r, UNSAFE, "unsafe: %s and %s", own->name,
			    find_neighbour(j, a)->name);
	return true;
}

static void judge(struct judgement *j)
{
	ready_not_applicable(j->r, "no two ports have addresses in one subnet");
	for (size_t i = 0; i < j->all->count; i++) {
		const struct address *a = &j->all->list[i];
		const struct link *own = link_by_index(j->links, a->ifindex);

		if (!is_of_ports(j->s, j->links, own) || !find_neighbour(j, a))
			continue;
		if (!judge_one(j, a))
			return;
	}
	if (j->arp.count)
		ready_reason(j->r, "%s", j->arp.reason);
	if (j->arp.is_cut)
		ready_fix(j->r, "%s", ready_checks[READY_SHARED_SUBNET].fix);
	else if (j->arp.count)
		ready_fix(j->r, "run `sysctl -w%s`", j->arp.sysctls);
}

static void read_shared_subnet(const struct ready_scene *s, const struct port *port,
			       struct ready_reading *r)
{
	_link_list_ struct link_list links = { .links = NULL };
	struct addresses all;
	struct judgement j = { .s = s, .links = &links, .all = &all, .r = r };
	struct err err = { 0 };

	(void)port;
	if (!host_links(s->h, &links, &err) || !list_addresses(s->h, &all, &err)) {
		reading_failed(r, &err);
		return;
	}
	judge(&j);
}

const struct ready_reader ready_shared_subnet = { .id = READY_SHARED_SUBNET,
						  .read = read_shared_subnet };
