// SPDX-License-Identifier: GPL-2.0
/* What is on or off about a port, and what has to be made anew when that changes. */
#include <linux/rtnetlink.h>

#include "mlx5sim.h"

/* A virtual function has no dcbnl_ops. */
static int apply_vf(struct sim_port *p)
{
	rtnl_lock();
	if (p->hw->vf)
		sim_kind(p)->drop(p);
	sim_dress(p);
	rtnl_unlock();
	return 0;
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

static const struct {
	const char *name;
	size_t flag;
	int (*apply)(struct sim_port *p);
} switches[] = {
	{ "toggle_stuck", offsetof(struct sim_hw, toggle_stuck) },
	{ "unmanaged", offsetof(struct sim_hw, unmanaged) },
	{ "vf", offsetof(struct sim_hw, vf), apply_vf },
	{ "ofed", offsetof(struct sim_hw, ofed), apply_ofed },
};

int sim_switch(struct sim_port *p, const char *name, const char *onoff)
{
	int on = sim_parse_onoff(onoff);
	bool *flag;
	int i;

	if (on < 0)
		return on;
	for (i = 0; i < ARRAY_SIZE(switches); i++) {
		if (strcmp(switches[i].name, name))
			continue;
		flag = (void *)p->hw + switches[i].flag;
		if (*flag == on)
			return 0;
		WRITE_ONCE(*flag, on);
		return switches[i].apply ? switches[i].apply(p) : 0;
	}
	return -EINVAL;
}
