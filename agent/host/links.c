#include "links.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void link_list_free(struct link_list *l)
{
	if (!l->borrowed)
		free(l->links);
	*l = (struct link_list){ .links = NULL };
}

const struct link *link_by_name(const struct link_list *l, const char *name)
{
	for (size_t i = 0; i < l->count; i++)
		if (strcmp(l->links[i].name, name) == 0 ||
		    alt_names_have(&l->links[i].alt_names, name))
			return &l->links[i];
	return NULL;
}

const struct link *link_by_index(const struct link_list *l, unsigned ifindex)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->links[i].ifindex == ifindex)
			return &l->links[i];
	return NULL;
}

void link_identify(const struct link_list *l, const struct link *link, struct identity *ret)
{
	const struct link *master = link_by_index(l, link->master);
	bool in_bond = master && master->is_bond;

	snprintf(ret->name, sizeof(ret->name), "%s", link->name);
	ret->alt_names = link->alt_names;
	snprintf(ret->bond, sizeof(ret->bond), "%s", in_bond ? master->name : "");
	ret->bond_alt_names = in_bond ? master->alt_names : (struct alt_names){ "" };
}

/*
 * True also for an internal port of Open vSwitch and all other ports, as nothing else joins them:
 * the others' master is the datapath's own interface (ovs_netdev_link()), and all bridges of
 * ovs-vswitchd are one datapath.
 */
static bool is_member(const struct link_list *l, const struct link *link, const struct link *of)
{
	const struct link *master = of->is_openvswitch ? link_by_index(l, link->master) : NULL;

	return link->master == of->ifindex || (master && master->is_openvswitch);
}

/* The port, or if that is 0 a tunnel whose packets take an unknown way. */
static bool is_sought(const struct link *l, unsigned port)
{
	return port ? l->ifindex == port : l->is_tunnel && !l->lower && !l->remote_family;
}

/*
 * Marks the links that it has seen: devices form a loop where one of a pair is in a bridge on the
 * other.
 */
static const struct link *find_below(const struct link_list *l, const struct link *upper,
				     unsigned port, bool *seen)
{
	const struct link *below, *found;

	if (!upper || seen[upper - l->links])
		return NULL;
	if (is_sought(upper, port))
		return upper;
	seen[upper - l->links] = true;
	below = link_by_index(l, upper->lower);
	if (below && below->lower == upper->ifindex) /* a pair: the other end's master gets it */
		below = link_by_index(l, below->master);
	found = find_below(l, below, port, seen);
	if (!found)
		found = find_below(l, link_by_index(l, upper->second_lower), port, seen);
	for (size_t i = 0; !found && i < l->count; i++)
		if (is_member(l, &l->links[i], upper))
			found = find_below(l, &l->links[i], port, seen);
	return found;
}

/* Without memory it is `upper`: let guards refuse or warn. */
static const struct link *search_below(const struct link_list *l, const struct link *upper,
				       unsigned port)
{
	bool *seen = calloc(l->count, sizeof(*seen));
	const struct link *ret = seen ? find_below(l, upper, port, seen) : upper;

	free(seen);
	return ret;
}

bool link_rests_on(const struct link_list *l, const struct link *upper, unsigned port)
{
	return search_below(l, upper, port);
}

const struct link *link_hidden_below(const struct link_list *l, const struct link *upper)
{
	return search_below(l, upper, 0);
}

bool link_is_representor(const struct link *l)
{
	return fnmatch("*pf[0-9]*", l->port_name, 0) == 0;
}

/* The number of the PF whose switch this is: 0 of its uplink "p0" and of "c1pf0vf1"; -1: none. */
static long switch_of(const struct link *l)
{
	const char *p = strchr(l->port_name, 'p');

	return p ? strtol(p + 1 + (p[1] == 'f'), NULL, 10) : -1;
}

bool link_has_representor(const struct link_list *l, const struct link *uplink)
{
	for (size_t i = 0; i < l->count; i++)
		if (link_is_representor(&l->links[i]) &&
		    memcmp(l->links[i].switch_id, uplink->switch_id, SWITCH_ID_MAX) == 0 &&
		    switch_of(&l->links[i]) == switch_of(uplink))
			return true;
	return false;
}

const char *no_lag_text(const struct port *p, char buf[NO_LAG_TEXT_MAX])
{
	static const char *const causes[] = {
		[LAG_IS_NO_MATTER] = "",
		[LAG_DID_NOT_MERGE] = "the RDMA devices of its ports did not merge",
		[LAG_OF_SEVERAL_ADAPTERS] = "it has ports of several adapters",
	};

	snprintf(buf, NO_LAG_TEXT_MAX, "%s has no RoCE LAG, as %s: %s uses %s alone", p->id.bond,
		 causes[p->no_lag], p->id.rdma, p->id.name);
	return buf;
}

/* mlx5_lag_is_roce_lag() and mlx5_lag_check_prereq() of mlx5/core/lag/lag.c have the conditions. */
const char *no_lag_fix(enum no_lag why)
{
	static const char *const fixes[] = {
		[LAG_IS_NO_MATTER] = "",
		[LAG_DID_NOT_MERGE] = "bond all ports of the adapter in mode active-backup, "
				      "balance-xor or 802.3ad, and remove its VFs",
		[LAG_OF_SEVERAL_ADAPTERS] = "bond the ports of one adapter only, or give each "
					    "port an address of its own without a bond",
	};

	return fixes[why];
}

const char *eswitch_mode_name(enum eswitch_mode mode)
{
	static const char *const names[ESWITCH_MODES] = {
		[ESWITCH_UNKNOWN] = "unknown",
		[ESWITCH_NONE] = "none",
		[ESWITCH_LEGACY] = "legacy",
		[ESWITCH_SWITCHDEV] = "switchdev",
	};

	return names[mode];
}

void links_vlans(const struct link_list *l, unsigned lower, struct vlan_list *ret)
{
	*ret = (struct vlan_list){ .count = 0 };
	for (size_t i = 0; i < l->count; i++) {
		const struct link *link = &l->links[i];
		struct vlan *v = &ret->vlans[ret->count];

		if (!link->is_vlan || link->lower != lower)
			continue;
		if (ret->count == VLANS_MAX) {
			ret->more = true;
			return;
		}
		*v = (struct vlan){ .ifindex = link->ifindex, .map.id = link->vlan_id };
		snprintf(v->map.name, sizeof(v->map.name), "%s", link->name);
		memcpy(v->map.pcp, link->pcp, sizeof(v->map.pcp));
		ret->count++;
	}
}

/* Headers of RoCE v2 that the kernel counts: GRH 40, UDP 8, BTH 12, XRC 4, AtomicETH 28, ICRC 4. */
#define RDMA_HEADERS 96

/* As iboe_get_mtu() of include/rdma/ib_addr.h: the largest power of two that fits. */
uint32_t rdma_mtu_of(uint32_t mtu)
{
	uint32_t data = 4096;

	while (data && data + RDMA_HEADERS > mtu)
		data = data > 256 ? data / 2 : 0;
	return data;
}
