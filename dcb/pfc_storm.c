#include <errno.h>
#include <linux/ethtool.h>

#include "../policy/model/setting.h"
#include "driver.h"
#include "ethtool.h"
#include "registry.h"

static bool storm_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	uint16_t ms;

	if (!owns_port_registers(port, err) ||
	    !ethtool_get_tunable(h, port->id.name, ETHTOOL_PFC_PREVENTION_TOUT, &ms, err))
		return false;

	if (ms > settings[SETTING_PFC_STORM_TIMEOUT_MS].max)
		return err_set(err, ERR_UNKNOWN, ERANGE, "%u ms is out of range for this timeout",
			       ms);

	out->pfc.storm_timeout_ms = ms;
	out->has |= feature_storm.owns;
	return true;
}

static bool storm_write(struct host *h, const struct port *port, const struct config *from,
			const struct config *to, struct err *err)
{
	uint16_t ms = to->pfc.storm_timeout_ms;

	(void)from;
	return ethtool_set_tunable(h, port->id.name, ETHTOOL_PFC_PREVENTION_TOUT,
				   ms == STORM_AUTO ? PFC_STORM_PREVENTION_AUTO : ms, err);
}

const struct feature feature_storm = {
	.name = "pfc-storm",
	.owns = SETTING(SETTING_PFC_STORM_TIMEOUT_MS),
	.source = "ethtool pfc-prevention-tout",
	.read = storm_read,
	.write = storm_write,
};
