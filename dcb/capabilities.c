#include "capabilities.h"

#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>

#include "../agent/host/host_facts.h"
#include "dcbnl.h"
#include "lldpad/detect.h"

static int parse_mtu_limit(const struct nlattr *a, void *arg)
{
	struct capabilities *f = arg;

	if (mnl_attr_get_type(a) == IFLA_MAX_MTU && mnl_attr_validate(a, MNL_TYPE_U32) == 0)
		f->max_mtu = mnl_attr_get_u32(a);
	if (mnl_attr_get_type(a) == IFLA_MIN_MTU && mnl_attr_validate(a, MNL_TYPE_U32) == 0)
		f->min_mtu = mnl_attr_get_u32(a);
	return MNL_CB_OK;
}

static int each_link(const struct nlmsghdr *reply, void *arg)
{
	return mnl_attr_parse(reply, sizeof(struct ifinfomsg), parse_mtu_limit, arg);
}

/* Uses raw netlink, because libnl-route does not expose these attributes. */
static void read_mtu_limits(struct host *h, const struct port *port, struct capabilities *ret)
{
	char room[NLMSG_SPACE(sizeof(struct ifinfomsg))] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct nlmsghdr *n = mnl_nlmsg_put_header(room);
	struct ifinfomsg *link;
	struct err quiet = { 0 };

	n->nlmsg_type = RTM_GETLINK;
	link = mnl_nlmsg_put_extra_header(n, sizeof(*link));
	link->ifi_index = (int)port->ifindex;
	ret->max_mtu = ret->min_mtu = 0;
	if (!host_talk(h, BUS_ROUTE, n, each_link, ret, &quiet))
		ret->max_mtu = ret->min_mtu = 0;
}

static void read_dcb_limits(struct host *h, const struct port *port, struct capabilities *ret)
{
	struct ieee_ets ets = { 0 };
	struct ieee_pfc pfc = { 0 };
	struct dcbnl_buffer buffer = { .total_size = 0 };
	struct dcb_object objects[] = {
		{ DCB_ATTR_IEEE_ETS, &ets, sizeof(ets), false },
		{ DCB_ATTR_IEEE_PFC, &pfc, sizeof(pfc), false },
		{ DCB_ATTR_DCB_BUFFER, &buffer, sizeof(buffer), false },
	};
	struct err quiet = { 0 };
	bool known = dcb_get_all(h, port->id.name, objects, 3, &quiet);

	ret->pfc_cap = known ? pfc.pfc_cap : 0;
	ret->traffic_classes = known ? ets.ets_cap : 0;
	ret->types = known && ets.cbs;
	ret->buffer_bytes = known ? buffer.total_size : 0;
}

static void read_slow_kernel(struct host *h, const struct port *port, struct capabilities *ret)
{
	struct host_facts facts;

	host_facts_read(h, &facts);
	if (facts.slows_mlx5 && strcmp(port->id.driver, "mlx5_core") == 0)
		snprintf(ret->slow_kernel, sizeof(ret->slow_kernel), "%s", facts.kernel);
	else
		ret->slow_kernel[0] = '\0';
}

void capabilities_read(struct host *h, const struct port *port, struct capabilities *ret)
{
	struct lldpad_process lldpad;

	ret->speed_mbps = port->speed_mbps;
	read_mtu_limits(h, port, ret);
	read_dcb_limits(h, port, ret);
	ret->maker = host_has_nvidia_driver(h) ? MAKER_NVIDIA : MAKER_KERNEL;
	read_slow_kernel(h, port, ret);
	ret->lldpad_running = lldpad_find(h, &lldpad);
	ret->lldpad_starts_at_boot = !ret->lldpad_running && lldpad_is_enabled(h);
}
