/* The refusals of an apply that are not about a port, as plan reports them. */
#ifndef LOSSLESSCTL_CLI_APPLY_REFUSALS_H
#define LOSSLESSCTL_CLI_APPLY_REFUSALS_H

#include "../agent/engine/target/target.h"
#include "cli.h"

#define APPLY_REFUSALS_MAX 9

struct apply_refusals {
	struct refusal list[APPLY_REFUSALS_MAX];
	size_t count;
	struct err first; /* the one that apply would report */
};

/*
 * Asks what apply asks before it reads a port, in its order. Another run that writes, or waits for
 * confirmation, ends by itself: it is a warning. A user who is not root is not told what only root
 * can find out.
 */
void apply_refusals_find(const struct cli *c, const struct policy *p, struct apply_refusals *ret);

/* Asks what apply asks before its first write. */
void apply_refusals_of_writes(const struct cli *c, struct apply_refusals *r);

#endif
