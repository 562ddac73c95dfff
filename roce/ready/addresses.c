/* Ports with IPv4 addresses in one subnet: Linux answers ARP for an address on any of them. */
#include <arpa/inet.h>
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>

#include "probe.h"
#include "registry.h"

#define ADDRESSES_MAX 128

enum { UNSAFE, SAFE };

struct address {
	unsigned ifindex;
	uint32_t subnet; /* in the host's byte order */
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

/* The value in force: the larger one of the interface's and that of all (IN_DEV_MAXCONF). */
static long in_force(struct host *h, const char *interface, const char *name)
{
	long all = 0, own = 0;

	if (!probe_number(h, &all, "/proc/sys/net/ipv4/conf/all/%s", name))
		all = 0;
	if (!probe_number(h, &own, "/proc/sys/net/ipv4/conf/%s/%s", interface, name))
		own = 0;
	return own > all ? own : all;
}

static bool is_safe(struct host *h, const char *interface, struct ready_reading *r)
{
	static const struct {
		const char *name;
		long least, wrong;
	} rows[] = { { "arp_ignore", 1, -1 }, { "arp_announce", 2, -1 }, { "rp_filter", 0, 1 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		long value = in_force(h, interface, rows[i].name);

		if (value >= rows[i].least && value != rows[i].wrong)
			continue;
		ready_reason(r, "%s shares its subnet with another port, and its %s is %ld",
			     interface, rows[i].name, value);
		ready_fix(r, "sysctl -w net.ipv4.conf.%s.%s=%d", interface, rows[i].name,
			  i == 0 ? 1 : 2);
		return false;
	}
	return true;
}

/* Another interface of the ports with an address in the same subnet. */
static const struct link *find_neighbour(const struct ready_scene *s, const struct link_list *links,
					 const struct addresses *all, const struct address *a)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct address *b = &all->list[i];
		const struct link *l = link_by_index(links, b->ifindex);

		if (b->ifindex != a->ifindex && b->subnet == a->subnet && b->bits == a->bits &&
		    is_of_ports(s, links, l))
			return l;
	}
	return NULL;
}

static void judge(const struct ready_scene *s, const struct link_list *links,
		  const struct addresses *all, struct ready_reading *r)
{
	ready_not_applicable(r, "no two ports have addresses in one subnet");
	for (size_t i = 0; i < all->count; i++) {
		const struct address *a = &all->list[i];
		const struct link *own = link_by_index(links, a->ifindex);
		const struct link *other =
			is_of_ports(s, links, own) ? find_neighbour(s, links, all, a) : NULL;

		if (!other)
			continue;
		ready_found(r, UNSAFE, "unsafe: %s and %s", own->name, other->name);
		if (!is_safe(s->h, own->name, r))
			return;
		ready_found(r, SAFE, "%s", "");
		ready_reason(r, "%s", "");
	}
}

static void read_shared_subnet(const struct ready_scene *s, const struct port *port,
			       struct ready_reading *r)
{
	_link_list_ struct link_list links = { .links = NULL };
	struct addresses all;
	struct err err = { 0 };

	(void)port;
	if (!host_links(s->h, &links, &err) || !list_addresses(s->h, &all, &err)) {
		probe_failed(r, &err);
		return;
	}
	judge(s, &links, &all, r);
}

const struct ready_probe ready_shared_subnet = { READY_SHARED_SUBNET, read_shared_subnet };
