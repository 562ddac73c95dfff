#include "verbs.h"

#include <stdlib.h>
#include <unistd.h>

#include "../../policy/document/policy.h"
#include "../captured/captured_host.h"
#include "../output/print.h"
#include "../sandbox/policy_file.h"

void scope_free(struct scope *r)
{
	targets_free(&r->targets);
	inventory_free(&r->inventory);
	free(r->policy);
}

void warn_of_made_up(const struct cli *c, const struct policy *p)
{
	if (!c->captured || !json_is_true(json_object_get(c->captured->bundle, "anonymised")))
		return;
	for (size_t i = 0; i < p->count; i++)
		if (p->rules[i].match.pattern.pci[0] || p->rules[i].match.pattern.mac[0]) {
			print_warning(c,
				      "the bundle is anonymised: its addresses are made up, and "
				      "rules of %s match by address",
				      p->source);
			return;
		}
}

bool scope_open(struct cli *c, enum scope_policy need, struct scope *ret, struct err *err)
{
	bool opens =
		need == POLICY_REQUIRED ||
		(need == POLICY_IF_ANY && (c->opt.policy || access(DEFAULT_POLICY, F_OK) == 0));

	if ((opens && !policy_open(c, &ret->policy, err)) || !cli_open_host(c, false, err))
		return false;
	if (opens)
		warn_of_made_up(c, ret->policy);
	return true;
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
