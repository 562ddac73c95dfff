/*
 * Links, VLANs and MTUs. libnl-route builds and reads the messages, netlink.c exchanges them. No
 * other file may use libnl.
 */
#include <errno.h>
#include <fnmatch.h>
#include <net/if_arp.h>
#include <net/if.h> /* before linux/if.h, which leaves out what this has */
#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/if_tunnel.h>
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
		.is_infiniband = rtnl_link_get_arptype(from) == ARPHRD_INFINIBAND,
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
	if (type && strcmp(type, "tun") == 0) /* a tap has frames; in a bridge it is a machine's */
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

_Static_assert(LINK_REQUEST == NLMSG_SPACE(sizeof(struct ifinfomsg)) +
				       NLA_ALIGN(NLA_HDRLEN + sizeof(uint32_t)),
	       "a link request has room");

struct nlmsghdr *link_request(char room[LINK_REQUEST], unsigned ifindex, uint32_t filter)
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
