#include "links.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits recursion: a VLAN on a bond on a port needs three levels; a loop of devices must end. */
#define STACK_DEPTH_MAX 8

void link_list_free(struct link_list *l)
{
	if (!l->borrowed)
		free(l->links);
	*l = (struct link_list){ .links = NULL };
}

const struct link *link_by_name(const struct link_list *l, const char *name)
{
	for (size_t i = 0; i < l->count; i++)
		if (strcmp(l->links[i].name, name) == 0)
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

static bool rests_on(const struct link_list *l, const struct link *upper, unsigned port, int depth)
{
	if (!upper || depth > STACK_DEPTH_MAX)
		return false;
	if (upper->ifindex == port)
		return true;
	if (upper->lower && rests_on(l, link_by_index(l, upper->lower), port, depth + 1))
		return true;
	for (size_t i = 0; i < l->count; i++)
		if (l->links[i].master == upper->ifindex &&
		    rests_on(l, &l->links[i], port, depth + 1))
			return true;
	return false;
}

bool link_rests_on(const struct link_list *l, const struct link *upper, unsigned port)
{
	return rests_on(l, upper, port, 0);
}

void links_vlans(const struct link_list *l, unsigned lower, struct vlan_list *ret)
{
	*ret = (struct vlan_list){ .count = 0 };
	for (size_t i = 0; i < l->count; i++) {
		const struct link *link = &l->links[i];
		struct vlan *v = &ret->vlans[ret->count];

		if (link->lower != lower)
			continue;
		if (ret->count == VLANS_MAX) {
			ret->more = true;
			return;
		}
		*v = (struct vlan){ .ifindex = link->ifindex };
		snprintf(v->map.name, sizeof(v->map.name), "%s", link->name);
		memcpy(v->map.pcp, link->pcp, sizeof(v->map.pcp));
		ret->count++;
	}
}
