/* Guards for ports in use: the port carries a default route, or the SSH session of the user. */
#include <arpa/inet.h>
#include <libmnl/libmnl.h>
#include <linux/fib_rules.h>
#include <linux/if_addr.h>
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../agent/host/pci_functions.h"
#include "../../agent/host/route.h"
#include "../../policy/model/setting.h"
#include "../registry.h"

#define ROUTING_RULES_MAX 1024 /* some networks of containers have two for each */
#define VRFS_MAX	  8
#define DEFAULTS_MAX	  64
#define NEXT_HOPS_MAX	  4096
#define REQUEST_MAX	  256

/* A default route, or one of a VPN for half of all addresses. */
struct way_out {
	uint64_t table;
	uint32_t metric;
	unsigned bits;
	unsigned char to;	 /* the first byte */
	bool is_advertised;	 /* by a router, in IPv6: nobody on this host asked for it */
	bool is_ours;		 /* only some packets that the host's own way is not for take it */
	bool is_for_all;	 /* packets from any address may take it */
	const struct link *link; /* that it leaves by, if that is above the port; or NULL */
	const struct link *tunnel; /* that it leaves by, if the link below is unknown; or NULL */
};

/* A rule of policy routing. */
struct rule {
	uint64_t table;
	unsigned char from[ROUTE_ADDRESS_MAX];
	unsigned from_bits;
	bool has_selector; /* else it is for all packets */
	bool is_inverted;
	/* For packets from addresses of the port, of programs bound to it, or to a few addresses.
	 */
	bool is_ours;
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
	unsigned port; /* ifindex */
	struct rule rules[ROUTING_RULES_MAX];
	size_t rule_count;
	bool more_rules; /* or they are unknown */
	bool has_vrf;	 /* a rule names the table of any VRF */
	struct next_hop hops[NEXT_HOPS_MAX];
	size_t hop_count;
	bool more_hops;
	struct way_out ways[DEFAULTS_MAX];
	size_t way_count;
	unsigned char server[ROUTE_ADDRESS_MAX]; /* the address of the SSH session */
	size_t server_len;
	unsigned vrfs[VRFS_MAX]; /* ifindex of each that has this address; 0: outside */
	size_t vrf_count;
	struct route session; /* the route that the kernel chose for the SSH session */
	bool is_elsewhere;    /* none leads from its address here to its peer */
	const struct link *tunnel;
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
	return link_hidden_below(s->links, l);
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

static bool same_bits(const unsigned char *a, const unsigned char *b, unsigned bits)
{
	unsigned rest = bits % 8;

	if (memcmp(a, b, bits / 8) != 0)
		return false;
	return rest == 0 || (a[bits / 8] >> (8 - rest)) == (b[bits / 8] >> (8 - rest));
}

/*
 * The longest prefix of a default route: VPNs divide the addresses in two, so that the former route
 * stays. In IPv6 2000::/3 has all of the internet.
 */
static unsigned default_bits(int family)
{
	return family == AF_INET ? 1 : 3;
}

/* The rule that is read. */
struct rule_reading {
	struct search *s;
	struct rule *rule;
};

static bool is_port(const struct search *s, const struct nlattr *name)
{
	const struct link *l = mnl_attr_validate(name, MNL_TYPE_NUL_STRING) < 0
				       ? NULL
				       : link_by_name(s->links, mnl_attr_get_str(name));

	return l && is_above_port(s, l);
}

static bool is_loopback(const struct nlattr *name)
{
	return mnl_attr_validate(name, MNL_TYPE_NUL_STRING) == 0 &&
	       strcmp(mnl_attr_get_str(name), "lo") == 0;
}

static int read_rule(const struct nlattr *a, void *arg)
{
	struct rule_reading *r = arg;
	size_t len = mnl_attr_get_payload_len(a);

	switch (mnl_attr_get_type(a)) {
	case FRA_TABLE:
		if (mnl_attr_validate(a, MNL_TYPE_U32) == 0)
			r->rule->table |= mnl_attr_get_u32(a);
		break;
	case FRA_SRC:
		memcpy(r->rule->from, mnl_attr_get_payload(a),
		       len < ROUTE_ADDRESS_MAX ? len : ROUTE_ADDRESS_MAX);
		break;
	case FRA_L3MDEV: /* the table of any VRF */
		r->s->has_vrf = r->rule->has_selector = true;
		break;
	case FRA_IIFNAME:
		if (is_loopback(a)) /* packets of this host */
			break;
		__attribute__((fallthrough));
	case FRA_OIFNAME:
		r->rule->is_ours |= is_port(r->s, a);
		r->rule->has_selector = true;
		break;
	case FRA_DST: /* note_rule() knows its length */
	case FRA_PRIORITY:
	case FRA_GOTO:
	case FRA_FLOW:
	case FRA_FWMASK:
	case FRA_SUPPRESS_IFGROUP:
	case FRA_SUPPRESS_PREFIXLEN:
	case FRA_PROTOCOL:
	case FRA_PAD:
		break;
	default: /* a mark, a user, ports: nobody knows which packets these are */
		r->rule->has_selector = true;
		break;
	}
	return MNL_CB_OK;
}

static int note_rule(const struct nlmsghdr *n, void *arg)
{
	const struct fib_rule_hdr *m = mnl_nlmsg_get_payload(n);
	struct search *s = arg;
	struct rule_reading r = { .s = s };
	unsigned most;
	bool to_some;

	if (mnl_nlmsg_get_payload_len(n) < sizeof(*m) ||
	    (m->family != AF_INET && m->family != AF_INET6)) /* the rules of multicast, too */
		return MNL_CB_OK;
	s->more_rules |= s->rule_count == ROUTING_RULES_MAX;
	if (s->more_rules)
		return MNL_CB_OK;
	r.rule = &s->rules[s->rule_count];
	most = m->family == AF_INET ? 32 : 128;
	to_some = m->dst_len > default_bits(m->family);
	*r.rule = (struct rule){ .table = ROUTE_TABLE(m->family, 0),
				 .from_bits = m->src_len < most ? m->src_len : most,
				 .has_selector = m->src_len || to_some || m->tos,
				 .is_ours = to_some,
				 .is_inverted = m->flags & FIB_RULE_INVERT };
	mnl_attr_parse(n, sizeof(*m), read_rule, &r);
	if (r.rule->is_ours)
		r.rule->from_bits = 0; /* whatever their sources */
	r.rule->is_ours |= r.rule->from_bits;
	s->rule_count++;
	return MNL_CB_OK;
}

/* Attributes of the address that is read. */
struct address_reading {
	const unsigned char *bytes;
	size_t len;
};

static int read_address(const struct nlattr *a, void *arg)
{
	struct address_reading *r = arg;
	uint16_t type = mnl_attr_get_type(a);

	/* IFA_LOCAL is this end's. IPv6 has it only where there is another end. */
	if (type == IFA_LOCAL || (type == IFA_ADDRESS && !r->bytes))
		*r = (struct address_reading){ mnl_attr_get_payload(a),
					       mnl_attr_get_payload_len(a) };
	return MNL_CB_OK;
}

/* Reads an address of this host and its interface; false: it has none. */
static bool parse_address(const struct search *s, const struct nlmsghdr *n,
			  struct address_reading *ret, const struct link **ret_link)
{
	const struct ifaddrmsg *m = mnl_nlmsg_get_payload(n);

	*ret = (struct address_reading){ NULL, 0 };
	if (mnl_nlmsg_get_payload_len(n) < sizeof(*m))
		return false;
	mnl_attr_parse(n, sizeof(*m), read_address, ret);
	*ret_link = link_by_index(s->links, m->ifa_index);
	return ret->bytes && (ret->len == 4 || ret->len == ROUTE_ADDRESS_MAX);
}

/* A rule for packets from an address of another interface is not for the port alone. */
static int note_address(const struct nlmsghdr *n, void *arg)
{
	struct search *s = arg;
	struct address_reading address;
	const struct link *l;

	if (!parse_address(s, n, &address, &l) || (l && is_above_port(s, l)))
		return MNL_CB_OK;
	for (size_t i = 0; i < s->rule_count; i++) {
		struct rule *r = &s->rules[i];
		size_t len = r->table >> 32 == AF_INET ? 4 : ROUTE_ADDRESS_MAX;

		if (r->from_bits && len == address.len &&
		    same_bits(r->from, address.bytes, r->from_bits))
			r->is_ours = false;
	}
	return MNL_CB_OK;
}

/* Lists the rules. A kernel without policy routing has none. */
static void list_rules(struct search *s)
{
	struct err quiet = { 0 };

	if (!list_routing(s, RTM_GETRULE, sizeof(struct fib_rule_hdr), note_rule, &quiet))
		s->more_rules = true;
	if (!list_routing(s, RTM_GETADDR, sizeof(struct ifaddrmsg), note_address, &quiet))
		s->more_rules = true;
}

static bool is_of_vrf(const struct search *s, uint32_t table)
{
	for (size_t i = 0; i < s->links->count; i++)
		if (s->links->links[i].vrf_table == table)
			return true;
	return false;
}

/* Which packets take the routes of a table. False: none, as no rule names it. */
static bool judge_table(const struct search *s, uint64_t table, struct way_out *w)
{
	bool unknown = s->more_rules || (s->has_vrf && is_of_vrf(s, (uint32_t)table));
	bool named = s->more_rules || s->has_vrf;

	w->is_ours = !unknown;
	w->is_for_all = s->more_rules;
	for (size_t i = 0; i < s->rule_count; i++) {
		const struct rule *r = &s->rules[i];

		if (r->table != table)
			continue;
		named = true;
		w->is_ours &= r->is_ours && !r->is_inverted;
		w->is_for_all |= !r->has_selector || r->is_inverted;
	}
	return named;
}

/* In IPv6 e000::/3 has the addresses of the site. */
static bool is_default(const struct route *r)
{
	return r->bits <= default_bits((int)(r->table >> 32)) && r->to[0] < 0xe0;
}

static int note_default(const struct nlmsghdr *n, void *arg)
{
	struct search *s = arg;
	struct way_out w, judged;
	struct route r;

	if (!route_parse(n, &r) || r.is_dead || !is_default(&r) ||
	    !judge_table(s, r.table, &judged))
		return MNL_CB_OK;
	s->unknown_hop |= r.next_hop && !r.ifindex && !r.next_hops && !is_known_hop(s, r.next_hop);
	if (!find_hop(s, &r, is_there)) /* the links of its next hops are down */
		return MNL_CB_OK;
	w = (struct way_out){ .table = r.table,
			      .metric = r.metric,
			      .bits = r.bits,
			      .to = r.to[0],
			      .is_advertised = r.protocol == RTPROT_RA,
			      .is_ours = judged.is_ours,
			      .is_for_all = judged.is_for_all,
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
 * same table that it was given. Of those of a table the kernel takes one of the lowest metric.
 * Routed fabrics give each rail a table of its own, for packets from the rail's address. One that
 * leads into a tunnel does not count: the tunnel's own packets may take any other.
 */
static bool is_in_use(const struct search *s, const struct way_out *w)
{
	for (size_t i = 0; i < s->way_count; i++) {
		const struct way_out *other = &s->ways[i];

		if (other->tunnel)
			continue;
		if (w->is_ours && other->is_for_all)
			return false;
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
	links_without_device(h, ret);
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
				 "the default route over %s is %s: the host has another%s",
				 w->link->name, w->is_ours ? "for some packets only" : "not in use",
				 w->is_advertised ? ", and a router advertises this one" : "");
		if (w->tunnel && is_in_use(s, w))
			snprintf(why, GUARD_WHY_MAX,
				 "the default route over %s may lead through this port: the "
				 "device below %s is unknown",
				 w->tunnel->name, link_hidden_below(s->links, w->tunnel)->name);
	}
}

static bool default_route_objects(struct host *h, const struct port *port, char why[GUARD_WHY_MAX])
{
	_link_list_ struct link_list links = { .links = NULL };
	struct search s = { .h = h, .links = &links, .port = port->ifindex };
	struct err err = { 0 };

	if (!read_links(h, port, &links, &err))
		return unknown("the default route", &err, why);
	list_rules(&s);
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

/* Notes the VRF that an interface with the server's address is in: sshd answers there. */
static int note_server(const struct nlmsghdr *n, void *arg)
{
	struct search *s = arg;
	struct address_reading address;
	const struct link *l, *master;

	if (!parse_address(s, n, &address, &l) || !l || address.len != s->server_len ||
	    memcmp(address.bytes, s->server, address.len) != 0 || s->vrf_count == VRFS_MAX)
		return MNL_CB_OK;
	master = link_by_index(s->links, l->master);
	s->vrfs[s->vrf_count++] = l->vrf_table			? l->ifindex
				  : master && master->vrf_table ? master->ifindex
								: 0;
	return MNL_CB_OK;
}

/* Finds where the server's address is: outside of all VRFs, if that is unknown. */
static void list_vrfs(struct search *s, int family)
{
	struct err quiet = { 0 };

	if (inet_pton(family, s->h->session.server, s->server) == 1)
		s->server_len = family == AF_INET ? 4 : ROUTE_ADDRESS_MAX;
	if (!list_routing(s, RTM_GETADDR, sizeof(struct ifaddrmsg), note_server, &quiet) ||
	    !s->vrf_count)
		s->vrf_count = 1;
}

/* Asks which way our answers to the peer take: a rule may go by our address, or by the ports. */
static bool ask_route(struct search *s, int family, unsigned vrf, bool from_server)
{
	const struct ssh_session *ssh = &s->h->session;
	struct route_query q = { .family = (uint8_t)family,
				 .protocol = IPPROTO_TCP,
				 .from_port = ssh->server_port,
				 .to_port = ssh->peer_port,
				 .vrf = vrf };
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

static void follow_hops(struct search *s)
{
	s->found = find_hop(s, &s->session, is_above_port);
	if (!s->tunnel)
		s->tunnel = find_hop(s, &s->session, is_tunnel);
}

/* Follows the session's packets in each VRF that may have it. */
static bool follow_routes(struct search *s, int family, struct err *err)
{
	list_vrfs(s, family);
	list_next_hops(s);
	s->is_elsewhere = true;
	for (size_t i = 0; !s->found && i < s->vrf_count; i++) {
		/* An address that is not of this network namespace is refused as a source. */
		if (ask_route(s, family, s->vrfs[i], true))
			s->is_elsewhere = false;
		else if (!ask_route(s, family, s->vrfs[i], false))
			continue;
		follow_hops(s);
		if (!s->found &&
		    !list_routing(s, RTM_GETROUTE, sizeof(struct rtmsg), judge_session_route, err))
			return false;
	}
	return true;
}

static bool session_objects(struct host *h, const struct port *port, char why[GUARD_WHY_MAX])
{
	_link_list_ struct link_list links = { .links = NULL };
	struct search s = { .h = h, .links = &links, .port = port->ifindex };
	const char *peer = h->session.peer, *zone = strchr(peer, '%');
	int family = strchr(peer, ':') ? AF_INET6 : AF_INET;
	struct err err = { 0 };

	if (!peer[0])
		return false;
	if (!read_links(h, port, &links, &err))
		return unknown("this SSH session", &err, why);
	if (zone) {
		find_zone(&s, zone + 1);
		follow_hops(&s);
	} else if (!follow_routes(&s, family, &err))
		return unknown("this SSH session", &err, why);
	if (s.found)
		snprintf(why, GUARD_WHY_MAX, "this SSH session, from %s, comes through this port",
			 peer);
	else if (s.tunnel)
		snprintf(why, GUARD_WHY_MAX,
			 "this SSH session, from %s, may come through this port: the device below "
			 "%s is unknown",
			 peer, link_hidden_below(&links, s.tunnel)->name);
	else if (s.is_elsewhere)
		snprintf(why, GUARD_WHY_MAX,
			 "this SSH session, from %s, may come through this port: no route of this "
			 "network namespace leads there from %s",
			 peer, h->session.server);
	return s.found;
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
