#include "facts.h"

#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include "lldpad_process.h"
#include "wire.h"

static int take_max_mtu(const struct nlattr *a, void *arg)
{
	if (mnl_attr_get_type(a) == IFLA_MAX_MTU && mnl_attr_validate(a, MNL_TYPE_U32) == 0)
		*(uint32_t *)arg = mnl_attr_get_u32(a);
	return MNL_CB_OK;
}

static int each_link(const struct nlmsghdr *reply, void *arg)
{
	return mnl_attr_parse(reply, sizeof(struct ifinfomsg), take_max_mtu, arg);
}

/* libnl-route leaves this attribute out. */
static uint32_t max_mtu(struct host *h, const struct port *port)
{
	char room[NLMSG_SPACE(sizeof(struct ifinfomsg))] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n = mnl_nlmsg_put_header(room);
	struct ifinfomsg *link;
	struct err quiet = { 0 };
	uint32_t max = 0;

	n->nlmsg_type = RTM_GETLINK;
	link = mnl_nlmsg_put_extra_header(n, sizeof(*link));
	link->ifi_index = (int)port->ifindex;
	return host_talk(h, BUS_ROUTE, n, each_link, &max, &quiet) ? max : 0;
}

static uint8_t pfc_cap(struct host *h, const struct port *port)
{
	struct ieee_pfc k;
	struct err quiet = { 0 };

	return dcb_get(h, port->id.name, DCB_ATTR_IEEE_PFC, &k, sizeof(k), &quiet) ? k.pfc_cap : 0;
}

void facts_read(struct host *h, const struct port *port, struct facts *ret)
{
	struct lldpad_process lldpad;

	ret->speed_mbps = port->speed_mbps;
	ret->max_mtu = max_mtu(h, port);
	ret->pfc_cap = pfc_cap(h, port);
	ret->lldpad_runs = lldpad_find(h, &lldpad);
	ret->lldpad_looms = !ret->lldpad_runs && lldpad_is_enabled(h);
}
