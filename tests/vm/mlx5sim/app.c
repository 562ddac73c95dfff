// SPDX-License-Identifier: GPL-2.0
/* DSCP entries and the trust state that depends on their number. */
#include "mlx5sim.h"

static void set_trust(struct sim_port *p, u8 trust)
{
	if (sim_apptrust(p))
		return;
	p->hw->trust = trust;
	WRITE_ONCE(p->trust, trust);
}

/* The register keeps four bits; the driver remembers the whole byte. */
static int write_dscp(struct sim_port *p, u8 dscp, u8 prio, enum sim_op stage)
{
	int err = sim_verdict(sim_enter(p, stage));

	if (err)
		return err;
	p->hw->dscp2prio[dscp] = prio & 0xf;
	p->dscp2prio[dscp] = prio;
	return 0;
}

static int check(struct sim_port *p, const struct dcb_app *app)
{
	if (!sim_has(p, SIM_CAP_QPTS))
		return -EOPNOTSUPP;
	if (app->selector != IEEE_8021QAZ_APP_SEL_DSCP || app->protocol >= SIM_DSCPS)
		return -EINVAL;
	return 0;
}

static struct dcb_app entry_of(const struct sim_port *p, u8 dscp)
{
	return (struct dcb_app) {
		.selector = IEEE_8021QAZ_APP_SEL_DSCP,
		.protocol = dscp,
		.priority = p->dscp2prio[dscp],
	};
}

int sim_app_set(struct sim_port *p, struct dcb_app *app)
{
	struct dcb_app old;
	bool is_new;
	int err;

	err = check(p, app);
	if (err)
		return err;
	old = entry_of(p, app->protocol);

	if (!p->app_count)
		set_trust(p, SIM_TRUST_DSCP);

	if (app->priority != p->dscp2prio[app->protocol]) {
		err = write_dscp(p, app->protocol, app->priority, SIM_OP_SETAPP_QPDPM);
		if (err) {
			set_trust(p, SIM_TRUST_PCP);
			return err;
		}
	}

	is_new = dcb_ieee_delapp(p->dev, &old) != 0;
	err = dcb_ieee_setapp(p->dev, app);
	if (err)
		return err;
	if (is_new)
		p->app_count++;
	return 0;
}

int sim_app_del(struct sim_port *p, struct dcb_app *app)
{
	int err;

	err = check(p, app);
	if (err)
		return err;
	if (!p->app_count || app->priority != p->dscp2prio[app->protocol])
		return -ENOENT;

	err = dcb_ieee_delapp(p->dev, app);
	if (err)
		return err;

	/* mlx5 maps the DSCP to priority 0, not to the firmware's default. */
	err = write_dscp(p, app->protocol, 0, SIM_OP_DELAPP_QPDPM);
	if (err) {
		set_trust(p, SIM_TRUST_PCP);
		return err;
	}
	if (!--p->app_count)
		set_trust(p, SIM_TRUST_PCP);
	return 0;
}

/* After an attach with DSCP trust the whole hardware map appears as 64 entries. */
void sim_app_publish(struct sim_port *p)
{
	struct dcb_app app;
	int i;

	if (!sim_has(p, SIM_CAP_QPTS) || sim_apptrust(p) || p->trust != SIM_TRUST_DSCP)
		return;
	for (i = 0; i < SIM_DSCPS; i++) {
		app = entry_of(p, i);
		dcb_ieee_setapp(p->dev, &app);
	}
	p->app_count = SIM_DSCPS;
}

/* The core reads the port's DCBX mode, and so needs dcbnl_ops. */
void sim_app_clear(struct sim_port *p)
{
	struct dcb_app app;
	int i;

	for (i = 0; p->dev->dcbnl_ops && i < SIM_DSCPS; i++) {
		app = entry_of(p, i);
		dcb_ieee_delapp(p->dev, &app);
	}
	p->app_count = 0;
}

void sim_app_withdraw(struct sim_port *p)
{
	if (sim_has(p, SIM_CAP_QPTS) && p->trust == SIM_TRUST_DSCP)
		sim_app_clear(p);
}

/* Read trust and map back from the registers; newer kernels also drop stale entries. */
void sim_app_align(struct sim_port *p)
{
	if (!sim_has(p, SIM_CAP_QPTS)) {
		WRITE_ONCE(p->trust, SIM_TRUST_PCP);
		return;
	}
	WRITE_ONCE(p->trust, p->hw->trust);
	if (!sim_legacy && p->trust == SIM_TRUST_PCP && p->app_count)
		sim_app_clear(p);
	memcpy(p->dscp2prio, p->hw->dscp2prio, sizeof(p->dscp2prio));
}

void sim_app_retrust(struct sim_port *p)
{
	set_trust(p, p->app_count ? SIM_TRUST_DSCP : SIM_TRUST_PCP);
}

/* Rewrite one entry as another program would: the map, and the list if it has this DSCP. */
void sim_app_poke(struct sim_port *p, u8 dscp, u8 prio)
{
	struct dcb_app app = entry_of(p, dscp);
	bool listed = p->dev->dcbnl_ops && !dcb_ieee_delapp(p->dev, &app);

	p->hw->dscp2prio[dscp] = prio & 0xf;
	p->dscp2prio[dscp] = prio;
	app.priority = prio;
	if (listed)
		dcb_ieee_setapp(p->dev, &app);
}
