/* Devices on top of a port whose MTU limits RDMA through them. */
#include <stdio.h>

#include "capabilities.h"

static bool is_smaller(const struct link *l, const struct capabilities *than)
{
	return !than->upper_mtu || l->mtu < than->upper_mtu ||
	       (l->mtu == than->upper_mtu && l->is_bond);
}

void capabilities_read_upper(struct host *h, const struct port *port, struct capabilities *ret)
{
	_link_list_ struct link_list all = { .links = NULL };
	struct err quiet = { 0 };

	ret->upper_mtu = 0;
	if (!host_links(h, &all, &quiet))
		return;
	for (size_t i = 0; i < all.count; i++) {
		const struct link *l = &all.links[i];

		if (l->ifindex == port->ifindex || (!l->is_bond && !l->is_vlan) ||
		    !link_rests_on(&all, l, port->ifindex) || !is_smaller(l, ret))
			continue;
		ret->upper_mtu = l->mtu;
		snprintf(ret->upper, sizeof(ret->upper), "%s", l->name);
	}
}
