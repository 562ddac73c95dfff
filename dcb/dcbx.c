#include "../policy/model/setting.h"
#include "dcbnl.h"
#include "registry.h"
#include "lldpad/configure.h"

/* Through an lldpad that writes, and is willing. */
static bool switch_decides(struct host *h, const struct port *port, bool *ret, struct err *err)
{
	struct lldpad l;
	struct err none = { 0 };

	*ret = false;
	return !lldpad_open(h, &l, &none) || lldpad_follows(&l, port->id.name, ret, err);
}

/* The kernel's mode for both: the host, by itself or by what lldpad takes from the switch. */
static bool stop_following(struct host *h, const struct port *port, struct err *err)
{
	struct lldpad l;

	return lldpad_open(h, &l, err) && lldpad_stop_following(&l, port->id.name, err);
}

/* After a set, mlx5 echoes the byte last written, so only the HOST bit tells who is in charge. */
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
 * HOST|IEEE is the one byte that mlx5, bnxt and mlxsw all take for "the host";
 * 0 gives the port back to mlx5 firmware. Writing an unchanged mode is refused
 * by ice, so the engine's habit of writing only differences matters here.
 */
static bool dcbx_write(struct host *h, const struct port *port, const struct config *from,
		       const struct config *to, struct err *err)
{
	bool host = to->dcbx.mode != DCBX_FIRMWARE;

	/* The switch is followed last of all, when lldpad has what it falls back to: advertise.c.
	 */
	if (from->dcbx.mode == DCBX_SWITCH && !stop_following(h, port, err))
		return false;
	if (dcb_set_dcbx(h, port->id.name, host ? DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE : 0,
			 err))
		return true;
	if (host && err->kind == ERR_SYSTEM)
		err_fix(err, "an LLDP agent in the adapter's firmware keeps DCBX: turn it off "
			     "(ice: ethtool --set-priv-flags PORT fw-lldp-agent off; others: the "
			     "maker's tool), or leave dcbx, pfc and ets out of the policy");
	return false;
}

const struct feature feature_dcbx = {
	.name = "dcbx",
	.phase = PHASE_AUTHORITY,
	.owns = SETTING(SETTING_DCBX_MODE),
	.source = "dcbnl DCBX",
	.read = dcbx_read,
	.write = dcbx_write,
};
