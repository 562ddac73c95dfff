#include <errno.h>
#include <string.h>

#include "../policy/knob.h"
#include "features.h"
#include "limits.h"
#include "lldpad_traces.h"
#include "wire.h"

/*
 * On mlx5 there is no trust attribute: the port trusts DSCP while it has a DSCP
 * entry. The first entry flips the whole port, deleting the last flips it
 * back, and a deleted DSCP keeps priority 0 in the hardware.
 */
struct table {
	struct dcb_app app[2 * DSCPS]; /* drivers other than mlx5 keep duplicates */
	size_t count;
};

static void note_dscp(const struct dcb_app *a, void *arg)
{
	struct table *t = arg;

	if (a->selector == IEEE_8021QAZ_APP_SEL_DSCP && a->protocol < DSCPS &&
	    t->count < sizeof(t->app) / sizeof(t->app[0]))
		t->app[t->count++] = *a;
}

static bool dscp_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	struct table t = { .count = 0 };

	if (!dcb_each_app(h, port->id.name, note_dscp, &t, err))
		return false;

	for (size_t i = 0; i < t.count; i++)
		if (t.app[i].priority >= PRIOS)
			return err_set(err, ERR_UNKNOWN, ERANGE, APP_PRIORITY_ODD);
	memset(out->dscp.prio, DSCP_NONE, sizeof(out->dscp.prio));
	for (size_t i = 0; i < t.count; i++)
		out->dscp.prio[t.app[i].protocol] = (int8_t)t.app[i].priority;
	out->trust = t.count ? TRUST_DSCP : TRUST_PCP;
	out->has |= feature_dscp.owns;
	return true;
}

static struct dcb_app entry(int dscp, int prio)
{
	return (struct dcb_app){ .selector = IEEE_8021QAZ_APP_SEL_DSCP,
				 .protocol = (uint16_t)dscp,
				 .priority = (uint8_t)prio };
}

static bool is_lossless(const struct config *c, int dscp)
{
	return c->dscp.prio[dscp] >= 0 && (c->pfc.priorities & (1u << c->dscp.prio[dscp]));
}

/* What must be set. Trust flips at the first entry, so the lossless ones go first. */
static size_t to_set(const struct config *from, const struct config *to, struct dcb_app *out)
{
	size_t n = 0;

	for (int lossless = 1; lossless >= 0; lossless--)
		for (int d = 0; d < DSCPS; d++)
			if (to->dscp.prio[d] >= 0 && to->dscp.prio[d] != from->dscp.prio[d] &&
			    is_lossless(to, d) == lossless)
				out[n++] = entry(d, to->dscp.prio[d]);
	return n;
}

/* Entries that are still there and must not be. mlx5 replaced by itself, others did not. */
static size_t to_delete(const struct table *t, const struct config *to, struct dcb_app *out)
{
	size_t n = 0;

	for (size_t i = 0; i < t->count; i++)
		if (t->app[i].priority != to->dscp.prio[t->app[i].protocol])
			out[n++] = t->app[i];
	return n;
}

static bool dscp_write(struct host *h, const struct port *port, const struct config *from,
		       const struct config *to, struct err *err)
{
	struct dcb_app set[DSCPS], del[2 * DSCPS];
	struct table now = { .count = 0 };

	if (!dcb_change_apps(h, port->id.name, DCB_CMD_IEEE_SET, set, to_set(from, to, set), err))
		return false;
	if (!dcb_each_app(h, port->id.name, note_dscp, &now, err))
		return false;
	return dcb_change_apps(h, port->id.name, DCB_CMD_IEEE_DEL, del, to_delete(&now, to, del),
			       err);
}

/*
 * A failed write of the DSCP table leaves mlx5 with its entries, and with trust
 * set back to PCP, which no reading shows. Trust returns only with the first
 * entry after none: so all are deleted and put back. Where a set does not
 * succeed even for an entry that is there, nothing is deleted: it could not
 * be put back.
 */
static bool dscp_mend(struct host *h, const struct port *port, const struct config *next,
		      struct err *err)
{
	struct table now = { .count = 0 };
	struct dcb_app set[DSCPS];
	struct config nothing = { 0 };
	const char *name = port->id.name;

	memset(nothing.dscp.prio, DSCP_NONE, sizeof(nothing.dscp.prio));
	if (next->trust != TRUST_DSCP)
		return true; /* undoing deletes every entry, and that is the cure */
	if (!dcb_each_app(h, name, note_dscp, &now, err))
		return false;
	return dcb_change_apps(h, name, DCB_CMD_IEEE_SET, now.app, now.count > 0, err) &&
	       dcb_change_apps(h, name, DCB_CMD_IEEE_DEL, now.app, now.count, err) &&
	       dcb_change_apps(h, name, DCB_CMD_IEEE_SET, set, to_set(&nothing, next, set), err);
}

/* ice takes a DSCP entry only for a priority below its number of classes. */
static bool dscp_accepts(const struct port *port, const struct facts *facts,
			 const struct config *from, const struct config *to, struct err *err)
{
	for (int d = 0; d < DSCPS && strcmp(port->id.driver, "ice") == 0; d++)
		if (to->dscp.prio[d] >= 0 && to->dscp.prio[d] != from->dscp.prio[d] &&
		    limits_lack_class(facts, (unsigned)to->dscp.prio[d]))
			return limits_refuse_class(facts, err, "DSCP %d has priority %d", d,
						   to->dscp.prio[d]);
	return true;
}

/* Traffic leaves a priority before it loses its guarantee. */
static bool dscp_meet(const struct config *from, const struct config *to, struct config *mid)
{
	mid->trust = to->trust;
	memcpy(mid->dscp.prio, to->dscp.prio, sizeof(mid->dscp.prio));
	return config_withdraws_pfc(from, to);
}

/* ConnectX-4 class parts re-create all channels when trust changes. */
static enum disruption dscp_disrupts(const struct config *from, const struct config *to)
{
	return from->trust != to->trust ? DISRUPTS_TRAFFIC : DISRUPTS_NONE;
}

static const char *dscp_residue(const struct config *from, const struct config *to)
{
	for (int d = 0; d < DSCPS; d++)
		if ((from->dscp.prio[d] >= 0) != (to->dscp.prio[d] >= 0))
			return "a DSCP entry that is deleted, now or by going back, leaves "
			       "priority 0 and "
			       "not DSCP >> 3 in the adapter";
	return NULL;
}

const struct feature feature_dscp = {
	.name = "dscp",
	.phase = PHASE_MARK,
	.owns = KNOB(KNOB_TRUST) | KNOB(KNOB_DSCP_PRIO),
	.source = "dcbnl IEEE APP",
	.read = dscp_read,
	.write = dscp_write,
	.accepts = dscp_accepts,
	.meet = dscp_meet,
	.mend = dscp_mend,
	.disrupts = dscp_disrupts,
	.residue = dscp_residue,
	.suspicion = lldpad_suspicion,
};
