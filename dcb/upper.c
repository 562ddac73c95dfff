/* Devices on top of a port, whose MTU must fit that of the port. */
#include <stdio.h>

#include "capabilities.h"

static bool is_smaller(const struct link *l, const struct capabilities *than)
{
	return !than->upper_mtu || l->mtu < than->upper_mtu ||
	       (l->mtu == than->upper_mtu && l->is_bond);
}

/*
 * Excludes bridges, whose MTU follows their ports', and one of a pair as veth: it is beside the
 * port in a bridge.
 */
static bool sends_through_port(const struct link_list *all, const struct link *l)
{
	const struct link *below = link_by_index(all, l->lower);

	return l->is_bond || (below && below->lower != l->ifindex);
}

void capabilities_read_upper(struct host *h, const struct port *port, struct capabilities *ret)
{
	_link_list_ struct link_list all = { .links = NULL };
	struct err quiet = { 0 };

	ret->upper_mtu = ret->largest_upper_mtu = 0;
	if (!host_links(h, &all, &quiet))
		return;
	for (size_t i = 0; i < all.count; i++) {
		const struct link *l = &all.links[i];

		if (l->ifindex == port->ifindex || !sends_through_port(&all, l) ||
		    !link_rests_on(&all, l, port->ifindex))
			continue;
		if (l->mtu > ret->largest_upper_mtu) {
			ret->largest_upper_mtu = l->mtu;
			snprintf(ret->largest_upper, sizeof(ret->largest_upper), "%s", l->name);
		}
		if ((l->is_bond || l->is_vlan) && is_smaller(l, ret)) {
			ret->upper_mtu = l->mtu;
			snprintf(ret->upper, sizeof(ret->upper), "%s", l->name);
		}
	}
}
