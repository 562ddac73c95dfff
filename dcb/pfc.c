#include <errno.h>
#include <string.h>

#include "../agent/host/host_facts.h"
#include "../policy/model/setting.h"
#include "dcbnl.h"
#include "driver.h"
#include "registry.h"
#include "lldpad/configure.h"

static bool pfc_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	struct ieee_pfc k;

	if (!dcb_get(h, port->id.name, DCB_ATTR_IEEE_PFC, &k, sizeof(k), err))
		return false;

	out->pfc.priorities = k.pfc_en;
	out->has |= feature_pfc.owns;
	return true;
}

/*
 * Writes the ETS configuration of bnxt back as it reads. bnxt assigns queues to lossless classes,
 * and refuses PFC as long as nobody has set any class; ETS then reads as all zero, which is a valid
 * setup.
 */
static bool sets_first_classes(struct host *h, const struct port *port, struct err *err)
{
	static const struct ieee_ets none;
	struct ieee_ets k, kept;
	struct err quiet = { 0 };

	if (err->code != EINVAL ||
	    !dcb_get(h, port->id.name, DCB_ATTR_IEEE_ETS, &k, sizeof(k), &quiet))
		return false;
	kept = k;
	k.ets_cap = 0;
	return memcmp(&k, &none, sizeof(k)) == 0 &&
	       dcb_set(h, port->id.name, DCB_ATTR_IEEE_ETS, &kept, sizeof(kept), &quiet);
}

/*
 * Says why a driver that applied PFC then failed. NVIDIA's own sizes the buffers by the link's
 * speed where software owns them, and a new mask has just taken the link down
 * (mlx5e_dcbnl_ieee_setpfc(), mlx5e_port_linkspeed()).
 */
static bool explain_half_done(struct host *h, const struct port *port, const struct config *to,
			      struct err *err)
{
	struct err quiet = { 0 };
	struct ieee_pfc k;

	if (err->code != EINVAL ||
	    !dcb_get(h, port->id.name, DCB_ATTR_IEEE_PFC, &k, sizeof(k), &quiet) ||
	    k.pfc_en != to->pfc.priorities || !host_has_nvidia_driver(h))
		return false;
	err->fix[0] = '\0';
	return err_fix(err,
		       "NVIDIA's own driver applied PFC, and could not size the buffers without "
		       "a link: another tool sized them before (mlnx_qos --buffer_size); reset "
		       "the adapter's firmware, so that it owns them again");
}

/* Writes back the delay that was read: drivers other than mlx5 define it differently. */
static bool pfc_write(struct host *h, const struct port *port, const struct config *from,
		      const struct config *to, struct err *err)
{
	struct ieee_pfc k;

	(void)from;
	if (!dcb_get(h, port->id.name, DCB_ATTR_IEEE_PFC, &k, sizeof(k), err))
		return false;

	k.pfc_en = to->pfc.priorities;
	if (dcb_set(h, port->id.name, DCB_ATTR_IEEE_PFC, &k, sizeof(k), err))
		return true;
	if (!sets_first_classes(h, port, err))
		return explain_half_done(h, port, to, err);
	*err = (struct err){ 0 };
	return dcb_set(h, port->id.name, DCB_ATTR_IEEE_PFC, &k, sizeof(k), err);
}

/*
 * Writing the same mask does not flap the link. mlx5 then recomputes headroom from the link speed
 * (40 Gb/s while the link was down) and the MTU, whose change alone does not trigger that. bnxt
 * moves lossless classes to lossless queues.
 */
static bool pfc_reapply(struct host *h, const struct port *port, const struct config *to,
			struct err *err)
{
	if (!to->pfc.priorities || pfc_write(h, port, to, to, err))
		return true;
	return err->code == ENOMEM && err_fix_headroom(err);
}

static void pfc_side_effects(const struct port *port, const struct config *from,
			     const struct config *to, struct config *after)
{
	(void)from;
	(void)to;
	if (!driver_of(port)->pfc_clears_pause)
		return;
	after->pause.rx = false;
	after->pause.tx = false;
}

static setting_set pfc_unsettles(const struct port *port)
{
	setting_set buffers =
		SETTING(SETTING_BUFFER_SIZE_BYTES) | SETTING(SETTING_BUFFER_PRIO_BUFFER);

	return driver_of(port)->pfc_sizes_buffers ? buffers : 0;
}

/*
 * Withdraw PFC from a priority before its buffer is written: a buffer cannot shrink while its
 * priority is lossless.
 */
static bool pfc_intermediate(const struct port *port, const struct config *from,
			     const struct config *to, struct config *mid)
{
	(void)port;
	setting_set buffers =
		SETTING(SETTING_BUFFER_SIZE_BYTES) | SETTING(SETTING_BUFFER_PRIO_BUFFER);

	mid->pfc.priorities = from->pfc.priorities & to->pfc.priorities;
	return mid->pfc.priorities != from->pfc.priorities &&
	       (config_diff(to, from) & buffers & from->has);
}

static enum disruption pfc_disrupts(const struct port *port, const struct config *from,
				    const struct config *to)
{
	(void)from;
	(void)to;
	return driver_of(port)->pfc;
}

static bool pfc_has(struct host *h, const struct port *port, const struct config *to, bool *ret,
		    struct err *err)
{
	struct config now = { 0 };

	if (!pfc_read(h, port, &now, err))
		return false;
	*ret = now.pfc.priorities == to->pfc.priorities;
	return true;
}

static bool pfc_write_by_lldpad(struct host *h, const struct port *port, const struct config *from,
				const struct config *to, struct err *err)
{
	return lldpad_write(h, port, from, to, pfc_has, err);
}

const struct feature feature_pfc_lldpad = {
	.name = "pfc",
	.phase = PHASE_LOSSLESS,
	.owns = SETTING(SETTING_PFC_PRIORITIES),
	.source = "dcbnl IEEE PFC, written by lldpad",
	.in_charge = lldpad_writes_here,
	.read = pfc_read,
	.write = pfc_write_by_lldpad,
	.reapply = pfc_reapply,
	.side_effects = pfc_side_effects,
	.unsettles = pfc_unsettles,
	.intermediate = pfc_intermediate,
	.disrupts = pfc_disrupts,
};

const struct feature feature_pfc = {
	.name = "pfc",
	.phase = PHASE_LOSSLESS,
	.owns = SETTING(SETTING_PFC_PRIORITIES),
	.source = "dcbnl IEEE PFC",
	.read = pfc_read,
	.write = pfc_write,
	.reapply = pfc_reapply,
	.silent = SETTING(SETTING_PAUSE_RX) | SETTING(SETTING_PAUSE_TX),
	.rests_on = SETTING(SETTING_MTU) | SETTING(SETTING_ETS_PRIO_TC),
	.side_effects = pfc_side_effects,
	.unsettles = pfc_unsettles,
	.intermediate = pfc_intermediate,
	.disrupts = pfc_disrupts,
};
