#include "write_step.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- waiting for the link ---- */

#define POLL_MS		20
#define REPORT_MS	2000
#define REPORT_AGAIN_MS 10000
/*
 * Time for the netdev to notice a link flap: mlx5 takes the link down inside the call, but the
 * event reaches the netdev later. Its count of carrier changes proves no flap: it rises for another
 * MTU, too, and for rings and channels (mlx5e_switch_priv_channels(), en_main.c).
 */
#define GRACE_MS 1000
/* Time for a bond to notice: it polls its members, and LACP takes a few messages. */
#define STEADY_MS 1500

/* IEEE 802.1AX, 6.4.2.3: in sync, collecting and distributing. */
#define LACP_IN_USE 0x38

/* True unless the bond reports that its member is not in use. */
static bool bond_takes(struct host *h, const struct port *port)
{
	struct err quiet = { 0 };
	char word[32], *end;
	unsigned long state;

	if (!port->id.bond[0] ||
	    !host_read_file(h, word, sizeof(word), &quiet,
			    "/sys/class/net/%s/bonding_slave/mii_status", port->id.name))
		return true;
	if (strcmp(word, "up") != 0)
		return false;
	if (!host_read_file(h, word, sizeof(word), &quiet,
			    "/sys/class/net/%s/bonding_slave/ad_actor_oper_port_state",
			    port->id.name))
		return true;
	state = strtoul(word, &end, 10);
	return end == word || (state & LACP_IN_USE) == LACP_IN_USE; /* "N/A" without LACP */
}

bool carrier_read(struct host *h, const struct port *port, bool *ret, struct err *err)
{
	struct link link;

	if (!host_link(h, port, &link, err))
		return err_in(err, "%s: reading the link", port->id.name);
	*ret = link.carrier && bond_takes(h, port);
	return true;
}

bool carrier_expected(struct host *h, struct port *port, bool *ret, struct err *err)
{
	if (!carrier_read(h, port, ret, err))
		return false;
	if (*ret || !port->id.bond[0])
		return true;
	port->id.bond[0] = '\0';
	return carrier_read(h, port, ret, err);
}

bool carrier_wait(struct host *h, const struct port *port, bool flaps, bool yields, struct err *err)
{
	uint64_t start = h->now_ms(h), waited = 0, reported = 0, away = 0;
	uint64_t steady = flaps && port->id.bond[0] ? STEADY_MS : 0;
	bool went = !flaps;

	for (; waited < CARRIER_WAIT_MS; waited = h->now_ms(h) - start) {
		bool there;

		if (!carrier_read(h, port, &there, err))
			return false;
		if (h->no_link_wait && h->interrupted(h))
			return true;
		if (!there) {
			away = waited;
			went = true;
		}
		if (there && (went || waited >= GRACE_MS) && waited - away >= steady)
			return true;
		if (yields && h->interrupted(h))
			return err_set(err, ERR_INTERRUPTED, h->interrupted(h), "interrupted (%s)",
				       strsignal(h->interrupted(h)));
		if (waited - reported >= (reported ? REPORT_AGAIN_MS : REPORT_MS)) {
			host_report(h, PROGRESS_WAIT, port->id.name,
				    "waiting for the link to come back (%u s of %d s)",
				    (unsigned)(waited / 1000), CARRIER_WAIT_MS / 1000);
			reported = waited;
		}
		host_sleep(h, POLL_MS);
	}
	err_record(err, ERR_SYSTEM, ENETDOWN, "the link did not come back within %d s",
		   CARRIER_WAIT_MS / 1000);
	return err_fix(err, "check the cable and the switch's port");
}

/* ---- one step ---- */

bool write_wait_for_link(struct apply_ctx *ctx, bool flaps, struct err *err)
{
	bool ok = carrier_wait(ctx->h, &ctx->port, flaps, !ctx->rolling_back, err);

	ctx->link_stays_down = !ok && err->code == ENETDOWN;
	ctx->wait_was_cut = !ok && err->kind == ERR_INTERRUPTED;
	return ok;
}

/* A bond sees its member lose the carrier when mlx5 makes other queues, and takes it out. */
static bool reapply(struct apply_ctx *ctx, const struct step *s, struct err *err)
{
	bool flaps = s->disrupts == DISRUPTS_LINK;
	bool blinks = s->disrupts >= DISRUPTS_TRAFFIC && ctx->port.id.bond[0];

	if (!(flaps || blinks) || !ctx->had_carrier || ctx->link_stays_down)
		return true;
	return write_wait_for_link(ctx, true, err) &&
	       (!flaps || !s->feature->reapply ||
		s->feature->reapply(ctx->h, &ctx->port, &s->after, err));
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

bool write_step(struct apply_ctx *ctx, const struct config *from, const struct step *s,
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

bool write_dependents(struct apply_ctx *ctx, const struct plan *p, struct err *err)
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
