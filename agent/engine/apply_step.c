#include "apply_step.h"

#include <errno.h>
#include <stdio.h>

#include "link_wait.h"

static bool reapply(const struct apply_ctx *ctx, const struct step *s, struct err *err)
{
	if (s->disrupts < DISRUPTS_LINK || !ctx->had_carrier)
		return true;
	return carrier_wait(ctx->h, &ctx->port, true, err) &&
	       (!s->feature->reapply || s->feature->reapply(ctx->h, &ctx->port, &s->after, err));
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
static bool reached_port(const struct apply_ctx *ctx, bool ok, struct err *err)
{
	struct err moved = { 0 };
	struct link now;

	if (host_link(ctx->h, &ctx->port, &now, &moved))
		return ok;
	if (moved.code == ESTALE && another_port_has(ctx->h, &ctx->port))
		snprintf(ctx->ret->misdirected, sizeof(ctx->ret->misdirected), "%.15s",
			 ctx->port.id.name);
	if (ok || moved.code == ESTALE)
		*err = moved; /* the cause of any other error */
	return false;
}

bool apply_step(struct apply_ctx *ctx, const struct config *from, const struct step *s,
		struct err *err)
{
	const char *name = ctx->port.id.name, *feature = s->feature->name;
	bool flaps = s->disrupts == DISRUPTS_LINK && ctx->had_carrier;
	uint64_t changes = ctx->h->changes;
	bool there, ok;

	/* Fails before the write if another port has the name now. */
	if (!carrier_read(ctx->h, &ctx->port, &there, err))
		return false;
	host_report(ctx->h, flaps ? PROGRESS_WAIT : PROGRESS_STEP, name, "writing %s%s", feature,
		    flaps ? " (the link will flap)" : "");
	ok = err_at(err, s->feature->write(ctx->h, &ctx->port, from, &s->after, err),
		    "%s: writing %s", name, feature) &&
	     err_at(err, reapply(ctx, s, err), "%s: after writing %s", name, feature);
	ctx->unseen |= err->unseen;
	ctx->stuck |= err->stuck;
	if (ok)
		ctx->unseen &= ~s->change | ctx->stuck;
	ctx->written |= ctx->h->changes != changes ? s->change | s->side | s->risk : 0;
	return err_at(err, reached_port(ctx, ok, err), "%s: writing %s", name, feature);
}

bool apply_dependent(struct apply_ctx *ctx, const struct plan *p, struct err *err)
{
	const struct config *end = plan_end(p);
	setting_set touched = plan_touched(p);
	const char *name = ctx->port.id.name;

	for (size_t i = 0; i < ctx->all.count; i++) {
		const struct feature *f = ctx->all.list[i];
		setting_set has = f->reapply_if_desired ? p->desired.has : end->has;

		if (!(f->rests_on & touched) || !(f->owns & has))
			continue;
		ctx->written |= f->owns;
		if (!err_at(err, reached_port(ctx, f->reapply(ctx->h, &ctx->port, end, err), err),
			    "%s: writing %s again", name, f->name))
			return false;
	}
	return true;
}
