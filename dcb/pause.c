#include <errno.h>

#include "../policy/model/setting.h"
#include "driver.h"
#include "ethtool.h"
#include "registry.h"

/*
 * "Off" only counts if it is read twice. get_pauseparam() cannot return an error: if mlx5 fails to
 * query the register, it reports "off" (mlx5e_ethtool_get_pauseparam() in en_ethtool.c).
 */
static bool get_confirmed(struct host *h, const char *port, struct pause_params *ret,
			  struct err *err)
{
	return ethtool_get_pause(h, port, ret, err) &&
	       (ret->rx || ret->tx || ethtool_get_pause(h, port, ret, err));
}

static bool pause_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	struct pause_params p;

	if (!owns_port_registers(port, err) || !get_confirmed(h, port->id.name, &p, err))
		return false;

	out->pause.rx = p.rx;
	out->pause.tx = p.tx;
	out->has |= feature_pause.owns;
	return true;
}

/* No rollback could turn the negotiation on again: the settings do not have it. */
static bool is_fixed(struct host *h, const struct port *port, struct err *err)
{
	struct pause_params now;

	if (is_mlx5(port))
		return true;
	if (!ethtool_get_pause(h, port->id.name, &now, err))
		return false;
	if (!now.autoneg)
		return true;
	err_record(err, ERR_REFUSED, EBUSY, "the port negotiates pause with its peer");
	return err_fix(err,
		       "turn off the autonegotiation of pause, or leave pause.rx and pause.tx out");
}

static bool pause_write(struct host *h, const struct port *port, const struct config *from,
			const struct config *to, struct err *err)
{
	struct pause_params p = { .rx = to->pause.rx, .tx = to->pause.tx };

	(void)from;
	return is_fixed(h, port, err) && ethtool_set_pause(h, port->id.name, &p, err);
}

const struct feature feature_pause = {
	.name = "pause",
	.owns = SETTING(SETTING_PAUSE_RX) | SETTING(SETTING_PAUSE_TX),
	.source = "ethtool pause",
	.read = pause_read,
	.write = pause_write,
};
