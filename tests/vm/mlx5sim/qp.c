// SPDX-License-Identifier: GPL-2.0
/*
 * Queue pairs for tests, in state RTS and without a data path. A driver's own (mlx5's DCT and DCI)
 * are of type DRIVER: since 6.11 the core lists them only with driver details (RESTRACK_DD).
 */
#include "ibverbs.h"
#include "mlx5sim.h"

struct sim_qp {
	struct ib_qp *qp;
	struct list_head node;
};

static int add_qp(struct sim_port *p, enum ib_qp_type type)
{
	struct ib_qp_init_attr attr = { .qp_type = type, .port_num = 1 };
	struct sim_qp *one = kzalloc(sizeof(*one), GFP_KERNEL);

	if (!one)
		return -ENOMEM;
	one->qp = ib_create_qp(p->pd, &attr);
	if (IS_ERR(one->qp)) {
		int err = PTR_ERR(one->qp);

		kfree(one);
		return err;
	}
	list_add(&one->node, &p->qps);
	return 0;
}

void sim_qps_drop(struct sim_port *p)
{
	struct sim_qp *one, *next;

	list_for_each_entry_safe(one, next, &p->qps, node) {
		ib_destroy_qp(one->qp);
		list_del(&one->node);
		kfree(one);
	}
	if (p->pd)
		ib_dealloc_pd(p->pd);
	p->pd = NULL;
}

/* qps TYPE COUNT: replace all queue pairs by COUNT new ones. */
int sim_qps(struct sim_port *p, int argc, char **argv)
{
	static const char *const names[] = { "rc", "ud", "driver" };
	static const enum ib_qp_type types[] = { IB_QPT_RC, IB_QPT_UD, IB_QPT_DRIVER };
	int i = match_string(names, ARRAY_SIZE(names), argv[0]);
	unsigned int count;
	int err = 0;

	if (i < 0 || kstrtouint(argv[1], 0, &count) || count > 64)
		return -EINVAL;
	sim_qps_drop(p);
	if (!count)
		return 0;
	if (!p->ib)
		return -EOPNOTSUPP;
	p->pd = sim_rdma_pd(p);
	if (IS_ERR(p->pd)) {
		err = PTR_ERR(p->pd);
		p->pd = NULL;
	}
	while (!err && count--)
		err = add_qp(p, types[i]);
	if (err)
		sim_qps_drop(p);
	return err;
}
