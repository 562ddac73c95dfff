#include "bond.h"

#include <stdio.h>
#include <string.h>

static bool share_a_bond(const struct port *a, const struct port *b)
{
	return a->id.bond[0] && strcmp(a->id.bond, b->id.bond) == 0;
}

static void refuse(struct target *t, const struct target *other, knobset off)
{
	char why[256];

	snprintf(why, sizeof(why), "the members of %s must be alike, and %s is to have another",
		 t->task.port.id.bond, other->task.port.id.name);
	target_refuse(
		t, knobs[__builtin_ctzll(off)].path, why,
		"give all members of the bond one rule: a match by the bond's name means them all");
}

void bonds_judge(struct targets *all)
{
	for (size_t i = 0; i < all->count; i++)
		for (size_t j = i + 1; j < all->count; j++) {
			struct target *a = &all->list[i], *b = &all->list[j];
			knobset off = config_diff(&a->task.want, &b->task.want) |
				      config_diff(&b->task.want, &a->task.want);

			if (!off || !share_a_bond(&a->task.port, &b->task.port))
				continue;
			refuse(a, b, off);
			refuse(b, a, off);
		}
}

const struct port *bond_rdma_owner(const struct inventory *inv, const struct port *port)
{
	if (port->rdma_port)
		return NULL;
	for (size_t i = 0; i < inv->count; i++)
		if (inv->ports[i].rdma_port && share_a_bond(&inv->ports[i], port))
			return &inv->ports[i];
	return NULL;
}
