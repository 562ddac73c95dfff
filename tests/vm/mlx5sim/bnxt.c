// SPDX-License-Identifier: GPL-2.0
/*
 * A port of bnxt_en: every set needs host and IEEE mode, and PFC needs ETS set before. The driver
 * checks the traffic classes below the highest in use; an unknown algorithm yields an errno that
 * does not fit in a byte. Reads return the values last written, not the hardware's.
 */
#include "dcbnl.h"

enum { LOSSLESS_TCS = 2 };	/* queues for lossless classes; undocumented */

static int max_tc(const struct sim_port *p)
{
	return p->hw->max_tc + 1;
}

static int may_set(const struct sim_port *p)
{
	u8 wanted = DCB_CAP_DCBX_VER_IEEE | DCB_CAP_DCBX_HOST;

	return (p->dcbx_cap & wanted) == wanted ? 0 : -EINVAL;
}

/* In host mode ETS reads as all zero before the first set. */
static int get_ets(struct sim_port *p, struct ieee_ets *ets)
{
	struct sim_other *o = &p->other;

	ets->ets_cap = max_tc(p);
	if (!o->has_ets) {
		if (p->dcbx_cap & DCB_CAP_DCBX_HOST)
			return 0;
		o->ets.tc_tx_bw[0] = 100;
		o->ets.tc_tsa[0] = IEEE_8021QAZ_TSA_ETS;
		o->has_ets = true;
	}
	ets->cbs = o->ets.cbs;
	memcpy(ets->tc_tx_bw, o->ets.tc_tx_bw, sizeof(ets->tc_tx_bw));
	memcpy(ets->tc_rx_bw, o->ets.tc_rx_bw, sizeof(ets->tc_rx_bw));
	memcpy(ets->tc_tsa, o->ets.tc_tsa, sizeof(ets->tc_tsa));
	memcpy(ets->prio_tc, o->ets.prio_tc, sizeof(ets->prio_tc));
	sim_reco_show(p, ets);
	return 0;
}

/* Check the classes' algorithms and shares; like bnxt_en, skip the highest class in use. */
static int validate_tcs(const struct ieee_ets *ets, int highest)
{
	bool starved = false;
	int sum = 0;
	int i;

	for (i = 0; i < highest; i++) {
		switch (ets->tc_tsa[i]) {
		case IEEE_8021QAZ_TSA_STRICT:
			break;
		case IEEE_8021QAZ_TSA_ETS:
			sum += ets->tc_tx_bw[i];
			starved |= !ets->tc_tx_bw[i];
			break;
		default:
			return -ENOTSUPP;
		}
	}
	return sum > 100 || (starved && sum == 100) ? -EINVAL : 0;
}

static int validate(const struct sim_port *p, const struct ieee_ets *ets)
{
	int highest = 0;
	int i;

	for (i = 0; i < SIM_PRIOS; i++) {
		if (ets->prio_tc[i] > max_tc(p))
			return -EINVAL;
		highest = max_t(int, highest, ets->prio_tc[i]);
		if ((ets->tc_tx_bw[i] || ets->tc_tsa[i]) && i > max_tc(p))
			return -EINVAL;
	}
	return validate_tcs(ets, min(highest, SIM_TCS));
}

static int set_ets(struct sim_port *p, struct ieee_ets *ets)
{
	int err = may_set(p);

	err = err ?: validate(p, ets);
	if (err)
		return err;
	memcpy(p->hw->prio_tc, ets->prio_tc, sizeof(p->hw->prio_tc));
	memcpy(p->hw->bw, ets->tc_tx_bw, sizeof(p->hw->bw));
	p->other.ets = *ets;
	p->other.has_ets = true;
	sim_reco_keep(p, ets);
	return 0;
}

static int get_pfc(struct sim_port *p, struct ieee_pfc *pfc)
{
	struct sim_other *o = &p->other;
	int i;

	pfc->pfc_cap = LOSSLESS_TCS;
	if (!o->has_pfc) {
		if (p->dcbx_cap & DCB_CAP_DCBX_HOST)
			return 0;
		o->pfc.pfc_en = p->hw->pfc;
		o->has_pfc = true;
	}
	pfc->pfc_en = o->pfc.pfc_en;
	pfc->mbc = o->pfc.mbc;
	pfc->delay = o->pfc.delay;
	for (i = 0; i < SIM_PRIOS; i++) {
		unsigned int group = SIM_CTR_PAUSE + i * SIM_PAUSE_COUNT;

		pfc->requests[i] = sim_counter_read(p->hw, group + SIM_P_TX);
		pfc->indications[i] = sim_counter_read(p->hw, group + SIM_P_RX);
	}
	return 0;
}

static int set_pfc(struct sim_port *p, struct ieee_pfc *pfc)
{
	struct sim_other *o = &p->other;
	unsigned int tcs = 0;
	u8 prios = 0;
	int i;

	if (may_set(p) || !sim_has(p, SIM_CAP_PFC) || !o->has_ets)
		return -EINVAL;
	for (i = 0; i < SIM_PRIOS; i++) {
		if (!(pfc->pfc_en & BIT(i)) || o->ets.prio_tc[i] >= max_tc(p))
			continue;
		prios |= BIT(i);
		tcs |= BIT(o->ets.prio_tc[i]);
	}
	if (hweight32(tcs) > LOSSLESS_TCS)
		return -EINVAL;
	p->hw->pfc = prios;
	o->pfc = *pfc;
	o->has_pfc = true;
	return 0;
}

static int check_app(struct sim_port *p, const struct dcb_app *app)
{
	int err = may_set(p);

	if (err || app->selector != IEEE_8021QAZ_APP_SEL_DSCP)
		return err;
	if (!sim_has(p, SIM_CAP_QPTS))
		return -ENOTSUPP;
	return app->protocol >= SIM_DSCPS ? -EINVAL : 0;
}

/* The firmware trusts the DSCP as soon as there is a DSCP entry. */
static void map_dscp(struct sim_port *p, const struct dcb_app *app, u8 prio)
{
	if (app->selector == IEEE_8021QAZ_APP_SEL_DSCP)
		p->hw->dscp2prio[app->protocol] = prio & 7;
	p->hw->trust = sim_apps_dscp(p, SIM_DSCPS) ? SIM_TRUST_DSCP : SIM_TRUST_PCP;
}

static int set_app(struct sim_port *p, struct dcb_app *app)
{
	int err = check_app(p, app);

	err = err ?: sim_apps_add(p, app);
	if (!err)
		map_dscp(p, app, app->priority);
	return err;
}

static int del_app(struct sim_port *p, struct dcb_app *app)
{
	int err = check_app(p, app);

	err = err ?: sim_apps_del(p, app);
	if (!err)
		map_dscp(p, app, 0);
	return err;
}

/* NVRAM holds all modes of the firmware's agent: refuse every set while it runs. */
static u8 set_dcbx(struct sim_port *p, u8 mode)
{
	if (p->dcbx_cap & DCB_CAP_DCBX_LLD_MANAGED)
		return 1;
	if (mode & DCB_CAP_DCBX_HOST) {
		if (p->hw->vf || p->hw->fwlldp)
			return 1;
		if ((mode & DCB_CAP_DCBX_VER_CEE) || !(mode & DCB_CAP_DCBX_VER_IEEE))
			return 1;
	}
	p->dcbx_cap = mode;
	return 0;
}

static void lldp(struct sim_port *p)
{
	p->dcbx_cap = DCB_CAP_DCBX_VER_IEEE |
		      (p->hw->fwlldp ? DCB_CAP_DCBX_LLD_MANAGED : DCB_CAP_DCBX_HOST);
}

static void init(struct sim_port *p)
{
	p->other.has_ets = false;
	p->other.has_pfc = false;
	memset(&p->other.ets, 0, sizeof(p->other.ets));
	memset(&p->other.pfc, 0, sizeof(p->other.pfc));
	p->hw->trust = SIM_TRUST_PCP;
	lldp(p);
}

SIM_IEEE_OP(getets, SIM_OP_GETETS, struct ieee_ets, get_ets)
SIM_IEEE_OP(setets, SIM_OP_SETETS, struct ieee_ets, set_ets)
SIM_IEEE_OP(getpfc, SIM_OP_GETPFC, struct ieee_pfc, get_pfc)
SIM_IEEE_OP(setpfc, SIM_OP_SETPFC, struct ieee_pfc, set_pfc)
SIM_IEEE_OP(setapp, SIM_OP_SETAPP, struct dcb_app, set_app)
SIM_IEEE_OP(delapp, SIM_OP_DELAPP, struct dcb_app, del_app)
SIM_STATUS_OP(setdcbx, SIM_OP_SETDCBX, set_dcbx)

static const struct dcbnl_rtnl_ops dcbnl_ops = {
	.ieee_getets = getets,
	.ieee_setets = setets,
	.ieee_getpfc = getpfc,
	.ieee_setpfc = setpfc,
	.ieee_setapp = setapp,
	.ieee_delapp = delapp,
	.getdcbx = sim_getdcbx,
	.setdcbx = setdcbx,
};

static const struct sim_stat stats[] = {
	{ "rx_pfc_ena_frames_pri%u", SIM_CTR_PAUSE + SIM_P_RX },
	{ "tx_pfc_ena_frames_pri%u", SIM_CTR_PAUSE + SIM_P_TX },
	{}
};

const struct sim_kind sim_kind_bnxt = {
	.name = "bnxt",
	.driver = "bnxt_en",
	.rdma = "bnxt_re%d",
	.dcbnl = &dcbnl_ops,
	.ethtool = &sim_other_ethtool_ops,
	.stats = stats,
	.init = init,
	.withdraw = sim_apps_drop,
	.drop = sim_apps_drop,
	.lldp = lldp,
};
