#include "verbs.h"

#include <stdlib.h>
#include <unistd.h>

#include "../sandbox/policy_file.h"

void scope_free(struct scope *r)
{
	targets_free(&r->targets);
	inventory_free(&r->inventory);
	free(r->policy);
}

bool scope_open(struct cli *c, enum scope_policy need, struct scope *ret, struct err *err)
{
	bool opens =
		need == POLICY_REQUIRED ||
		(need == POLICY_IF_ANY && (c->opt.policy || access(DEFAULT_POLICY, F_OK) == 0));

	return (!opens || policy_open(c, &ret->policy, err)) && cli_open_host(c, false, err);
}

bool scope_find(struct cli *c, bool all_rules, struct scope *r, struct err *err)
{
	const struct engine *e = &c->engine;

	if (!inventory_read(e, &e->selection, &r->inventory, err))
		return false;
	if (!r->policy)
		return targets_of_all(&r->inventory, &r->targets, err);
	return all_rules ? targets_find(e, r->policy, &r->inventory, &r->targets, err)
			 : targets_choose(e, r->policy, &r->inventory, &r->targets, err);
}

bool targets_observe(struct cli *c, struct targets *all, struct err *err)
{
	for (size_t i = 0; i < all->count; i++)
		if (!target_observe(&c->engine, &all->list[i], err))
			return false;
	return true;
}
