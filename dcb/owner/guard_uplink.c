/*
 * Guards for ports in use: the port carries a default route, the SSH session of the user, or VFs
 * and SFs that others have.
 */
#include <arpa/inet.h>
#include <libmnl/libmnl.h>
#include <linux/fib_rules.h>
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../agent/host/functions.h"
#include "../../agent/host/route.h"
#include "../../policy/model/setting.h"
#include "../registry.h"

#define TABLES_MAX    64
#define DEFAULTS_MAX  64
#define NEXT_HOPS_MAX 4096
#define REQUEST_MAX   256

/* A default route, or one of a VPN for half of all addresses. */
struct way_out {
	uint64_t table;
	uint32_t metric;
	unsigned bits;
	unsigned char to;	   /* the first byte */
	bool is_advertised;	   /* by a router, in IPv6: nobody on this host asked for it */
	const struct link *link;   /* that it leaves by, if that is above the port; or NULL */
	const struct link *tunnel; /* that it leaves by, if the link below is unknown; or NULL */
};

/* An object that routes refer to: a next hop, or one row for each member of a group. */
struct next_hop {
	uint32_t id, member;
	unsigned ifindex; /* 0: its link is down */
};

/* A search for a route that leaves through a port. */
struct search {
	struct host *h;
	const struct link_list *links;
	unsigned port;		     /* ifindex */
	uint64_t tables[TABLES_MAX]; /* that a rule names */
	size_t count;
	bool every_table; /* more are named, or it is unknown which */
	struct next_hop hops[NEXT_HOPS_MAX];
	size_t hop_count;
	bool more_hops;
	struct way_out ways[DEFAULTS_MAX];
	size_t way_count;
	struct route session; /* the route that the kernel chose for the SSH session */
	const struct link *found;
	bool unknown_hop; /* a default route names an object that was not listed */
};

/* A property of an interface that a next hop leaves by. */
typedef bool hop_fn(const struct search *s, const struct link *l);

static bool is_above_port(const struct search *s, const struct link *l)
{
	return link_rests_on(s->links, l, s->port);
}

static bool is_there(const struct search *s, const struct link *l)
{
	(void)s;
	return l;
}

static bool is_tunnel(const struct search *s, const struct link *l)
{
	(void)s;
	return link_hides_lower(l);
}

static bool is_of_session(const struct search *s, const struct link *l)
{
	return l->ifindex == s->session.ifindex;
}

static const struct link *hop_link(const struct search *s, unsigned ifindex, hop_fn *suits)
{
	const struct link *l = link_by_index(s->links, ifindex);

	return l && suits(s, l) ? l : NULL;
}

/* The interface of a next hop that suits; NULL if none does. */
static const struct link *find_hop(const struct search *s, const struct route *r, hop_fn *suits)
{
	const struct rtnexthop *hop = r->next_hops ? mnl_attr_get_payload(r->next_hops) : NULL;
	int left = r->next_hops ? mnl_attr_get_payload_len(r->next_hops) : 0;
	const struct link *l = hop_link(s, r->ifindex, suits);

	while (!l && hop && left >= (int)sizeof(*hop) && RTNH_OK(hop, left)) {
		l = hop_link(s, (unsigned)hop->rtnh_ifindex, suits);
		left -= (int)RTNH_ALIGN(hop->rtnh_len);
		hop = RTNH_NEXT(hop);
	}
	for (size_t i = 0; !l && r->next_hop && i < s->hop_count; i++)
		if (s->hops[i].id == r->next_hop)
			l = hop_link(s, s->hops[i].ifindex, suits);
	return l;
}

/* Lists routes, rules or next hops, of every family; `head` is the size of their heads. */
static bool list_routing(struct search *s, uint16_t type, size_t head, reply_fn *each,
			 struct err *err)
{
	char buf[REQUEST_MAX] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);

	n->nlmsg_type = type;
	n->nlmsg_flags = NLM_F_DUMP;
	mnl_nlmsg_put_extra_header(n, head);
	return host_talk(s->h, BUS_ROUTE, n, each, s, err);
}

static void add_hop(struct search *s, const struct next_hop *hop)
{
	s->more_hops |= s->hop_count == NEXT_HOPS_MAX;
	if (!s->more_hops)
		s->hops[s->hop_count++] = *hop;
}

/* The message that is read: attributes come in the order of their numbers, the id first. */
struct hop_reading {
	struct search *s;
	struct next_hop hop;
	bool is_dead;
};

static int read_next_hop(const struct nlattr *a, void *arg)
{
	struct hop_reading *r = arg;
	const struct nexthop_grp *g = mnl_attr_get_payload(a);

	if (mnl_attr_get_type(a) == NHA_ID && mnl_attr_validate(a, MNL_TYPE_U32) == 0)
		r->hop.id = mnl_attr_get_u32(a);
	if (mnl_attr_get_type(a) == NHA_OIF && mnl_attr_validate(a, MNL_TYPE_U32) == 0 &&
	    !r->is_dead)
		r->hop.ifindex = mnl_attr_get_u32(a);
	for (size_t i = 0; mnl_attr_get_type(a) == NHA_GROUP &&
			   (i + 1) * sizeof(*g) <= mnl_attr_get_payload_len(a);
	     i++)
		add_hop(r->s, &(struct next_hop){ .id = r->hop.id, .member = g[i].id });
	return MNL_CB_OK;
}

static int note_next_hop(const struct nlmsghdr *n, void *arg)
{
	const struct nhmsg *m = mnl_nlmsg_get_payload(n);
	struct hop_reading r = { .s = arg };

	if (mnl_nlmsg_get_payload_len(n) < sizeof(*m))
		return MNL_CB_OK;
	r.is_dead = m->nh_flags & (RTNH_F_DEAD | RTNH_F_LINKDOWN);
	mnl_attr_parse(n, sizeof(*m), read_next_hop, &r);
	add_hop(r.s, &r.hop);
	return MNL_CB_OK;
}

/* Finds the interfaces of groups, which have none but those of their members. */
static void list_next_hops(struct search *s)
{
	struct err quiet = { 0 };

	if (!list_routing(s, RTM_GETNEXTHOP, sizeof(struct nhmsg), note_next_hop, &quiet))
		s->hop_count = 0; /* a kernel without these objects */
	for (size_t g = 0; g < s->hop_count; g++)
		for (size_t i = 0; s->hops[g].member && i < s->hop_count; i++)
			if (s->hops[i].id == s->hops[g].member && !s->hops[i].member)
				s->hops[g].ifindex = s->hops[i].ifindex;
}

static bool is_known_hop(const struct search *s, uint32_t id)
{
	for (size_t i = 0; i < s->hop_count; i++)
		if (s->hops[i].id == id)
			return !s->more_hops; /* else it may be a group with more members */
	return false;
}

static int read_rule(const struct nlattr *a, void *arg)
{
	struct search *s = arg;

	if (mnl_attr_get_type(a) == FRA_TABLE && mnl_attr_validate(a, MNL_TYPE_U32) == 0)
		s->tables[s->count] |= mnl_attr_get_u32(a);
	if (mnl_attr_get_type(a) == FRA_L3MDEV) /* the table of any VRF */
		s->every_table = true;
	return MNL_CB_OK;
}

static int note_rule(const struct nlmsghdr *n, void *arg)
{
	const struct fib_rule_hdr *m = mnl_nlmsg_get_payload(n);
	struct search *s = arg;

	if (mnl_nlmsg_get_payload_len(n) < sizeof(*m) ||
	    (m->family != AF_INET && m->family != AF_INET6)) /* the rules of multicast, too */
		return MNL_CB_OK;
	s->every_table |= s->count == TABLES_MAX;
	if (s->every_table)
		return MNL_CB_OK;
	s->tables[s->count] = ROUTE_TABLE(m->family, 0);
	mnl_attr_parse(n, sizeof(*m), read_rule, s);
	s->count++;
	return MNL_CB_OK;
}

static bool is_named(const struct search *s, uint64_t table)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->tables[i] == table)
			return true;
	return s->every_table;
}

/*
 * VPNs divide the addresses in two, so that the former route stays. In IPv6 2000::/3 has all of the
 * internet, and e000::/3 those of the site.
 */
static bool is_default(const struct route *r)
{
	return r->bits <= (r->table >> 32 == AF_INET ? 1 : 3) && r->to[0] < 0xe0;
}

static int note_default(const struct nlmsghdr *n, void *arg)
{
	struct search *s = arg;
	struct way_out w;
	struct route r;

	if (!route_parse(n, &r) || r.is_dead || !is_default(&r) || !is_named(s, r.table))
		return MNL_CB_OK;
	s->unknown_hop |= r.next_hop && !r.ifindex && !r.next_hops && !is_known_hop(s, r.next_hop);
	if (!find_hop(s, &r, is_there)) /* the links of its next hops are down */
		return MNL_CB_OK;
	w = (struct way_out){ .table = r.table,
			      .metric = r.metric,
			      .bits = r.bits,
			      .to = r.to[0],
			      .is_advertised = r.protocol == RTPROT_RA,
			      .link = find_hop(s, &r, is_above_port),
			      .tunnel = find_hop(s, &r, is_tunnel) };
	if (s->way_count < DEFAULTS_MAX)
		s->ways[s->way_count++] = w;
	else if (w.link)
		s->found = w.link;
	return MNL_CB_OK;
}

/*
 * Fabrics advertise a default route on every rail, which a host does not use if it has one in the
 * same table that it was given. Of those of a table the kernel takes one of the lowest metric. One
 * that leads into a tunnel does not count: the tunnel's own packets may take any other.
 */
static bool is_in_use(const struct search *s, const struct way_out *w)
{
	for (size_t i = 0; i < s->way_count; i++) {
		const struct way_out *other = &s->ways[i];

		if (other->tunnel)
			continue;
		if (w->is_advertised && !other->is_advertised &&
		    (uint32_t)w->table == (uint32_t)other->table)
			return false;
		if (w->is_advertised == other->is_advertised && w->table == other->table &&
		    w->bits == other->bits && w->to == other->to && other->metric < w->metric)
			return false;
	}
	return true;
}

static bool read_links(struct host *h, const struct port *port, struct link_list *ret,
		       struct err *err)
{
	if (!host_links(h, ret, err))
		return false;
	links_under_functions(h, port, ret);
	route_under_tunnels(h, ret);
	return true;
}

/* Routes or links that cannot be listed may lead through the port. */
static bool unknown(const char *what, const struct err *err, char why[GUARD_WHY_MAX])
{
	snprintf(why, GUARD_WHY_MAX, "whether this port carries %s is unknown: %.160s", what,
		 err->text);
	return true;
}

static void note_unused(const struct search *s, char why[GUARD_WHY_MAX])
{
	for (size_t i = 0; i < s->way_count; i++) {
		const struct way_out *w = &s->ways[i];

		if (w->link && !why[0])
			snprintf(why, GUARD_WHY_MAX,
				 "the default route over %s is not in use: the host has another",
				 w->link->name);
		if (w->tunnel && is_in_use(s, w))
			snprintf(why, GUARD_WHY_MAX,
				 "the default route over %s may lead through this port: the "
				 "device below %s is unknown",
				 w->tunnel->name, w->tunnel->name);
	}
}

static bool default_route_objects(struct host *h, const struct port *port, char why[GUARD_WHY_MAX])
{
	_link_list_ struct link_list links = { .links = NULL };
	struct search s = { .h = h, .links = &links, .port = port->ifindex };
	struct err err = { 0 }, quiet = { 0 };

	if (!read_links(h, port, &links, &err))
		return unknown("the default route", &err, why);
	/* A kernel without policy routing has no rules to list. */
	if (!list_routing(&s, RTM_GETRULE, sizeof(struct fib_rule_hdr), note_rule, &quiet))
		s.every_table = true;
	list_next_hops(&s);
	if (!list_routing(&s, RTM_GETROUTE, sizeof(struct rtmsg), note_default, &err))
		return unknown("the default route", &err, why);
	for (size_t i = 0; !s.found && i < s.way_count; i++)
		if (is_in_use(&s, &s.ways[i]))
			s.found = s.ways[i].link;
	if (s.found)
		snprintf(why, GUARD_WHY_MAX, "this port carries the default route (%s)",
			 s.found->name);
	else if (s.unknown_hop)
		snprintf(why, GUARD_WHY_MAX,
			 "whether this port carries the default route is unknown: so is its next "
			 "hop");
	else
		note_unused(&s, why);
	return s.found || s.unknown_hop;
}

static bool same_bits(const unsigned char *a, const unsigned char *b, unsigned bits)
{
	unsigned rest = bits % 8;

	if (memcmp(a, b, bits / 8) != 0)
		return false;
	return rest == 0 || (a[bits / 8] >> (8 - rest)) == (b[bits / 8] >> (8 - rest));
}

/* Asks which way our answers to the peer take: a rule may go by our address, or by the ports. */
static bool ask_route(struct search *s, int family, bool from_server)
{
	const struct ssh_session *ssh = &s->h->session;
	struct route_query q = { .family = (uint8_t)family,
				 .protocol = IPPROTO_TCP,
				 .from_port = ssh->server_port,
				 .to_port = ssh->peer_port };
	struct err quiet = { 0 };

	if (inet_pton(family, ssh->peer, q.to) != 1)
		return false;
	q.has_from = from_server && inet_pton(family, ssh->server, q.from) == 1;
	return host_route(s->h, &q, &s->session, &quiet);
}

/* The session's packets may leave, and arrive, through any next hop of the route chosen for it. */
static int judge_session_route(const struct nlmsghdr *n, void *arg)
{
	struct search *s = arg;
	struct route r;

	if (!s->found && route_parse(n, &r) && r.table == s->session.table &&
	    same_bits(r.to, s->session.to, r.bits) && find_hop(s, &r, is_of_session))
		s->found = find_hop(s, &r, is_above_port);
	return MNL_CB_OK;
}

/* sshd names the interface of a link-local peer, or its number: "fe80::1%ens1f0np0". */
static void find_zone(struct search *s, const char *zone)
{
	const struct link *l = link_by_name(s->links, zone);

	s->session.ifindex = l ? l->ifindex : (unsigned)strtoul(zone, NULL, 10);
}

static bool session_objects(struct host *h, const struct port *port, char why[GUARD_WHY_MAX])
{
	_link_list_ struct link_list links = { .links = NULL };
	struct search s = { .h = h, .links = &links, .port = port->ifindex };
	const char *peer = h->session.peer, *zone = strchr(peer, '%');
	int family = strchr(peer, ':') ? AF_INET6 : AF_INET;
	const struct link *tunnel;
	struct err err = { 0 };

	/* An address that is not of this network namespace is refused as a source. */
	if (!zone && !ask_route(&s, family, true) && !ask_route(&s, family, false))
		return false;
	if (!read_links(h, port, &links, &err))
		return unknown("this SSH session", &err, why);
	if (zone)
		find_zone(&s, zone + 1);
	s.found = find_hop(&s, &s.session, is_above_port);
	if (!s.found && !zone) {
		list_next_hops(&s);
		if (!list_routing(&s, RTM_GETROUTE, sizeof(struct rtmsg), judge_session_route,
				  &err))
			return unknown("this SSH session", &err, why);
	}
	tunnel = find_hop(&s, &s.session, is_tunnel);
	if (s.found)
		snprintf(why, GUARD_WHY_MAX, "this SSH session, from %s, comes through this port",
			 peer);
	else if (tunnel)
		snprintf(why, GUARD_WHY_MAX,
			 "this SSH session, from %s, may come through this port: the device below "
			 "%s is unknown",
			 peer, tunnel->name);
	return s.found;
}

/* Traffic that cannot be seen may be there. */
static bool functions_object(struct host *h, const struct port *port, char why[GUARD_WHY_MAX])
{
	struct functions_elsewhere f;
	struct err err = { 0 };
	char more[32] = "";

	if (!functions_elsewhere(h, port, &f, &err)) {
		snprintf(why, GUARD_WHY_MAX, "the VFs and SFs of this port are unknown: %.160s",
			 err.text);
		return true;
	}
	if (f.count > 1)
		snprintf(more, sizeof(more), ", and %u more", f.count - 1);
	if (f.count)
		snprintf(why, GUARD_WHY_MAX,
			 "a virtual machine or container has the VF or SF %s (%s) of this "
			 "port%s: it may carry traffic",
			 f.first, f.driver, more);
	return f.count;
}

#define DISRUPTIVE \
	.over = EVERY_SETTING, .from = DISRUPTS_LINK, .overridden_by = ALLOW_DISRUPTION, \
	.fix = "connect over another port, or use --allow-disruption if the link may be down for " \
	       "some seconds"

const struct guard guard_default_route = {
	.name = "default-route",
	.objects = default_route_objects,
	DISRUPTIVE,
};

const struct guard guard_session = {
	.name = "session",
	.objects = session_objects,
	DISRUPTIVE,
};

const struct guard guard_functions = {
	.name = "functions",
	.over = EVERY_SETTING,
	.from = DISRUPTS_LINK,
	.overridden_by = ALLOW_DISRUPTION,
	.objects = functions_object,
	.fix = "stop what uses them, or use --allow-disruption if the link may be down for some "
	       "seconds",
};
