#include "from_switch.h"

#include "../../dcb/lldp/peer_compare.h"
#include "../../policy/model/setting.h"

static bool names_dscps(const struct config *advertised)
{
	for (int d = 0; d < DSCPS; d++)
		if (advertised->dscp.prio[d] != DSCP_NONE)
			return true;
	return false;
}

/*
 * DSCPs that the switch names take its priority, and others keep the host's. Those that neither
 * names get priority 0, the default of IEEE 802.1Q.
 */
static void take_dscp(struct config *c, const struct config *advertised)
{
	if (!names_dscps(advertised))
		return;
	for (int d = 0; d < DSCPS; d++)
		if (advertised->dscp.prio[d] != DSCP_NONE)
			c->dscp.prio[d] = advertised->dscp.prio[d];
		else if (c->dscp.prio[d] == DSCP_NONE)
			c->dscp.prio[d] = 0;
	c->trust = TRUST_DSCP;
}

struct config config_from_switch(const struct config *actual, const struct lldp *pdu)
{
	struct config c = *actual, advertised = lldp_to_config(pdu);

	if (advertised.has & c.has & SETTING(SETTING_DSCP_PRIO))
		take_dscp(&c, &advertised);
	advertised.has &= agreement_settings(AGREE_PFC) | agreement_settings(AGREE_ETS);
	c = config_overlay(&c, &advertised);
	if (c.pfc.priorities) /* a port has either PFC or global pause */
		c.pause.rx = c.pause.tx = false;
	return c;
}
