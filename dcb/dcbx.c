#include "../policy/model/setting.h"
#include "dcbnl.h"
#include "registry.h"
#include "lldpad/configure.h"

/* True if an lldpad that writes to this port is willing; one outside this container may be. */
static bool switch_decides(struct host *h, const struct port *port, bool *ret, struct err *err)
{
	struct lldpad l;
	struct err why = { 0 };

	*ret = false;
	if (lldpad_open(h, &l, &why))
		return lldpad_follows(&l, port->id.name, ret, err);
	if (why.kind != ERR_UNKNOWN)
		return true;
	*err = why;
	return false;
}

/* Makes lldpad unwilling. The kernel's DCBX mode is "host" with and without a willing lldpad. */
static bool stop_following(struct host *h, const struct port *port, struct err *err)
{
	struct lldpad l;

	return lldpad_open(h, &l, err) && lldpad_stop_following(&l, port->id.name, err);
}

/* mlx5 returns the byte last written, so only its HOST bit tells who is in charge. */
static bool dcbx_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	bool follows;
	uint8_t byte;

	if (!dcb_get_dcbx(h, port->id.name, &byte, err) || !switch_decides(h, port, &follows, err))
		return false;

	out->dcbx.mode = dcbx_is_firmwares(byte) ? DCBX_FIRMWARE
			 : follows		 ? DCBX_SWITCH
						 : DCBX_HOST;
	out->has |= feature_dcbx.owns;
	return true;
}

/*
 * HOST|IEEE is the byte that drivers accept as "the host"; 0 returns the port to mlx5's firmware.
 */
static bool dcbx_write(struct host *h, const struct port *port, const struct config *from,
		       const struct config *to, struct err *err)
{
	bool host = to->dcbx.mode != DCBX_FIRMWARE;

	/*
	 * Following the switch starts last, once lldpad has its fallback configuration: see
	 * advertise.c.
	 */
	if (from->dcbx.mode == DCBX_SWITCH && !stop_following(h, port, err))
		return false;
	if (dcb_set_dcbx(h, port->id.name, host ? DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE : 0,
			 err))
		return true;
	if (host && err->kind == ERR_SYSTEM)
		err_fix(err, "an LLDP agent in the adapter's firmware keeps DCBX: turn it off "
			     "with the vendor's tool, or remove dcbx, pfc and ets from the policy");
	return false;
}

const struct feature feature_dcbx = {
	.name = "dcbx",
	.owns = SETTING(SETTING_DCBX_MODE),
	.source = "dcbnl DCBX",
	.read = dcbx_read,
	.write = dcbx_write,
};
