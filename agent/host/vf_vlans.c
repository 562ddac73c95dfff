/* The VLANs that a port gives its virtual functions: the first one of each PCP. */
#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "host_linux.h"

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
