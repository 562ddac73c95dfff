#include "route.h"

#include <arpa/inet.h>
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <string.h>

#define REQUEST_MAX 256

static int read_attribute(const struct nlattr *a, void *arg)
{
	struct route *r = arg;
	size_t len = mnl_attr_get_payload_len(a);

	if (mnl_attr_get_type(a) == RTA_TABLE && mnl_attr_validate(a, MNL_TYPE_U32) == 0)
		r->table = ROUTE_TABLE(r->table >> 32, mnl_attr_get_u32(a));
	if (mnl_attr_get_type(a) == RTA_OIF && mnl_attr_validate(a, MNL_TYPE_U32) == 0)
		r->ifindex = mnl_attr_get_u32(a);
	if (mnl_attr_get_type(a) == RTA_NH_ID && mnl_attr_validate(a, MNL_TYPE_U32) == 0)
		r->next_hop = mnl_attr_get_u32(a);
	if (mnl_attr_get_type(a) == RTA_PRIORITY && mnl_attr_validate(a, MNL_TYPE_U32) == 0)
		r->metric = mnl_attr_get_u32(a);
	if (mnl_attr_get_type(a) == RTA_DST)
		memcpy(r->to, mnl_attr_get_payload(a),
		       len < ROUTE_ADDRESS_MAX ? len : ROUTE_ADDRESS_MAX);
	if (mnl_attr_get_type(a) == RTA_MULTIPATH)
		r->next_hops = a;
	return MNL_CB_OK;
}

bool route_parse(const struct nlmsghdr *n, struct route *ret)
{
	const struct rtmsg *m = mnl_nlmsg_get_payload(n);

	if (mnl_nlmsg_get_payload_len(n) < sizeof(*m) || m->rtm_dst_len > 8 * ROUTE_ADDRESS_MAX ||
	    (m->rtm_family != AF_INET && m->rtm_family != AF_INET6))
		return false;
	*ret = (struct route){ .table = ROUTE_TABLE(m->rtm_family, m->rtm_table),
			       .bits = m->rtm_dst_len,
			       .protocol = m->rtm_protocol,
			       .is_dead = m->rtm_type != RTN_UNICAST ||
					  m->rtm_flags & (RTNH_F_DEAD | RTNH_F_LINKDOWN) };
	return mnl_attr_parse(n, sizeof(*m), read_attribute, ret) >= 0;
}

static int read_answer(const struct nlmsghdr *n, void *arg)
{
	struct route *r = arg;
	bool ok = route_parse(n, r);

	r->next_hops = NULL; /* the message does not outlast this call */
	return ok ? MNL_CB_OK : MNL_CB_ERROR;
}

bool host_route(struct host *h, const struct route_query *q, struct route *ret, struct err *err)
{
	char buf[REQUEST_MAX] __attribute__((aligned(NLMSG_ALIGNTO))) = { 0 };
	size_t len = q->family == AF_INET ? 4 : ROUTE_ADDRESS_MAX;
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	struct rtmsg *m = mnl_nlmsg_put_extra_header(n, sizeof(*m));

	n->nlmsg_type = RTM_GETROUTE;
	*m = (struct rtmsg){ .rtm_family = q->family,
			     .rtm_dst_len = (uint8_t)(8 * len),
			     .rtm_flags = RTM_F_LOOKUP_TABLE };
	mnl_attr_put(n, RTA_DST, len, q->to);
	if (q->vrf)
		mnl_attr_put_u32(n, RTA_OIF, q->vrf);
	if (q->has_from)
		mnl_attr_put(n, RTA_SRC, len, q->from);
	if (q->protocol) {
		mnl_attr_put_u8(n, RTA_IP_PROTO, q->protocol);
		mnl_attr_put_u16(n, RTA_SPORT, htons(q->from_port));
		mnl_attr_put_u16(n, RTA_DPORT, htons(q->to_port));
	}
	return host_talk(h, BUS_ROUTE, n, read_answer, ret, err);
}

void route_under_tunnels(struct host *h, struct link_list *links)
{
	for (size_t i = 0; i < links->count; i++) {
		struct link *l = &links->links[i];
		struct route_query q = { .family = l->remote_family };
		struct err quiet = { 0 };
		struct route r;

		if (l->lower || !l->remote_family)
			continue;
		memcpy(q.to, l->remote, sizeof(q.to));
		memcpy(q.from, l->local, sizeof(q.from)); /* a rule may go by it */
		q.has_from = l->local_family == q.family;
		if (!host_route(h, &q, &r, &quiet)) {
			q.has_from = false; /* an address that this host lacks now */
			r.ifindex = host_route(h, &q, &r, &quiet) ? r.ifindex : 0;
		}
		l->lower = r.ifindex;
	}
}
