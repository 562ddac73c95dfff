/*
 * Links, VLANs, MTUs and routes. libnl-route builds and reads the messages of the first three,
 * netlink.c exchanges them. No other file may use libnl.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fnmatch.h>
#include <net/if_arp.h>
#include <net/if.h> /* before linux/if.h, which leaves out what this has */
#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/if_tunnel.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/route/link.h>
#include <netlink/route/link/vlan.h>
#include <netlink/route/link/vrf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../policy/util/oom.h"
#include "host_linux.h"
#include "route.h"

#define LINKS_STEP 64
#define MQPRIO	   "mqprio"
#define TRIES	   8

/* The links of a reply. */
struct reply {
	struct link_list list;
	size_t room;
	bool out_of_memory;
	bool interrupted; /* links changed during a dump, which may lack some */
};

/* Keeps the kind and the code, and says what failed. */
static bool failed(const char *doing, const struct err *why, struct err *err)
{
	return err_set(err, why->kind, why->code, "%s: %s", doing, why->text);
}

static bool make_room(struct reply *r)
{
	struct link *more;

	if (r->list.count < r->room)
		return true;
	more = realloc(r->list.links, (r->room + LINKS_STEP) * sizeof(*more));
	if (!more)
		return false;
	r->list.links = more;
	r->room += LINKS_STEP;
	return true;
}

static void read_vlan(struct link *out, struct rtnl_link *from)
{
	int count = 0;
	const struct vlan_map *map = rtnl_link_vlan_get_egress_map(from, &count);
	int id = rtnl_link_vlan_get_id(from);

	out->is_vlan = true;
	out->vlan_id = (uint16_t)(id > 0 ? id : 0);
	for (int i = 0; map && i < count; i++)
		if (map[i].vm_from < PRIOS)
			out->pcp[map[i].vm_from] = map[i].vm_to & 7;
}

static bool has_frames(unsigned type)
{
	return type == ARPHRD_ETHER || type == ARPHRD_INFINIBAND || type == ARPHRD_LOOPBACK;
}

static void link_from_rtnl(struct link *out, struct rtnl_link *from)
{
	struct nl_addr *mac = rtnl_link_get_addr(from);
	const char *name = rtnl_link_get_name(from), *type = rtnl_link_get_type(from);
	const char *port_name = rtnl_link_get_phys_port_name(from);
	const char *qdisc = rtnl_link_get_qdisc(from);
	const struct nl_data *switch_id = rtnl_link_get_phys_switch_id(from);
	int32_t elsewhere;

	*out = (struct link){
		.ifindex = (unsigned)rtnl_link_get_ifindex(from),
		.master = (unsigned)rtnl_link_get_master(from),
		.mtu = rtnl_link_get_mtu(from),
		.up = rtnl_link_get_flags(from) & IFF_UP,
		.carrier = rtnl_link_get_carrier(from),
		.is_bond = type && strcmp(type, "bond") == 0,
		.is_tunnel = !has_frames(rtnl_link_get_arptype(from)),
		.has_no_kind = !type && rtnl_link_get_arptype(from) == ARPHRD_ETHER,
		.is_openvswitch = type && strcmp(type, "openvswitch") == 0,
		.has_mqprio = qdisc && strcmp(qdisc, MQPRIO) == 0,
	};
	snprintf(out->name, sizeof(out->name), "%s", name ? name : "");
	snprintf(out->port_name, sizeof(out->port_name), "%s", port_name ? port_name : "");
	if (switch_id && nl_data_get_size(switch_id) <= sizeof(out->switch_id))
		memcpy(out->switch_id, nl_data_get(switch_id), nl_data_get_size(switch_id));
	if (mac)
		nl_addr2str(mac, out->mac, sizeof(out->mac));
	rtnl_link_get_carrier_changes(from, &out->carrier_changes);
	/* With the number of a network namespace, the index is of that one. */
	if (rtnl_link_get_link_netnsid(from, &elsewhere) != 0)
		out->lower = (unsigned)rtnl_link_get_link(from);
	else /* beside a port in a bridge it is the end of a container */
		out->is_tunnel |= !out->master;
	if (rtnl_link_is_vlan(from))
		read_vlan(out, from);
	if (rtnl_link_is_vrf(from))
		(void)rtnl_link_vrf_get_tableid(from, &out->vrf_table);
}

static void note_link(struct nl_object *from, void *arg)
{
	struct reply *r = arg;

	r->out_of_memory = r->out_of_memory || !make_room(r);
	if (!r->out_of_memory)
		link_from_rtnl(&r->list.links[r->list.count++], (struct rtnl_link *)from);
}

/*
 * The attributes in which a tunnel names its two ends, by one of either family, or a device the
 * links below that IFLA_LINK lacks.
 */
static const struct tunnel {
	const char *kind; /* a pattern */
	uint16_t remote[2], local[2], below[2];
} tunnels[] = {
	{ "vxlan",
	  { IFLA_VXLAN_GROUP, IFLA_VXLAN_GROUP6 },
	  { IFLA_VXLAN_LOCAL, IFLA_VXLAN_LOCAL6 },
	  { IFLA_VXLAN_LINK } },
	{ "hsr", { 0 }, { 0 }, { IFLA_HSR_SLAVE1, IFLA_HSR_SLAVE2 } },
	{ "geneve", { IFLA_GENEVE_REMOTE, IFLA_GENEVE_REMOTE6 }, { 0 }, { 0 } },
	{ "*gre*", { IFLA_GRE_REMOTE }, { IFLA_GRE_LOCAL }, { 0 } },
	{ "*erspan", { IFLA_GRE_REMOTE }, { IFLA_GRE_LOCAL }, { 0 } },
	{ "ipip", { IFLA_IPTUN_REMOTE }, { IFLA_IPTUN_LOCAL }, { 0 } },
	{ "sit", { IFLA_IPTUN_REMOTE }, { IFLA_IPTUN_LOCAL }, { 0 } },
	{ "ip6tnl", { IFLA_IPTUN_REMOTE }, { IFLA_IPTUN_LOCAL }, { 0 } },
	{ "vti*", { IFLA_VTI_REMOTE }, { IFLA_VTI_LOCAL }, { 0 } },
};

/* Reads an address; an empty one says that there is none, or several. */
static void read_tunnel_end(uint8_t *ret_family, uint8_t ret[LINK_REMOTE_MAX],
			    const struct nlattr *a)
{
	static const uint8_t none[LINK_REMOTE_MAX];
	size_t len = mnl_attr_get_payload_len(a);

	if ((len != 4 && len != LINK_REMOTE_MAX) || memcmp(mnl_attr_get_payload(a), none, len) == 0)
		return;
	*ret_family = len == 4 ? AF_INET : AF_INET6;
	memcpy(ret, mnl_attr_get_payload(a), len);
}

/* The link that IFLA_LINKINFO is of, and its row: IFLA_INFO_KIND comes before IFLA_INFO_DATA. */
struct tunnel_reading {
	struct link *link;
	const struct tunnel *tunnel; /* NULL: no tunnel */
};

static int read_end(const struct nlattr *a, void *arg)
{
	struct tunnel_reading *r = arg;
	uint16_t type = mnl_attr_get_type(a);

	if (!type)
		return MNL_CB_OK;
	if (type == r->tunnel->remote[0] || type == r->tunnel->remote[1])
		read_tunnel_end(&r->link->remote_family, r->link->remote, a);
	else if (type == r->tunnel->local[0] || type == r->tunnel->local[1])
		read_tunnel_end(&r->link->local_family, r->link->local, a);
	else if (type == r->tunnel->below[0] && mnl_attr_validate(a, MNL_TYPE_U32) == 0)
		r->link->lower = mnl_attr_get_u32(a);
	else if (type == r->tunnel->below[1] && mnl_attr_validate(a, MNL_TYPE_U32) == 0)
		r->link->second_lower = mnl_attr_get_u32(a);
	return MNL_CB_OK;
}

static const struct tunnel *tunnel_of_kind(const char *kind)
{
	for (size_t i = 0; i < sizeof(tunnels) / sizeof(tunnels[0]); i++)
		if (fnmatch(tunnels[i].kind, kind, 0) == 0)
			return &tunnels[i];
	return NULL;
}

static int read_tunnel(const struct nlattr *a, void *arg)
{
	struct tunnel_reading *r = arg;

	if (mnl_attr_get_type(a) == IFLA_INFO_KIND &&
	    mnl_attr_validate(a, MNL_TYPE_NUL_STRING) == 0)
		r->tunnel = tunnel_of_kind(mnl_attr_get_str(a));
	r->link->is_tunnel |= r->tunnel && r->tunnel->remote[0];
	if (mnl_attr_get_type(a) == IFLA_INFO_DATA && r->tunnel)
		mnl_attr_parse_nested(a, read_end, r);
	return MNL_CB_OK;
}

static int read_alt_name(const struct nlattr *a, void *arg)
{
	struct link *l = arg;

	if (mnl_attr_get_type(a) == IFLA_ALT_IFNAME &&
	    mnl_attr_validate(a, MNL_TYPE_NUL_STRING) == 0)
		alt_names_add(&l->alt_names, mnl_attr_get_str(a));
	return MNL_CB_OK;
}

/* libnl-route does not read these, or not for each kind. */
static int parse_more(const struct nlattr *a, void *arg)
{
	struct link *l = arg;
	struct tunnel_reading tunnel = { .link = l };

	if (mnl_attr_get_type(a) == IFLA_MAX_MTU && mnl_attr_validate(a, MNL_TYPE_U32) == 0)
		l->max_mtu = mnl_attr_get_u32(a);
	if (mnl_attr_get_type(a) == IFLA_MIN_MTU && mnl_attr_validate(a, MNL_TYPE_U32) == 0)
		l->min_mtu = mnl_attr_get_u32(a);
	if (mnl_attr_get_type(a) == IFLA_PROP_LIST)
		mnl_attr_parse_nested(a, read_alt_name, l);
	if (mnl_attr_get_type(a) == IFLA_LINKINFO)
		mnl_attr_parse_nested(a, read_tunnel, &tunnel);
	return MNL_CB_OK;
}

static int each_link(const struct nlmsghdr *reply, void *arg)
{
	struct reply *r = arg;
	size_t before = r->list.count;
	struct nl_msg *m;
	int code;

	if (reply->nlmsg_type != RTM_NEWLINK)
		return MNL_CB_ERROR;
	m = nlmsg_convert((struct nlmsghdr *)reply); /* copies it */
	r->out_of_memory = r->out_of_memory || !m;
	if (!m)
		return MNL_CB_OK;
	r->interrupted = r->interrupted || (reply->nlmsg_flags & NLM_F_DUMP_INTR);
	nlmsg_set_proto(m, NETLINK_ROUTE);
	code = nl_msg_parse(m, note_link, r);
	nlmsg_free(m);
	if (code < 0 || r->list.count == before)
		return code < 0 ? MNL_CB_ERROR : MNL_CB_OK;
	return mnl_attr_parse(reply, sizeof(struct ifinfomsg), parse_more, &r->list.links[before]);
}

#define LINK_REQUEST \
	(NLMSG_SPACE(sizeof(struct ifinfomsg)) + NLA_ALIGN(NLA_HDRLEN + sizeof(uint32_t)))

/* A request for one link, or for all if `ifindex` is 0, with RTEXT_FILTER_*. */
static struct nlmsghdr *link_request(char room[LINK_REQUEST], unsigned ifindex, uint32_t filter)
{
	struct nlmsghdr *n = mnl_nlmsg_put_header(room);
	struct ifinfomsg *link = mnl_nlmsg_put_extra_header(n, sizeof(*link));

	n->nlmsg_type = RTM_GETLINK;
	n->nlmsg_flags = ifindex ? 0 : NLM_F_DUMP;
	link->ifi_index = (int)ifindex;
	mnl_attr_put_u32(n, IFLA_EXT_MASK, filter);
	return n;
}

/* Asks for one link, or for all if `ifindex` is 0; without statistics and VFs. */
static bool ask(struct host *h, unsigned ifindex, struct reply *ret, struct err *err)
{
	const char *doing = ifindex ? "read the link" : "list the links";
	struct err why = { 0 };
	char room[LINK_REQUEST] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n = link_request(room, ifindex, RTEXT_FILTER_SKIP_STATS);

	ret->list.count = 0;
	ret->interrupted = false;
	if (!host_talk(h, BUS_ROUTE, n, each_link, ret, &why))
		return failed(doing, &why, err);
	return !ret->out_of_memory || err_no_memory(err);
}

bool host_linux_links(struct host *h, struct link_list *ret, struct err *err)
{
	struct reply r = { .interrupted = true };
	bool ok = true;

	for (int i = 0; ok && r.interrupted && i < TRIES; i++)
		ok = ask(h, 0, &r, err);
	if (ok && r.interrupted)
		ok = err_set(err, ERR_UNKNOWN, EAGAIN, "list the links: they keep changing");
	*ret = r.list;
	if (!ok)
		link_list_free(ret);
	return ok;
}

bool host_linux_link(struct host *h, unsigned ifindex, struct link *ret, struct err *err)
{
	struct reply r = { .room = 0 };
	bool ok = ask(h, ifindex, &r, err);

	if (ok && r.list.count)
		*ret = r.list.links[0];
	else if (ok)
		ok = err_set(err, ERR_GONE, ENODEV, "read the link: %s", strerror(ENODEV));
	link_list_free(&r.list);
	return ok;
}

/*
 * Takes `change`; NULL fails for lack of memory. rtnl_link_change() would try a refused change of a
 * VLAN once more as RTM_SETLINK, which ignores the change and succeeds.
 */
static bool change_link(struct host *h, unsigned ifindex, struct rtnl_link *change,
			const char *doing, struct err *err)
{
	struct rtnl_link *which = rtnl_link_alloc();
	struct nl_msg *m = NULL;
	struct err why = { 0 };
	bool ok = which && change;

	if (ok) {
		rtnl_link_set_ifindex(which, (int)ifindex);
		ok = rtnl_link_build_change_request(which, change, 0, &m) == 0;
	}
	ok = ok ? h->talk(h, BUS_ROUTE, nlmsg_hdr(m), NULL, NULL, &why) : err_no_memory(&why);
	nlmsg_free(m);
	rtnl_link_put(which);
	rtnl_link_put(change);
	return ok || failed(doing, &why, err);
}

bool host_linux_set_mtu(struct host *h, unsigned ifindex, uint32_t mtu, struct err *err)
{
	struct rtnl_link *change = rtnl_link_alloc();

	if (change)
		rtnl_link_set_mtu(change, mtu);
	return change_link(h, ifindex, change, "the driver refused", err);
}

/*
 * Puts the mapping in twice: libnl up to 3.11 numbers mappings from 0 (its pull request 421), and
 * kernels since 2024 skip all that are not of type 1, IFLA_VLAN_QOS_MAPPING.
 */
static struct rtnl_link *egress_change(uint8_t prio, uint8_t pcp)
{
	struct rtnl_link *change = rtnl_link_vlan_alloc();

	if (change && rtnl_link_vlan_set_egress_map(change, prio, pcp) == 0 &&
	    rtnl_link_vlan_set_egress_map(change, prio, pcp) == 0)
		return change;
	rtnl_link_put(change);
	return NULL;
}

bool host_linux_set_egress(struct host *h, unsigned vlan, uint8_t prio, uint8_t pcp,
			   struct err *err)
{
	return change_link(h, vlan, egress_change(prio, pcp), "the VLAN device refused", err);
}

/* ---- VLANs of virtual functions ---- */

static int read_vf(const struct nlattr *a, void *arg)
{
	const struct ifla_vf_vlan *v = mnl_attr_get_payload(a);
	struct vf_vlan *by_qos = arg;

	if (mnl_attr_get_type(a) == IFLA_VF_VLAN && mnl_attr_get_payload_len(a) >= sizeof(*v) &&
	    v->vlan && v->qos < PRIOS && !by_qos[v->qos].vlan)
		by_qos[v->qos] = (struct vf_vlan){ (uint16_t)v->vf, (uint16_t)v->vlan };
	return MNL_CB_OK;
}

static int read_vf_info(const struct nlattr *a, void *arg)
{
	return mnl_attr_get_type(a) == IFLA_VF_INFO ? mnl_attr_parse_nested(a, read_vf, arg)
						    : MNL_CB_OK;
}

static int read_vf_list(const struct nlattr *a, void *arg)
{
	return mnl_attr_get_type(a) == IFLA_VFINFO_LIST
		       ? mnl_attr_parse_nested(a, read_vf_info, arg)
		       : MNL_CB_OK;
}

static int read_vfs(const struct nlmsghdr *n, void *arg)
{
	return mnl_attr_parse(n, sizeof(struct ifinfomsg), read_vf_list, arg);
}

bool host_vf_vlans(struct host *h, unsigned ifindex, struct vf_vlan ret[PRIOS], struct err *err)
{
	char room[LINK_REQUEST] __attribute__((aligned(NLMSG_ALIGNTO)));

	memset(ret, 0, PRIOS * sizeof(*ret));
	return host_talk(h, BUS_ROUTE,
			 link_request(room, ifindex, RTEXT_FILTER_SKIP_STATS | RTEXT_FILTER_VF),
			 read_vfs, ret, err);
}

/* ---- traffic classes ---- */

struct mqprio_reading {
	bool is_mqprio; /* TCA_KIND comes before TCA_OPTIONS */
	struct mqprio *ret;
};

static void take_options(const struct tc_mqprio_qopt *q, struct mqprio *ret)
{
	ret->there = q->num_tc;
	for (int p = 0; p < PRIOS; p++)
		ret->class[p] = q->prio_tc_map[p];
}

static int read_qdisc_attribute(const struct nlattr *a, void *arg)
{
	struct mqprio_reading *r = arg;

	if (mnl_attr_get_type(a) == TCA_KIND && mnl_attr_validate(a, MNL_TYPE_NUL_STRING) == 0)
		r->is_mqprio = strcmp(mnl_attr_get_str(a), MQPRIO) == 0;
	if (mnl_attr_get_type(a) == TCA_OPTIONS && r->is_mqprio &&
	    mnl_attr_get_payload_len(a) >= sizeof(struct tc_mqprio_qopt))
		take_options(mnl_attr_get_payload(a), r->ret);
	return MNL_CB_OK;
}

static int read_qdisc(const struct nlmsghdr *n, void *arg)
{
	struct mqprio_reading r = { .ret = arg };

	return mnl_attr_parse(n, sizeof(struct tcmsg), read_qdisc_attribute, &r);
}

/* Older kernels answer all who listen for changes, and us only with NLM_F_ECHO: qdisc_notify(). */
bool host_mqprio(struct host *h, const struct link *link, struct mqprio *ret, struct err *err)
{
	char room[NLMSG_SPACE(sizeof(struct tcmsg))] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n = mnl_nlmsg_put_header(room);
	struct tcmsg *m = mnl_nlmsg_put_extra_header(n, sizeof(*m));

	*ret = (struct mqprio){ .there = false };
	if (!link->has_mqprio)
		return true;
	n->nlmsg_type = RTM_GETQDISC;
	n->nlmsg_flags = NLM_F_ECHO;
	*m = (struct tcmsg){ .tcm_family = AF_UNSPEC,
			     .tcm_ifindex = (int)link->ifindex,
			     .tcm_parent = TC_H_ROOT };
	return host_talk(h, BUS_ROUTE, n, read_qdisc, ret, err);
}

/* ---- routes ---- */

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
