#include "recovery_ports.h"

#include <stdlib.h>
#include <string.h>

#include "../../../policy/util/oom.h"
#include "../engine.h"
#include "../journal/unfinished.h"
#include "rollback.h"

/* The devices of pods have no interface here, and share the index 0. */
static bool is_target(const struct targets *all, const struct port *p)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct port *target = &all->list[i].task.port;

		if (target->ifindex == p->ifindex && strcmp(target->id.name, p->id.name) == 0)
			return true;
	}
	return false;
}

/*
 * Adds ports that an interrupted run left partially configured and this run does not change, to
 * roll them back.
 */
static bool add_left_behind(const struct engine *e, const struct run *r,
			    const struct inventory *every, struct targets *all, struct err *err)
{
	struct target *list = reallocarray(all->list, all->count + every->count + 1, sizeof(*list));

	if (!list)
		return err_no_memory(err);
	all->list = list;
	for (size_t i = 0; i < every->count; i++) {
		const struct port *p = &every->ports[i];

		if (!journal_find(&r->pending, p) || is_target(all, p))
			continue;
		engine_warn(
			e,
			"%s: an earlier run left it partially configured; this run rolls it back",
			p->id.name);
		all->list[all->count] = (struct target){ 0 };
		all->list[all->count++].task.port = *p;
	}
	return true;
}

/* Only the return of such a port, or a boot, ends what the run has begun. */
static void warn_of_gone(const struct engine *e, const struct run *r, const struct inventory *every)
{
	for (size_t i = 0; i < r->pending.count; i++) {
		const struct journal_entry *left = &r->pending.entries[i];

		if (!rollback_port_of(&r->pending, left, every))
			engine_warn(e,
				    "%s (%s) is not present: the run stays incomplete until the "
				    "port is back, or the host boots",
				    left->name, left->pci);
	}
}

bool recovery_add(const struct engine *e, const struct run *r, struct targets *all, struct err *err)
{
	_inventory_ struct inventory every = { .ports = NULL };

	if (r->set_aside.kind)
		engine_warn(e,
			    "%s: %s: it is kept as " JOURNAL_DAMAGED
			    "; the values from before that run are lost",
			    r->set_aside.where, r->set_aside.text);
	if (!r->recovering)
		return true;
	if (r->pending_confirm.there)
		engine_warn(e,
			    "the apply of %s was not confirmed, and its background process has "
			    "ended before it rolled back",
			    r->pending_confirm.started_at);
	unfinished_warn_runs(e, &r->pending, !r->pending_confirm.there,
			     "; this run completes it on the ports that are present");
	if (!inventory_read(e, EVERY_PORT, &every, err))
		return false;
	warn_of_gone(e, r, &every);
	return add_left_behind(e, r, &every, all, err);
}
