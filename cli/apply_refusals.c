#include "apply_refusals.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "../agent/engine/journal/journal.h"
#include "../agent/engine/journal/lock.h"
#include "../agent/engine/journal/policy_generation.h"
#include "../agent/engine/journal/unfinished.h"

static void add(struct apply_refusals *r, const char *subject, const struct err *why)
{
	bool unknown = geteuid() != 0 && (why->kind == ERR_DENIED || why->code == EACCES);
	struct refusal *new = &r->list[r->count];

	if (!why->kind || unknown || r->count == APPLY_REFUSALS_MAX)
		return;
	if (!r->count)
		r->first = *why;
	r->count++;
	*new = (struct refusal){ .setting = subject };
	snprintf(new->why, sizeof(new->why), "%s%s%s", why->where, why->where[0] ? ": " : "",
		 why->text);
	snprintf(new->fix, sizeof(new->fix), "%s", why->fix);
}

void apply_refusals_find(const struct cli *c, const struct policy *p, struct apply_refusals *ret)
{
	struct err netns = { 0 }, state = { 0 }, lock = { 0 }, journal = { 0 }, generation = { 0 };

	*ret = (struct apply_refusals){ .count = 0 };
	(void)!cli_check_netns(c, &netns);
	(void)!journal_is_trusted(c->h, &state);
	(void)!lock_has_room(c->h, &lock);
	(void)!unfinished_allows_apply(&c->engine, &journal);
	(void)!policy_generation_check(c->h, p, &generation);
	add(ret, "rights", &c->foreseen.rights);
	add(ret, "network-namespace", &netns);
	add(ret, "policy-file", &c->foreseen.file);
	add(ret, "signature", &c->foreseen.signature);
	add(ret, "state-directory", &state);
	add(ret, "lock", &lock);
	add(ret, "journal", &journal);
	add(ret, "generation", &generation);
}

void apply_refusals_of_writes(const struct cli *c, struct apply_refusals *r)
{
	struct err why = { 0 };

	(void)!journal_has_room(c->h, &why);
	add(r, "state-directory", &why);
}
