#include "writer_check.h"

#include <stdio.h>

#include "../../../policy/model/setting.h"

void writers_read(const struct engine *e, struct other_writers *ret)
{
	*ret = e->captured ? e->captured->writers : (struct other_writers){ .count = 0 };
	if (!e->captured && e->backends->find_writers)
		e->backends->find_writers(e->h, ret);
}

/* Asks the host, or whom the document names. */
static bool is_there(const struct engine *e, const struct guard *g, const struct port *port,
		     char why[GUARD_WHY_MAX])
{
	const struct captured_port *p;

	if (!e->captured)
		return g->objects(e->h, port, why);
	p = captured_find(e->captured, port->id.name);
	snprintf(why, GUARD_WHY_MAX, "%s", p ? p->owner.what : "");
	return p && p->owner.who == g->owner;
}

static bool find_owner(const struct engine *e, const struct port *port,
		       const struct config *desired, char ret[LINT_TEXT_MAX])
{
	char why[GUARD_WHY_MAX];

	for (size_t i = 0; i < e->backends->guards.count; i++) {
		const struct guard *g = e->backends->guards.list[i];

		if (!owner_writes(g->owner) || !(g->over & desired->has) ||
		    (g->waived && g->waived(desired)) || !is_there(e, g, port, why))
			continue;
		snprintf(ret, LINT_TEXT_MAX, "%s: %s", why, g->fix);
		return true;
	}
	return false;
}

void writer_check(const struct engine *e, const struct port *port, const struct config *desired,
		  char ret[LINT_TEXT_MAX])
{
	struct other_writers writers;

	ret[0] = '\0';
	if (find_owner(e, port, desired, ret))
		return;
	writers_read(e, &writers);
	for (size_t i = 0; i < writers.count; i++) {
		const struct running_writer *r = &writers.list[i];
		char names[SETTING_NAMES_MAX];

		if (!(r->writer->writes & desired->has))
			continue;
		setting_names(r->writer->writes & desired->has, names);
		snprintf(ret, LINT_TEXT_MAX, "%s (pid %u) also writes %s: %s", r->writer->name,
			 r->pid, names, r->writer->fix);
		return;
	}
}
