/*
 * Guards for ports in use: the port carries a default route, the SSH session of the user, or VFs
 * and SFs that others have.
 */
#include <arpa/inet.h>
#include <libmnl/libmnl.h>
#include <linux/fib_rules.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/functions.h"
#include "../../agent/host/route.h"
#include "../../policy/model/setting.h"
#include "../registry.h"

#define TABLES_MAX   64
#define DEFAULTS_MAX 64
#define REQUEST_MAX  256

/* A default route. */
struct way_out {
	uint64_t table;
	uint32_t metric;
	bool is_advertised;	 /* by a router, in IPv6: nobody on this host asked for it */
	const struct link *link; /* that it leaves by, if that is above the port; or NULL */
};

/* A search for a route that leaves through a port. */
struct search {
	struct host *h;
	const struct link_list *links;
	unsigned port;		     /* ifindex */
	uint64_t tables[TABLES_MAX]; /* that a rule names */
	size_t count;
	bool every_table; /* more are named, or it is unknown which */
	struct way_out ways[DEFAULTS_MAX];
	size_t way_count;
	struct route session; /* the route that the kernel chose for the SSH session */
	const struct link *found;
};

/* The interface of a next hop that leaves through `port`; NULL if none does. */
static const struct link *leaves_through(const struct search *s, const struct route *r,
					 unsigned port)
{
	const struct rtnexthop *hop = r->next_hops ? mnl_attr_get_payload(r->next_hops) : NULL;
	int left = r->next_hops ? mnl_attr_get_payload_len(r->next_hops) : 0;
	const struct link *link = link_by_index(s->links, r->ifindex);

	while (!link_rests_on(s->links, link, port)) {
		if (left < (int)sizeof(*hop) || !RTNH_OK(hop, left))
			return NULL;
		link = link_by_index(s->links, (unsigned)hop->rtnh_ifindex);
		left -= (int)RTNH_ALIGN(hop->rtnh_len);
		hop = RTNH_NEXT(hop);
	}
	return link;
}

/* Lists routes or rules, of every family; their heads are of one size. */
static bool list_routing(struct search *s, uint16_t type, reply_fn *each, struct err *err)
{
	char buf[REQUEST_MAX] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);

	n->nlmsg_type = type;
	n->nlmsg_flags = NLM_F_DUMP;
	mnl_nlmsg_put_extra_header(n, sizeof(struct rtmsg));
	return host_talk(s->h, BUS_ROUTE, n, each, s, err);
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

static int note_default(const struct nlmsghdr *n, void *arg)
{
	struct search *s = arg;
	struct way_out w;
	struct route r;

	if (!route_parse(n, &r) || r.bits || r.is_dead || !is_named(s, r.table))
		return MNL_CB_OK;
	w = (struct way_out){ .table = r.table,
			      .metric = r.metric,
			      .is_advertised = r.protocol == RTPROT_RA,
			      .link = leaves_through(s, &r, s->port) };
	if (s->way_count < DEFAULTS_MAX)
		s->ways[s->way_count++] = w;
	else if (w.link)
		s->found = w.link;
	return MNL_CB_OK;
}

/*
 * Fabrics advertise a default route on every rail, which a host does not use if it has one that it
 * was given. Of those of a table the kernel takes one of the lowest metric.
 */
static bool is_in_use(const struct search *s, const struct way_out *w)
{
	for (size_t i = 0; i < s->way_count; i++) {
		const struct way_out *other = &s->ways[i];

		if (w->is_advertised && !other->is_advertised)
			return false;
		if (w->is_advertised == other->is_advertised && w->table == other->table &&
		    other->metric < w->metric)
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

static bool default_route_objects(struct host *h, const struct port *port, char why[GUARD_WHY_MAX])
{
	_link_list_ struct link_list links = { .links = NULL };
	struct search s = { .h = h, .links = &links, .port = port->ifindex };
	struct err err = { 0 }, quiet = { 0 };

	if (!read_links(h, port, &links, &err))
		return unknown("the default route", &err, why);
	/* A kernel without policy routing has no rules to list. */
	if (!list_routing(&s, RTM_GETRULE, note_rule, &quiet))
		s.every_table = true;
	if (!list_routing(&s, RTM_GETROUTE, note_default, &err))
		return unknown("the default route", &err, why);
	for (size_t i = 0; !s.found && i < s.way_count; i++)
		if (is_in_use(&s, &s.ways[i]))
			s.found = s.ways[i].link;
	if (s.found)
		snprintf(why, GUARD_WHY_MAX, "this port carries the default route (%s)",
			 s.found->name);
	for (size_t i = 0; !s.found && i < s.way_count; i++)
		if (s.ways[i].link)
			snprintf(why, GUARD_WHY_MAX,
				 "the default route over %s is not in use: the host has another",
				 s.ways[i].link->name);
	return s.found;
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
	    same_bits(r.to, s->session.to, r.bits) && leaves_through(s, &r, s->session.ifindex))
		s->found = leaves_through(s, &r, s->port);
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
	struct err err = { 0 };

	/* An address that is not of this network namespace is refused as a source. */
	if (!zone && !ask_route(&s, family, true) && !ask_route(&s, family, false))
		return false;
	if (!read_links(h, port, &links, &err))
		return unknown("this SSH session", &err, why);
	if (zone)
		find_zone(&s, zone + 1);
	s.found = leaves_through(&s, &s.session, s.port);
	if (!s.found && !zone && !list_routing(&s, RTM_GETROUTE, judge_session_route, &err))
		return unknown("this SSH session", &err, why);
	if (!s.found)
		return false;
	snprintf(why, GUARD_WHY_MAX, "this SSH session, from %s, comes through this port", peer);
	return true;
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
	.over = EVERY_SETTING, .from = DISRUPTS_LINK, .may_override = true, \
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
	.may_override = true,
	.objects = functions_object,
	.fix = "stop what uses them, or use --allow-disruption if the link may be down for some "
	       "seconds",
};
