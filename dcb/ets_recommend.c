/* The ETS recommendation to the peer. Some drivers store it; mlx5 ignores it and reads 0. */
#include <string.h>

#include "../policy/model/setting.h"
#include "dcbnl.h"
#include "registry.h"

static bool reco_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	struct ieee_ets k;

	if (!dcb_get(h, port->id.name, DCB_ATTR_IEEE_ETS, &k, sizeof(k), err))
		return false;

	memcpy(out->ets.reco_prio_tc, k.reco_prio_tc, sizeof(k.reco_prio_tc));
	memcpy(out->ets.reco_bandwidth, k.tc_reco_bw, sizeof(k.tc_reco_bw));
	for (int tc = 0; tc < PRIOS; tc++)
		out->ets.reco_tsa[tc] = tsa_from_kernel(k.tc_reco_tsa[tc]);
	out->has |= feature_reco.owns;
	return true;
}

static bool reco_write(struct host *h, const struct port *port, const struct config *from,
		       const struct config *to, struct err *err)
{
	struct ieee_ets k;

	(void)from;
	if (!dcb_get(h, port->id.name, DCB_ATTR_IEEE_ETS, &k, sizeof(k), err))
		return false;

	memcpy(k.reco_prio_tc, to->ets.reco_prio_tc, sizeof(k.reco_prio_tc));
	memcpy(k.tc_reco_bw, to->ets.reco_bandwidth, sizeof(k.tc_reco_bw));
	for (int tc = 0; tc < PRIOS; tc++)
		k.tc_reco_tsa[tc] = tsa_to_kernel(to->ets.reco_tsa[tc]);
	return dcb_set(h, port->id.name, DCB_ATTR_IEEE_ETS, &k, sizeof(k), err);
}

const struct feature feature_reco = {
	.name = "ets-reco",
	.phase = PHASE_ETS,
	.owns = SETTING(SETTING_ETS_RECO_PRIO_TC) | SETTING(SETTING_ETS_RECO_TSA) |
		SETTING(SETTING_ETS_RECO_BANDWIDTH),
	.source = "dcbnl IEEE ETS",
	.read = reco_read,
	.write = reco_write,
};
