#include <errno.h>

#include "../policy/model/setting.h"
#include "registry.h"

static bool mtu_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	struct link link;

	if (!host_link(h, port, &link, err))
		return false;

	out->mtu = link.mtu;
	out->has |= feature_mtu.owns;
	return true;
}

static bool mtu_write(struct host *h, const struct port *port, const struct config *from,
		      const struct config *to, struct err *err)
{
	(void)from;
	return host_set_mtu(h, port->ifindex, to->mtu, err);
}

#define IPV6_MIN_MTU 1280 /* below it addrconf_notify() takes IPv6 from the interface */

static bool mtu_accepts(const struct port *port, const struct capabilities *capabilities,
			const struct config *from, const struct config *to, struct err *err)
{
	(void)port;
	if (capabilities->max_mtu && to->mtu > capabilities->max_mtu) {
		err_record(err, ERR_REFUSED, EINVAL,
			   "an MTU of %u is above the port's largest, %u (IFLA_MAX_MTU)", to->mtu,
			   capabilities->max_mtu);
		return err_fix(err, "set mtu to %u or less", capabilities->max_mtu);
	}
	if (to->mtu < capabilities->min_mtu) {
		err_record(err, ERR_REFUSED, EINVAL,
			   "an MTU of %u is below the port's smallest, %u (IFLA_MIN_MTU)", to->mtu,
			   capabilities->min_mtu);
		return err_fix(err, "set mtu to %u or more", capabilities->min_mtu);
	}
	if (from->mtu >= IPV6_MIN_MTU && to->mtu < IPV6_MIN_MTU) {
		err_record(
			err, ERR_REFUSED, EINVAL,
			"an MTU of %u is below IPv6's least, %u: the kernel would remove all IPv6 "
			"addresses and routes of the port, which no rollback brings back",
			to->mtu, IPV6_MIN_MTU);
		return err_fix(err, "set mtu to %u or more", IPV6_MIN_MTU);
	}
	return true;
}

/* mlx5 re-creates its queues for it. Connections of RDMA keep the size of their packets. */
static enum disruption mtu_disrupts(const struct port *port, const struct config *from,
				    const struct config *to)
{
	(void)port;
	return rdma_mtu_of(to->mtu) < rdma_mtu_of(from->mtu) ? DISRUPTS_RDMA : DISRUPTS_TRAFFIC;
}

const struct feature feature_mtu = {
	.name = "mtu",
	.owns = SETTING(SETTING_MTU),
	.source = "rtnetlink link",
	.read = mtu_read,
	.write = mtu_write,
	.accepts = mtu_accepts,
	.disrupts = mtu_disrupts,
};
