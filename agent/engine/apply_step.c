#include "apply_step.h"

#include <errno.h>
#include <stdio.h>

#include "link_wait.h"

static bool reapply(const struct apply_job *j, const struct step *s, struct err *err)
{
	if (s->disrupts < DISRUPTS_LINK || !j->had_carrier)
		return true;
	return carrier_wait(j->h, &j->port, true, err) &&
	       (!s->feature->reapply || s->feature->reapply(j->h, &j->port, &s->after, err));
}

/* The name that the port had may stay with it as an alternative one, by which writes reach it. */
static bool another_port_has(struct host *h, const struct port *port)
{
	_link_list_ struct link_list links = { .links = NULL };
	const struct link *owner;
	struct err quiet = { 0 };

	if (!host_links(h, &links, &quiet))
		return true;
	owner = link_by_name(&links, port->id.name);
	return owner && owner->ifindex != port->ifindex;
}

/*
 * Checks that a write reached this port, whose name may have moved meanwhile. If no port has the
 * old name now, none had it during the write: the write reached this port or none.
 */
static bool reached_port(const struct apply_job *j, bool ok, struct err *err)
{
	struct err moved = { 0 };
	struct link now;

	if (host_link(j->h, &j->port, &now, &moved))
		return ok;
	if (moved.code == ESTALE && another_port_has(j->h, &j->port))
		snprintf(j->ret->misdirected, sizeof(j->ret->misdirected), "%.15s",
			 j->port.id.name);
	if (ok || moved.code == ESTALE)
		*err = moved; /* the cause of any other error */
	return false;
}

bool apply_step(struct apply_job *j, const struct config *from, const struct step *s,
		struct err *err)
{
	const char *name = j->port.id.name, *feature = s->feature->name;
	bool flaps = s->disrupts == DISRUPTS_LINK && j->had_carrier;
	uint64_t changes = j->h->changes;
	bool there, ok;

	/* Fails before the write if another port has the name now. */
	if (!carrier_read(j->h, &j->port, &there, err))
		return false;
	host_report(j->h, flaps ? PROGRESS_WAIT : PROGRESS_STEP, name, "writing %s%s", feature,
		    flaps ? " (the link will flap)" : "");
	ok = err_at(err, s->feature->write(j->h, &j->port, from, &s->after, err), "%s: writing %s",
		    name, feature) &&
	     err_at(err, reapply(j, s, err), "%s: after writing %s", name, feature);
	j->unseen |= err->unseen;
	j->stuck |= err->stuck;
	if (ok)
		j->unseen &= ~s->change | j->stuck;
	j->written |= j->h->changes != changes ? s->change | s->side | s->risk : 0;
	return err_at(err, reached_port(j, ok, err), "%s: writing %s", name, feature);
}

bool apply_dependent(struct apply_job *j, const struct plan *p, struct err *err)
{
	const struct config *end = plan_end(p);
	setting_set touched = plan_touched(p);
	const char *name = j->port.id.name;

	for (size_t i = 0; i < j->all.count; i++) {
		const struct feature *f = j->all.list[i];
		setting_set has = f->reapply_if_desired ? p->desired.has : end->has;

		if (!(f->rests_on & touched) || !(f->owns & has))
			continue;
		j->written |= f->owns;
		if (!err_at(err, reached_port(j, f->reapply(j->h, &j->port, end, err), err),
			    "%s: writing %s again", name, f->name))
			return false;
	}
	return true;
}
