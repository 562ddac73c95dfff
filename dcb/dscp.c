#include <errno.h>
#include <string.h>

#include "../policy/model/setting.h"
#include "dcbnl.h"
#include "driver.h"
#include "registry.h"
#include "lldpad/config_file.h"

/*
 * mlx5 has no trust attribute: the port trusts DSCP while it has a DSCP entry. The first entry
 * switches the whole port, deleting the last one switches it back, and a deleted DSCP keeps
 * priority 0 in the hardware.
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
			return err_set(err, ERR_UNKNOWN, ERANGE, APP_PRIORITY_INVALID);
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

static bool dscp_is_lossless(const struct config *c, int dscp)
{
	return c->dscp.prio[dscp] >= 0 && (c->pfc.priorities & (1u << c->dscp.prio[dscp]));
}

/* The entries to set. Lossless ones come first, because the first entry switches trust. */
static size_t to_set(const struct config *from, const struct config *to, struct dcb_app *out)
{
	size_t n = 0;

	for (int lossless = 1; lossless >= 0; lossless--)
		for (int d = 0; d < DSCPS; d++)
			if (to->dscp.prio[d] >= 0 && to->dscp.prio[d] != from->dscp.prio[d] &&
			    dscp_is_lossless(to, d) == lossless)
				out[n++] = entry(d, to->dscp.prio[d]);
	return n;
}

static size_t every_entry(const struct config *to, struct dcb_app *out)
{
	struct config none = { 0 };

	memset(none.dscp.prio, DSCP_NONE, sizeof(none.dscp.prio));
	return to_set(&none, to, out);
}

/* The entries to delete. mlx5 replaces an entry by itself; other drivers keep the old one. */
static size_t to_delete(const struct table *t, const struct config *to, struct dcb_app *out)
{
	size_t n = 0;

	for (size_t i = 0; i < t->count; i++)
		if (t->app[i].priority != to->dscp.prio[t->app[i].protocol])
			out[n++] = t->app[i];
	return n;
}

/* True if an entry is gone although deleting it failed with `why`: the port itself was there. */
static bool entry_is_gone(struct host *h, const char *port, const struct dcb_app *entry,
			  const struct err *why)
{
	struct table now = { .count = 0 };
	struct err quiet = { 0 };

	if (!dcb_each_app(h, port, note_dscp, &now, &quiet))
		return why->kind != ERR_GONE;
	for (size_t i = 0; i < now.count; i++)
		if (now.app[i].protocol == entry->protocol &&
		    now.app[i].priority == entry->priority)
			return false;
	return true;
}

/*
 * Judges a deletion that failed. mlx5e_dcbnl_ieee_delapp() drops an entry before it asks the
 * adapter. If the adapter fails, the port no longer trusts DSCP, and no later entry restores trust,
 * as the driver still counts this one. If the first entry is still listed, it was refused before
 * that point. The driver refuses none of the others: there, only the adapter fails.
 */
static bool failed_to_delete(struct host *h, const struct port *port, const struct dcb_app *first,
			     const struct err *why, struct err *err)
{
	const char *name = port->id.name;

	err_record(err, why->kind, why->code, "%s", why->text);
	if (!is_mlx5(port) || !entry_is_gone(h, name, first, why))
		return false;
	err->unseen |= SETTING(SETTING_TRUST);
	err->stuck |= SETTING(SETTING_TRUST);
	host_report(h, PROGRESS_WAIT, name,
		    "the driver now counts one DSCP entry too many: reload it before you "
		    "set trust to dscp again");
	return false;
}

static bool delete_each(struct host *h, const struct port *port, const struct dcb_app *del,
			size_t count, struct err *err)
{
	for (size_t i = 0; i < count; i++) {
		struct err why = { 0 };

		if (!dcb_change_apps(h, port->id.name, DCB_CMD_IEEE_DEL, &del[i], 1, &why) &&
		    why.code != ENOENT) /* the entry exists */
			return failed_to_delete(h, port, &del[i], &why, err);
	}
	return true;
}

/*
 * Deletes entries with one message, because the kernel reads all of the port's DCB after each for
 * its notification (dcbnl_ieee_del()). It stops at an entry that is gone already, and does not say
 * which: they are then deleted one by one.
 */
static bool delete_entries(struct host *h, const struct port *port, const struct dcb_app *del,
			   size_t count, struct err *err)
{
	struct err why = { 0 };

	if (dcb_change_apps(h, port->id.name, DCB_CMD_IEEE_DEL, del, count, &why))
		return true;
	return why.code == ENOENT ? delete_each(h, port, del, count, err)
				  : failed_to_delete(h, port, del, &why, err);
}

#define DELETE_TRIES 2

/* True only if no entry is listed afterwards: a remaining one would keep trust from returning. */
static bool delete_all(struct host *h, const struct port *port, struct err *err)
{
	for (int tries = 0; tries <= DELETE_TRIES; tries++) {
		struct table now = { .count = 0 };

		if (!dcb_each_app(h, port->id.name, note_dscp, &now, err))
			return false;
		if (now.count == 0)
			return true;
		if (!delete_entries(h, port, now.app, now.count, err))
			return false;
	}
	return err_set(err, ERR_SYSTEM, EIO, "DSCP entries that were deleted are still listed");
}

/* Sets entries on a port without any; on failure it deletes them again. */
static bool set_all_entries(struct host *h, const struct port *port, const struct config *to,
			    struct err *err)
{
	struct dcb_app set[DSCPS];
	struct err quiet = { 0 };

	return dcb_change_apps(h, port->id.name, DCB_CMD_IEEE_SET, set, every_entry(to, set),
			       &quiet) ||
	       delete_all(h, port, err);
}

/* A driver refuses an existing entry before it changes trust. One failure alone is no refusal. */
static bool refuses(struct host *h, const char *port, const struct dcb_app *entry)
{
	struct err quiet = { 0 };
	bool done = dcb_change_apps(h, port, DCB_CMD_IEEE_SET, entry, 1, &quiet);

	return !done && !dcb_change_apps(h, port, DCB_CMD_IEEE_SET, entry, 1, &quiet);
}

/*
 * Restores trust after a failed write. mlx5e_dcbnl_ieee_setapp() that fails half way keeps the
 * entries and resets trust to PCP, which no read shows. Trust returns with the first entry after
 * none: delete all, and set them again.
 */
static void restore_trust(struct host *h, const struct port *port, const struct config *from,
			  struct err *err)
{
	struct config listed = *from;
	struct dcb_app set[DSCPS];
	struct err quiet = { 0 };

	if (!is_mlx5(port))
		return;
	if (!dscp_read(h, port, &listed, &quiet)) {
		err->unseen |= err->kind != ERR_GONE ? SETTING(SETTING_TRUST) : 0;
		return;
	}
	if (!every_entry(&listed, set) || refuses(h, port->id.name, set))
		return;
	if (!delete_all(h, port, &quiet) || !set_all_entries(h, port, &listed, &quiet))
		err->unseen |= SETTING(SETTING_TRUST);
	err->stuck |= quiet.stuck;
}

/* True if entries are listed and the port still does not trust DSCP. */
static bool has_lost_trust(const struct port *port, const struct config *from)
{
	struct dcb_app listed[DSCPS];

	return is_mlx5(port) && from->trust == TRUST_PCP && every_entry(from, listed) > 0;
}

static bool dscp_write(struct host *h, const struct port *port, const struct config *from,
		       const struct config *to, struct err *err)
{
	struct dcb_app set[DSCPS], del[2 * DSCPS];
	struct table now = { .count = 0 };
	const char *name = port->id.name;

	if (to->trust == TRUST_DSCP && has_lost_trust(port, from))
		return delete_all(h, port, err) &&
		       dcb_change_apps(h, name, DCB_CMD_IEEE_SET, set, every_entry(to, set), err);
	if (!dcb_change_apps(h, name, DCB_CMD_IEEE_SET, set, to_set(from, to, set), err)) {
		restore_trust(h, port, from, err);
		return false;
	}
	return dcb_each_app(h, name, note_dscp, &now, err) &&
	       delete_entries(h, port, del, to_delete(&now, to, del), err);
}

/* A failed write may leave the port without entries, and rolling back deletes them too. */
static setting_set dscp_risks(const struct config *from, const struct config *to)
{
	(void)from;
	(void)to;
	return feature_dscp.owns;
}

/* Move traffic off a priority before it loses its guarantee. */
static bool dscp_intermediate(const struct config *from, const struct config *to,
			      struct config *mid)
{
	mid->trust = to->trust;
	memcpy(mid->dscp.prio, to->dscp.prio, sizeof(mid->dscp.prio));
	return config_withdraws_pfc(from, to);
}

/*
 * mlx5e_set_trust_state() re-creates all channels if the adapter needs packet headers in its work
 * requests, as ConnectX-4 does (mlx5e_params_calc_trust_tx_min_inline_mode()).
 */
static enum disruption dscp_disrupts(const struct port *port, const struct config *from,
				     const struct config *to)
{
	if (from->trust == to->trust || (is_mlx5(port) && !port->is_connectx4))
		return DISRUPTS_NONE;
	return DISRUPTS_TRAFFIC;
}

static const char *dscp_irreversible(const struct port *port, const struct config *from,
				     const struct config *to)
{
	for (int d = 0; d < DSCPS; d++)
		if ((from->dscp.prio[d] >= 0) != (to->dscp.prio[d] >= 0))
			return is_mlx5(port)
				       ? "deleting a DSCP entry, now or by rollback, maps that "
					 "DSCP to priority 0, not DSCP >> 3"
				       : NULL;
	return NULL;
}

/* A write of entries that fails half way loses the port's trust. */
static setting_set dscp_may_lose(const struct port *port)
{
	return is_mlx5(port) ? SETTING(SETTING_TRUST) : 0;
}

const struct feature feature_dscp = {
	.name = "dscp",
	.owns = SETTING(SETTING_TRUST) | SETTING(SETTING_DSCP_PRIO),
	.source = "dcbnl IEEE APP",
	.read = dscp_read,
	.write = dscp_write,
	.may_lose = dscp_may_lose,
	.intermediate = dscp_intermediate,
	.risks = dscp_risks,
	.disrupts = dscp_disrupts,
	.irreversible = dscp_irreversible,
	.likely_cause = lldpad_likely_cause,
};
