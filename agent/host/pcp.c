/*
 * Readings of what decides the PCP of packets besides a VLAN device: the map of the queueing
 * discipline mqprio, and the VLANs that a port gives its virtual functions.
 */
#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>

#include "host_linux.h"

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
		r->is_mqprio = strcmp(mnl_attr_get_str(a), "mqprio") == 0;
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
