#include <errno.h>

#include "../agent/host/host_facts.h"
#include "../policy/model/setting.h"
#include "dcbnl.h"
#include "driver.h"
#include "lldpad/configure.h"
#include "registry.h"

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
 * Says why a driver that applied PFC then failed. MLNX_OFED's sizes the buffers by the link's
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
		       "MLNX_OFED's driver applied PFC, and could not size the buffers without "
		       "a link: another tool sized them before (mlnx_qos --buffer_size); reset "
		       "the adapter's firmware, so that it owns them again");
}

/* Writes back the delay that was read, which is the cable's length to mlx5. */
static bool pfc_write(struct host *h, const struct port *port, const struct config *from,
		      const struct config *to, struct err *err)
{
	struct ieee_pfc k;

	(void)from;
	if (!dcb_get(h, port->id.name, DCB_ATTR_IEEE_PFC, &k, sizeof(k), err))
		return false;

	k.pfc_en = to->pfc.priorities;
	return dcb_set(h, port->id.name, DCB_ATTR_IEEE_PFC, &k, sizeof(k), err) ||
	       explain_half_done(h, port, to, err);
}

/*
 * Writing the same mask does not flap the link. mlx5 then recomputes headroom from the link speed
 * (40 Gb/s while the link was down) and the MTU, whose change alone does not trigger that.
 */
static bool pfc_reapply(struct host *h, const struct port *port, const struct config *to,
			struct err *err)
{
	if (!to->pfc.priorities || pfc_write(h, port, to, to, err))
		return true;
	return err->code == ENOMEM && err_fix_headroom(err);
}

/* mlx5e_dcbnl_ieee_setpfc() writes the register that also holds 802.3x pause. */
static void pfc_side_effects(const struct port *port, const struct config *from,
			     const struct config *to, struct config *after)
{
	(void)from;
	(void)to;
	if (!is_mlx5(port))
		return;
	after->pause.rx = false;
	after->pause.tx = false;
}

/* mlx5: a new mask resizes the buffers, unless a program has written some since power on. */
static setting_set pfc_unsettles(const struct port *port)
{
	setting_set buffers =
		SETTING(SETTING_BUFFER_SIZE_BYTES) | SETTING(SETTING_BUFFER_PRIO_BUFFER);

	return is_mlx5(port) ? buffers : 0;
}

/*
 * Withdraw PFC from a priority before its buffer is written: a buffer cannot shrink while its
 * priority is lossless.
 */
static bool pfc_intermediate(const struct config *from, const struct config *to, struct config *mid)
{
	setting_set buffers =
		SETTING(SETTING_BUFFER_SIZE_BYTES) | SETTING(SETTING_BUFFER_PRIO_BUFFER);

	mid->pfc.priorities = from->pfc.priorities & to->pfc.priorities;
	return mid->pfc.priorities != from->pfc.priorities &&
	       (config_diff(to, from) & buffers & from->has);
}

/* mlx5e_dcbnl_ieee_setpfc() toggles the link. */
static enum disruption pfc_disrupts(const struct port *port, const struct config *from,
				    const struct config *to)
{
	(void)port;
	(void)from;
	(void)to;
	return DISRUPTS_LINK;
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
	.owns = SETTING(SETTING_PFC_PRIORITIES),
	.source = "dcbnl IEEE PFC, written by lldpad",
	.in_charge = lldpad_writes_here,
	.writes_by_program = true,
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
