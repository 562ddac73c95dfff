/* Requests that change nothing; any other counts as a change. */
#include <libmnl/libmnl.h>
#include <linux/dcbnl.h>
#include <linux/devlink.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/rtnetlink.h>
#include <rdma/rdma_netlink.h>
#include <string.h>

#include "host.h"

static bool in(int what, const int *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (list[i] == what)
			return true;
	return false;
}

#define IN(what, ...) \
	in(what, (const int[]){ __VA_ARGS__ }, sizeof((const int[]){ __VA_ARGS__ }) / sizeof(int))

bool host_reads_only(enum bus bus, const struct nlmsghdr *n)
{
	const struct dcbmsg *dcb = mnl_nlmsg_get_payload(n);
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(n);

	/* No default: a new bus must define its read-only requests. */
	switch (bus) {
	case BUS_ROUTE:
		/* The kernel executes set commands in RTM_GETDCB messages as well. */
		if (n->nlmsg_type == RTM_GETDCB)
			return IN(dcb->cmd, DCB_CMD_IEEE_GET, DCB_CMD_CEE_GET, DCB_CMD_GDCBX);
		return IN(n->nlmsg_type, RTM_GETLINK, RTM_GETADDR, RTM_GETROUTE, RTM_GETRULE,
			  RTM_GETNEXTHOP);
	case BUS_ETHTOOL:
		return IN(genl->cmd, ETHTOOL_MSG_PAUSE_GET, ETHTOOL_MSG_LINKMODES_GET,
			  ETHTOOL_MSG_FEC_GET);
	case BUS_DEVLINK:
		return IN(genl->cmd, DEVLINK_CMD_GET, DEVLINK_CMD_PARAM_GET,
			  DEVLINK_CMD_ESWITCH_GET, DEVLINK_CMD_RATE_GET);
	case BUS_RDMA:
		return n->nlmsg_type >> 10 == RDMA_NL_NLDEV &&
		       IN(n->nlmsg_type & 0x3ff, RDMA_NLDEV_CMD_GET, RDMA_NLDEV_CMD_SYS_GET,
			  RDMA_NLDEV_CMD_PORT_GET, RDMA_NLDEV_CMD_RES_QP_GET,
			  RDMA_NLDEV_CMD_STAT_GET);
	case BUS_COUNT:
		break;
	}
	return false;
}

bool host_ethtool_reads_only(uint32_t command)
{
	return IN((int)command, ETHTOOL_GDRVINFO, ETHTOOL_GTUNABLE, ETHTOOL_GFECPARAM,
		  ETHTOOL_GSSET_INFO, ETHTOOL_GSTRINGS, ETHTOOL_GSTATS);
}

bool host_lldpad_reads_only(const char *request)
{
	/*
	 * A ping, and three requests of module 1, version 3: statistics, a TLV, an agent's
	 * settings.
	 */
	static const char *const reads[] = { "M00000001C300", "M00000001C301", "M00000001C303" };

	for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++)
		if (strncmp(request, reads[i], strlen(reads[i])) == 0)
			return true;
	return strcmp(request, "P") == 0;
}
