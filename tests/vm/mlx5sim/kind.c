// SPDX-License-Identifier: GPL-2.0
/* The table of drivers that a port can look like, and mlx5's row. */
#include "mlx5sim.h"

/* ETS is reset; PFC, pause, trust and rates stay as the registers have them. */
static void init_mlx5(struct sim_port *p)
{
	sim_app_align(p);
	sim_dcbx_init(p);
	p->manual_buffer = false;
	p->cable_len = SIM_CABLE_M;
	sim_ets_init(p);
}

static const struct sim_kind mlx5 = {
	.name = "mlx5",
	.driver = "mlx5_core",
	.rdma = "mlx5_%d",
	.dcbnl = &sim_dcbnl_ops,
	.ethtool = &sim_ethtool_ops,
	.init = init_mlx5,
	.publish = sim_app_publish,
	.withdraw = sim_app_withdraw,
	.drop = sim_app_clear,
};

static void drop_any(struct sim_port *p);

/* A representor is the switch's end of a virtual function: no DCB, no RDMA device. */
static const struct sim_kind representor = {
	.name = "rep",
	.driver = "mlx5e_rep",
	.ethtool = &sim_rep_ethtool_ops,
	.init = init_mlx5,
	.withdraw = drop_any,
	.drop = drop_any,
};

static const struct sim_kind *const kinds[SIM_KIND_COUNT] = {
	[SIM_KIND_MLX5] = &mlx5,
	[SIM_KIND_BNXT] = &sim_kind_bnxt,
	[SIM_KIND_ICE] = &sim_kind_ice,
};

static void drop_any(struct sim_port *p)
{
	kinds[p->hw->kind]->drop(p);
}

const struct sim_kind *sim_kind(const struct sim_port *p)
{
	return p->hw->rep ? &representor : kinds[p->hw->kind];
}

bool sim_is_mlx5(const struct sim_port *p)
{
	return sim_kind(p) == &mlx5;
}

int sim_kind_find(const char *name)
{
	int i;

	for (i = 0; i < SIM_KIND_COUNT; i++)
		if (!strcmp(kinds[i]->name, name))
			return i;
	return -EINVAL;
}

void sim_dress(struct sim_port *p)
{
	const struct sim_kind *kind = sim_kind(p);

	p->dev->ethtool_ops = kind->ethtool;
	p->dev->dcbnl_ops = NULL;
	if (p->hw->vf || p->hw->vm || !kind->dcbnl)
		return;
	p->dcbnl = *kind->dcbnl;
	sim_apptrust_dress(p, &p->dcbnl);
	p->dev->dcbnl_ops = &p->dcbnl;
}
