#include <errno.h>
#include <string.h>

#include "../policy/model/setting.h"
#include "dcbnl.h"
#include "driver.h"
#include "lldpad/configure.h"
#include "registry.h"

_Static_assert(PRIOS == IEEE_8021QAZ_MAX_TCS, "as many classes as the kernel has");

static bool ets_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	struct ieee_ets k;

	if (!dcb_get(h, port->id.name, DCB_ATTR_IEEE_ETS, &k, sizeof(k), err))
		return false;

	memcpy(out->ets.prio_tc, k.prio_tc, sizeof(k.prio_tc));
	for (int tc = 0; tc < PRIOS; tc++) {
		out->ets.tsa[tc] = tsa_from_kernel(k.tc_tsa[tc]);
		/*
		 * Ignore the bandwidth of other classes: it reads as 0 or 100, depending on the
		 * kernel.
		 */
		out->ets.bandwidth[tc] = out->ets.tsa[tc] == TSA_ETS ? k.tc_tx_bw[tc] : 0;
	}
	out->has |= feature_ets.owns;
	return true;
}

static bool ets_write(struct host *h, const struct port *port, const struct config *from,
		      const struct config *to, struct err *err)
{
	struct ieee_ets k;

	(void)from;
	/* Keep the fields that are no settings: willing, recommendation, receive bandwidth. */
	if (!dcb_get(h, port->id.name, DCB_ATTR_IEEE_ETS, &k, sizeof(k), err))
		return false;

	memcpy(k.prio_tc, to->ets.prio_tc, sizeof(k.prio_tc));
	memcpy(k.tc_tx_bw, to->ets.bandwidth, sizeof(k.tc_tx_bw));
	for (int tc = 0; tc < PRIOS; tc++)
		k.tc_tsa[tc] = tsa_to_kernel(to->ets.tsa[tc]);
	return dcb_set(h, port->id.name, DCB_ATTR_IEEE_ETS, &k, sizeof(k), err);
}

static bool classes_exist(const struct capabilities *capabilities, const struct config *from,
			  const struct config *to, struct err *err)
{
	for (unsigned p = 0; p < PRIOS; p++)
		if (to->ets.prio_tc[p] != from->ets.prio_tc[p] &&
		    limits_lack_class(capabilities, to->ets.prio_tc[p]))
			return limits_refuse_class(capabilities, err,
						   "priority %u is in traffic class %u", p,
						   to->ets.prio_tc[p]);
	for (unsigned tc = 0; tc < PRIOS; tc++)
		if (to->ets.bandwidth[tc] && limits_lack_class(capabilities, tc))
			return limits_refuse_class(capabilities, err,
						   "traffic class %u has a share of %u %%", tc,
						   to->ets.bandwidth[tc]);
	return true;
}

static bool algorithms_exist(const struct capabilities *capabilities, const struct config *from,
			     const struct config *to, struct err *err)
{
	for (unsigned tc = 0; tc < PRIOS; tc++) {
		uint8_t tsa = to->ets.tsa[tc];

		if (tsa == from->ets.tsa[tc])
			continue;
		if (tsa == TSA_CBS && capabilities->traffic_classes && !capabilities->types) {
			err_record(err, ERR_REFUSED, EOPNOTSUPP,
				   "traffic class %u is \"cbs\", and the port has no credit-based "
				   "shaper (dcbnl cbs)",
				   tc);
			return err_fix(err, "set ets.tsa of class %u to \"ets\" or \"strict\"", tc);
		}
	}
	return true;
}

static bool ets_accepts(const struct port *port, const struct capabilities *capabilities,
			const struct config *from, const struct config *to, struct err *err)
{
	(void)port;
	return classes_exist(capabilities, from, to, err) &&
	       algorithms_exist(capabilities, from, to, err);
}

/* Assume of an unknown driver that it re-creates its queues. */
static enum disruption ets_disrupts(const struct port *port, const struct config *from,
				    const struct config *to)
{
	(void)from;
	(void)to;
	return is_mlx5(port) ? DISRUPTS_NONE : DISRUPTS_TRAFFIC;
}

static bool ets_has(struct host *h, const struct port *port, const struct config *to, bool *ret,
		    struct err *err)
{
	struct config now = { 0 }, desired = *to;

	if (!ets_read(h, port, &now, err))
		return false;
	desired.has &= feature_ets.owns;
	*ret = !config_diff(&desired, &now);
	return true;
}

static bool ets_write_by_lldpad(struct host *h, const struct port *port, const struct config *from,
				const struct config *to, struct err *err)
{
	return lldpad_write(h, port, from, to, ets_has, err);
}

const struct feature feature_ets_lldpad = {
	.name = "ets",
	.owns = SETTING(SETTING_ETS_PRIO_TC) | SETTING(SETTING_ETS_TSA) |
		SETTING(SETTING_ETS_BANDWIDTH),
	.source = "dcbnl IEEE ETS, written by lldpad",
	.in_charge = lldpad_writes_here,
	.writes_by_program = true,
	.read = ets_read,
	.write = ets_write_by_lldpad,
	.accepts = ets_accepts,
	.disrupts = ets_disrupts,
};

const struct feature feature_ets = {
	.name = "ets",
	.owns = SETTING(SETTING_ETS_PRIO_TC) | SETTING(SETTING_ETS_TSA) |
		SETTING(SETTING_ETS_BANDWIDTH),
	.source = "dcbnl IEEE ETS",
	.read = ets_read,
	.write = ets_write,
	.accepts = ets_accepts,
	.disrupts = ets_disrupts,
};

/* ---- the recommendation ---- */

/* The ETS recommendation to the peer. Some drivers store it; mlx5 ignores it and reads 0. */

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
	.owns = SETTING(SETTING_ETS_RECO_PRIO_TC) | SETTING(SETTING_ETS_RECO_TSA) |
		SETTING(SETTING_ETS_RECO_BANDWIDTH),
	.source = "dcbnl IEEE ETS",
	.read = reco_read,
	.write = reco_write,
};
