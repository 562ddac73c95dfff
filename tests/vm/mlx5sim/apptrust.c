// SPDX-License-Identifier: GPL-2.0
/*
 * APP trust as in sparx5 (mlx5 has none): an ordered list of selectors, of which the driver
 * accepts some combinations. On a port that has it, DSCP entries do not decide about trust.
 */
#include <linux/version.h>

#include "mlx5sim.h"

/* Linux 6.2 added the list, and the name of PCP's selector. */
#define SEL_PCP 255

static const struct {
	u8 count;
	u8 selectors[SIM_TRUST_LIST];
} possible[] = {
	{ 0 },
	{ 1, { IEEE_8021QAZ_APP_SEL_DSCP } },
	{ 1, { SEL_PCP } },
	{ 2, { IEEE_8021QAZ_APP_SEL_DSCP, SEL_PCP } },
};

static void trust_first(struct sim_port *p)
{
	if (!p->trusted_count)
		p->hw->trust = SIM_TRUST_NONE;
	else if (p->trusted[0] == SEL_PCP)
		p->hw->trust = SIM_TRUST_PCP;
	else
		p->hw->trust = SIM_TRUST_DSCP;
	WRITE_ONCE(p->trust, p->hw->trust);
}

static void take(struct sim_port *p, int i)
{
	p->trusted_count = possible[i].count;
	memcpy(p->trusted, possible[i].selectors, sizeof(p->trusted));
	trust_first(p);
}

bool sim_apptrust(const struct sim_port *p)
{
	return p->hw->apptrust && sim_is_mlx5(p) &&
	       LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0);
}

/* Trust both selectors at first, DSCP before PCP. */
void sim_apptrust_init(struct sim_port *p)
{
	if (sim_apptrust(p))
		take(p, ARRAY_SIZE(possible) - 1);
}

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
static int getapptrust(struct net_device *dev, u8 *selectors, int *count)
{
	struct sim_port *p = sim_port(dev);
	int err = sim_verdict(sim_enter(p, SIM_OP_GETTRUST));

	if (err)
		return err;
	memcpy(selectors, p->trusted, p->trusted_count);
	*count = p->trusted_count;
	return 0;
}

static int setapptrust(struct net_device *dev, u8 *selectors, int count)
{
	struct sim_port *p = sim_port(dev);
	int entered = sim_enter(p, SIM_OP_SETTRUST);
	int i;

	if (entered)
		return sim_verdict(entered);
	for (i = 0; i < ARRAY_SIZE(possible); i++) {
		if (count != possible[i].count || memcmp(selectors, possible[i].selectors, count))
			continue;
		take(p, i);
		return 0;
	}
	return -EOPNOTSUPP;
}

void sim_apptrust_dress(struct sim_port *p, struct dcbnl_rtnl_ops *ops)
{
	if (!sim_apptrust(p))
		return;
	ops->dcbnl_getapptrust = getapptrust;
	ops->dcbnl_setapptrust = setapptrust;
}
#else
void sim_apptrust_dress(struct sim_port *p, struct dcbnl_rtnl_ops *ops)
{
}
#endif
