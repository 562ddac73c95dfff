#include "bond_check.h"

#include <stdio.h>
#include <string.h>

/* True for a policy's target only: a rollback may restore members that differed before. */
static bool is_desired(const struct target *t)
{
	return t->rule && !t->task.left_behind;
}

/*
 * Returns the settings that `a` shall have and `b` shall not. A member that neither has a setting
 * nor shall have it is no contradiction: congestion control of a LAG belongs to one of its ports.
 */
static setting_set missed_by(const struct target *a, const struct target *b)
{
	return config_diff(&a->task.desired, &b->task.desired) &
	       (b->task.desired.has | b->seen.actual.has);
}

static setting_set apart(const struct target *a, const struct target *b)
{
	return (missed_by(a, b) | missed_by(b, a)) & ~(a->skipped | b->skipped);
}

static bool share_a_bond(const struct port *a, const struct port *b)
{
	return a->id.bond[0] && strcmp(a->id.bond, b->id.bond) == 0;
}

static void refuse(struct target *t, const struct target *other, setting_set off)
{
	char why[256];

	snprintf(why, sizeof(why),
		 "the members of %s need the same value, and the policy asks for another one on %s",
		 t->task.port.id.bond, other->task.port.id.name);
	target_refuse(t, settings[__builtin_ctzll(off)].path, why,
		      "give all members of the bond one rule: a match by the bond's name selects "
		      "them all");
}

void bonds_check(struct targets *all)
{
	for (size_t i = 0; i < all->count; i++)
		for (size_t j = i + 1; j < all->count; j++) {
			struct target *a = &all->list[i], *b = &all->list[j];
			setting_set off = apart(a, b);

			if (!off || !is_desired(a) || !is_desired(b) ||
			    !share_a_bond(&a->task.port, &b->task.port))
				continue;
			refuse(a, b, off);
			refuse(b, a, off);
		}
}
