#include <errno.h>
#include <linux/dcbnl.h>

#include "../policy/model/setting.h"
#include "dcbnl.h"
#include "driver.h"
#include "registry.h"

/* mlx5 reports 0 without buffer registers; MLNX_OFED's driver until somebody sets a length. */
static bool has_buffers(struct host *h, const struct port *port, struct err *err)
{
	struct dcbnl_buffer k;

	if (dcb_get(h, port->id.name, DCB_ATTR_DCB_BUFFER, &k, sizeof(k), err))
		return true;
	return err->kind == ERR_UNSUPPORTED &&
	       err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP,
		       "the adapter has no receive buffers to size");
}

static bool cable_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	struct ieee_pfc k;

	/* Drivers do not report the unit of the PFC delay. */
	if (!is_mlx5(port))
		return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP,
			       "the driver does not support a cable length");
	if (!dcb_get(h, port->id.name, DCB_ATTR_IEEE_PFC, &k, sizeof(k), err))
		return false;
	if (k.delay == 0 && !has_buffers(h, port, err))
		return false;

	out->pfc.cable_m = k.delay;
	out->has |= feature_cable.owns;
	return true;
}

/* Writes the current mask along with it: the mask does not change, so the link does not flap. */
static bool cable_write(struct host *h, const struct port *port, const struct config *from,
			const struct config *to, struct err *err)
{
	struct ieee_pfc k;

	(void)from;
	if (!dcb_get(h, port->id.name, DCB_ATTR_IEEE_PFC, &k, sizeof(k), err))
		return false;

	k.delay = to->pfc.cable_m;
	return dcb_set(h, port->id.name, DCB_ATTR_IEEE_PFC, &k, sizeof(k), err);
}

static bool cable_accepts(const struct port *port, const struct capabilities *capabilities,
			  const struct config *from, const struct config *to, struct err *err)
{
	(void)port;
	(void)from;
	if (to->pfc.cable_m || capabilities->maker != MAKER_KERNEL)
		return true;
	err_record(err, ERR_REFUSED, EINVAL, "the driver ignores a cable length of 0");
	return err_fix(err, "set the cable's length in metres, or remove pfc.cable_m");
}

/*
 * The driver checks the cable against the current sizes, and sizes against the current cable. So a
 * shorter cable is written before the buffers shrink, a longer one after they have grown.
 */
static bool cable_intermediate(const struct config *from, const struct config *to,
			       struct config *mid)
{
	if (to->pfc.cable_m < mid->pfc.cable_m)
		mid->pfc.cable_m = to->pfc.cable_m;
	return mid->pfc.cable_m != from->pfc.cable_m;
}

const struct feature feature_cable = {
	.name = "pfc-cable",
	.owns = SETTING(SETTING_PFC_CABLE_M),
	.source = "dcbnl IEEE PFC",
	.read = cable_read,
	.write = cable_write,
	.accepts = cable_accepts,
	.intermediate = cable_intermediate,
};
