// SPDX-License-Identifier: GPL-2.0
/* The port's on/off switches, and the objects that a change recreates. */
#include <linux/rtnetlink.h>

#include "mlx5sim.h"

static int redress(struct sim_port *p)
{
	rtnl_lock();
	sim_dress(p);
	rtnl_unlock();
	return 0;
}

/* A virtual function links to its PF; this one links to itself. */
void sim_physfn(struct sim_port *p)
{
	struct kobject *kobj = &p->pdev->dev.kobj;

	sysfs_remove_link(kobj, "physfn");
	if (p->hw->vf && sysfs_create_link(kobj, kobj, "physfn"))
		pr_warn("mlx5sim: no physfn link\n");
}

/* A virtual function has no dcbnl_ops, and in a VM no link to a PF. */
static int apply_vf(struct sim_port *p)
{
	rtnl_lock();
	if (p->hw->vf || p->hw->vm)
		sim_kind(p)->drop(p);
	rtnl_unlock();
	sim_physfn(p);
	return redress(p);
}

static int apply_ofed(struct sim_port *p)
{
	int err = 0;

	if (!p->hw->ofed)
		sim_ofed_remove(p);
	else
		err = sim_ofed_add(p);
	return err ?: sim_rdma_ofed(p);
}

static int remake_rdma(struct sim_port *p)
{
	sim_rdma_remove(p);
	return sim_rdma_add(p);
}

/* Without the trust list the number of DSCP entries decides about trust again. */
static int apply_apptrust(struct sim_port *p)
{
	rtnl_lock();
	if (p->hw->apptrust)
		sim_apptrust_init(p);
	else if (sim_is_mlx5(p))
		sim_app_retrust(p);
	rtnl_unlock();
	return redress(p);
}

static int apply_rep(struct sim_port *p)
{
	int err;

	sim_rdma_remove(p);
	sim_ofed_remove(p);
	rtnl_lock();
	sim_kind(p)->drop(p);
	rtnl_unlock();
	redress(p);
	err = sim_ofed_add(p);
	return err ?: sim_rdma_add(p);
}

/* The second port of the card has no RDMA device, and so no cc_params. */
static int apply_lag(struct sim_port *p)
{
	struct sim_port *second = sim_function_second(p);
	int err;

	if (!second || !sim_is_mlx5(p))
		return -EOPNOTSUPP;
	second->hw->lag_second = p->hw->lag;
	sim_rdma_remove(second);
	err = remake_rdma(p);
	return err ?: sim_rdma_add(second);
}

/* The firmware sets the link layer: reload the driver, which frees P and creates a new port. */
static int apply_ib(struct sim_port *p)
{
	struct sim_function *fn = p->fn;

	if (!sim_is_mlx5(p))
		return -EOPNOTSUPP;
	sim_function_unload(fn);
	return sim_function_load(fn);
}

static const struct {
	const char *name;
	size_t flag;
	int (*apply)(struct sim_port *p);
} switches[] = {
	{ "toggle_stuck", offsetof(struct sim_hw, toggle_stuck) },
	{ "steady", offsetof(struct sim_hw, steady) },
	{ "keep_pause", offsetof(struct sim_hw, keep_pause) },
	{ "forgetful", offsetof(struct sim_hw, forgetful) },
	{ "unmanaged", offsetof(struct sim_hw, unmanaged) },
	{ "vf", offsetof(struct sim_hw, vf), apply_vf },
	{ "rep", offsetof(struct sim_hw, rep), apply_rep },
	{ "ib", offsetof(struct sim_hw, ib), apply_ib },
	{ "gidless", offsetof(struct sim_hw, gidless), remake_rdma },
	{ "switchdev", offsetof(struct sim_hw, switchdev), remake_rdma },
	{ "vport_stats", offsetof(struct sim_hw, vport_stats), remake_rdma },
	{ "vm", offsetof(struct sim_hw, vm), apply_vf },
	{ "dpu_host", offsetof(struct sim_hw, dpu_host) },
	{ "lag", offsetof(struct sim_hw, lag), apply_lag },
	{ "apptrust", offsetof(struct sim_hw, apptrust), apply_apptrust },
	{ "reco", offsetof(struct sim_hw, reco) },
	{ "ofed", offsetof(struct sim_hw, ofed), apply_ofed },
	{ "nvidia", offsetof(struct sim_hw, nvidia) },
};

int sim_switch(struct sim_port *p, const char *name, const char *onoff)
{
	int on = sim_parse_onoff(onoff);
	bool *flag;
	int err, i;

	if (on < 0)
		return on;
	for (i = 0; i < ARRAY_SIZE(switches); i++) {
		if (strcmp(switches[i].name, name))
			continue;
		flag = (void *)p->hw + switches[i].flag;
		if (*flag == on)
			return 0;
		WRITE_ONCE(*flag, on);
		err = switches[i].apply ? switches[i].apply(p) : 0;
		if (err)
			WRITE_ONCE(*flag, !on);
		return err;
	}
	return -EINVAL;
}
