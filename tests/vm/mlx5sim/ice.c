// SPDX-License-Identifier: GPL-2.0
/*
 * A port of ice: every set changes a part of the desired configuration and applies all of it,
 * so a refused change makes the next sets fail. The first DSCP entry resets ETS; deleting the
 * last one resets everything.
 */
#include "dcbnl.h"

enum { DELAY = 32768 };		/* a register that is never written; the value is invented */
enum { APPLIED = 0, UNCHANGED = 1 };	/* ice's own codes, which reach user space */

static int max_tc(const struct sim_port *p)
{
	return p->hw->max_tc + 1;
}

static int may_set(const struct sim_port *p)
{
	if (p->dcbx_cap & DCB_CAP_DCBX_LLD_MANAGED)
		return -EINVAL;
	return p->dcbx_cap & DCB_CAP_DCBX_VER_IEEE ? 0 : -EINVAL;
}

/* Count the classes in use from 0 on; 1 if there is a gap. */
static int count_tcs(const struct ieee_ets *ets)
{
	unsigned int used = 0;
	int i;

	for (i = 0; i < SIM_PRIOS; i++)
		used |= BIT(ets->prio_tc[i] % 32);
	used &= 0xff;
	return used && !(used & (used + 1)) ? hweight32(used) : 1;
}

static int check_bw(struct ieee_ets *ets)
{
	int tcs = count_tcs(ets);
	u8 sum = 0;
	int i;

	for (i = 0; tcs > 1 && i < tcs; i++)
		sum += ets->tc_tx_bw[i];
	if (!sum)
		ets->tc_tx_bw[0] = 100;
	return sum && sum != 100 ? -EINVAL : 0;
}

/* The configuration overwrites the recommendation. */
static int apply(struct sim_port *p, struct sim_dcb_cfg *cfg)
{
	if (!memcmp(cfg, &p->other.now, sizeof(*cfg)))
		return UNCHANGED;
	if (check_bw(&cfg->ets))
		return -EINVAL;
	memcpy(cfg->ets.tc_reco_bw, cfg->ets.tc_tx_bw, sizeof(cfg->ets.tc_reco_bw));
	memcpy(cfg->ets.tc_reco_tsa, cfg->ets.tc_tsa, sizeof(cfg->ets.tc_reco_tsa));
	memcpy(cfg->ets.reco_prio_tc, cfg->ets.prio_tc, sizeof(cfg->ets.reco_prio_tc));
	p->other.now = *cfg;
	p->hw->pfc = cfg->pfc_en;
	p->hw->trust = cfg->dscp ? SIM_TRUST_DSCP : SIM_TRUST_PCP;
	memcpy(p->hw->prio_tc, cfg->ets.prio_tc, sizeof(p->hw->prio_tc));
	memcpy(p->hw->bw, cfg->ets.tc_tx_bw, sizeof(p->hw->bw));
	return APPLIED;
}

static int set(struct sim_port *p)
{
	int err = apply(p, &p->other.want);

	return err == UNCHANGED ? 0 : err;
}

static int get_ets(struct sim_port *p, struct ieee_ets *ets)
{
	*ets = p->other.now.ets;
	ets->ets_cap = max_tc(p);
	memcpy(ets->tc_rx_bw, ets->tc_tx_bw, sizeof(ets->tc_rx_bw));
	return 0;
}

static int set_ets(struct sim_port *p, struct ieee_ets *in)
{
	struct ieee_ets *ets = &p->other.want.ets;
	int err = may_set(p);

	if (err)
		return err;
	ets->willing = in->willing;
	ets->cbs = in->cbs;
	memcpy(ets->tc_tx_bw, in->tc_tx_bw, sizeof(ets->tc_tx_bw));
	memcpy(ets->tc_tsa, in->tc_tsa, sizeof(ets->tc_tsa));
	if (!p->other.want.dscp)
		memcpy(ets->prio_tc, in->prio_tc, sizeof(ets->prio_tc));
	err = check_bw(ets);
	if (err)
		return err;
	if (!memchr_inv(in->tc_tx_bw, 0, sizeof(in->tc_tx_bw)))
		ets->tc_tx_bw[0] = 100;
	return set(p);
}

static int get_pfc(struct sim_port *p, struct ieee_pfc *pfc)
{
	int i;

	pfc->pfc_cap = p->other.now.pfc_cap;
	pfc->pfc_en = p->hw->pfc;
	pfc->delay = DELAY;
	for (i = 0; i < SIM_PRIOS; i++) {
		unsigned int group = SIM_CTR_PAUSE + i * SIM_PAUSE_COUNT;

		pfc->requests[i] = sim_counter_read(p->hw, group + SIM_P_TX);
		pfc->indications[i] = sim_counter_read(p->hw, group + SIM_P_RX);
	}
	return 0;
}

static int set_pfc(struct sim_port *p, struct ieee_pfc *pfc)
{
	int err = may_set(p);

	if (err || !sim_has(p, SIM_CAP_PFC))
		return -EINVAL;
	p->other.want.pfc_cap = pfc->pfc_cap ?: max_tc(p);
	p->other.want.pfc_en = pfc->pfc_en;
	return set(p);
}

static int check_app(const struct sim_port *p, const struct dcb_app *app)
{
	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP || may_set(p))
		return -EINVAL;
	if (!sim_has(p, SIM_CAP_QPTS))
		return -EOPNOTSUPP;
	return app->protocol >= SIM_DSCPS || app->priority >= max_tc(p) ? -EINVAL : 0;
}

/* Set the "default DSCP QoS values": all bandwidth to class 0, each priority to its own class. */
static void enter_dscp(struct sim_port *p)
{
	struct sim_dcb_cfg *want = &p->other.want;
	int i;

	want->dscp = true;
	want->pfc_cap = max_tc(p);
	want->ets.willing = 0;
	for (i = 0; i < max_tc(p); i++) {
		want->ets.tc_tx_bw[i] = i ? 0 : 100;
		want->ets.tc_tsa[i] = IEEE_8021QAZ_TSA_ETS;
		want->ets.prio_tc[i] = i;
	}
	for (i = 0; i < SIM_DSCPS; i++)
		p->hw->dscp2prio[i] = min(i >> 3, max_tc(p) - 1);
}

/* ice refuses a second priority for a DSCP and keeps the first. */
static int set_app(struct sim_port *p, struct dcb_app *app)
{
	int err = check_app(p, app);
	bool mapped;

	if (err)
		return err;
	mapped = sim_apps_dscp(p, app->protocol);
	err = sim_apps_add(p, app);
	if (err)
		return err;
	if (mapped) {
		sim_apps_del(p, app);
		return -EINVAL;
	}
	if (!p->other.now.dscp)
		enter_dscp(p);
	p->hw->dscp2prio[app->protocol] = app->priority;
	err = apply(p, &p->other.want);
	return err < 0 ? UNCHANGED : 0;
}

static void default_cfg(struct sim_port *p, struct sim_dcb_cfg *cfg)
{
	memset(cfg, 0, sizeof(*cfg));
	cfg->ets.willing = 1;
	cfg->ets.tc_tx_bw[0] = 100;
	cfg->ets.tc_tsa[0] = IEEE_8021QAZ_TSA_ETS;
	cfg->pfc_cap = max_tc(p);
}

static int del_app(struct sim_port *p, struct dcb_app *app)
{
	struct sim_dcb_cfg cfg;
	int err;

	if (p->dcbx_cap & DCB_CAP_DCBX_LLD_MANAGED)
		return -EINVAL;
	err = sim_apps_del(p, app);
	if (err)
		return err;
	p->hw->dscp2prio[app->protocol % SIM_DSCPS] = app->protocol % 8;
	if (sim_apps_dscp(p, SIM_DSCPS))
		return 0;
	p->other.want.dscp = false;
	default_cfg(p, &cfg);
	apply(p, &cfg);
	return 0;
}

static u8 set_dcbx(struct sim_port *p, u8 mode)
{
	u8 both = DCB_CAP_DCBX_VER_IEEE | DCB_CAP_DCBX_VER_CEE;

	if (p->hw->fwlldp || (mode & DCB_CAP_DCBX_LLD_MANAGED) || (mode & both) == both ||
	    !(mode & DCB_CAP_DCBX_HOST))
		return UNCHANGED;
	if (mode == p->dcbx_cap || p->other.now.dscp)
		return UNCHANGED;
	p->dcbx_cap = mode;
	return APPLIED;
}

static void lldp(struct sim_port *p)
{
	p->dcbx_cap = DCB_CAP_DCBX_VER_IEEE |
		      (p->hw->fwlldp ? DCB_CAP_DCBX_LLD_MANAGED : DCB_CAP_DCBX_HOST);
}

static void init(struct sim_port *p)
{
	struct sim_dcb_cfg cfg;

	memset(&p->other.now, 0, sizeof(p->other.now));
	default_cfg(p, &cfg);
	apply(p, &cfg);
	p->other.want = p->other.now;
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
	.getstate = sim_getstate,
	.getpermhwaddr = sim_getpermhwaddr,
	.getcap = sim_cee_getcap,
	.getnumtcs = sim_cee_getnumtcs,
};

static const struct sim_stat stats[] = {
	{ "tx_priority_%u_xoff.nic", SIM_CTR_PAUSE + SIM_P_TX },
	{ "rx_priority_%u_xoff.nic", SIM_CTR_PAUSE + SIM_P_RX },
	{}
};

const struct sim_kind sim_kind_ice = {
	.name = "ice",
	.driver = "ice",
	.rdma = "irdma%d",
	.dcbnl = &dcbnl_ops,
	.ethtool = &sim_other_ethtool_ops,
	.stats = stats,
	.init = init,
	.withdraw = sim_apps_drop,
	.drop = sim_apps_drop,
	.lldp = lldp,
};
