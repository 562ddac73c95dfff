// SPDX-License-Identifier: GPL-2.0
/*
 * Stub verbs that fail with EOPNOTSUPP. Without the full mandatory set the core does not
 * offer the device to the connection manager, and rdma_cm's configfs tree stays empty.
 */
#include <linux/version.h>

#include "ibverbs.h"

/* Only users in the kernel get a protection domain, and queue pairs in it: qp.c. */
static int alloc_pd(struct ib_pd *pd, struct ib_udata *udata)
{
	return udata ? -EOPNOTSUPP : 0;
}

static int dealloc_pd(struct ib_pd *pd, struct ib_udata *udata)
{
	return 0;
}

static int create_qp(struct ib_qp *qp, struct ib_qp_init_attr *attr, struct ib_udata *udata)
{
	static atomic_t last;

	qp->qp_num = atomic_inc_return(&last) + 256;
	return udata ? -EOPNOTSUPP : 0;
}

static int query_qp(struct ib_qp *qp, struct ib_qp_attr *attr, int mask,
		    struct ib_qp_init_attr *init)
{
	memset(attr, 0, sizeof(*attr));
	attr->qp_state = IB_QPS_RTS;
	return 0;
}

static int modify_qp(struct ib_qp *qp, struct ib_qp_attr *attr, int mask, struct ib_udata *udata)
{
	return -EOPNOTSUPP;
}

static int destroy_qp(struct ib_qp *qp, struct ib_udata *udata)
{
	return 0;
}

static int post_send(struct ib_qp *qp, const struct ib_send_wr *wr, const struct ib_send_wr **bad)
{
	return -EOPNOTSUPP;
}

static int post_recv(struct ib_qp *qp, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad)
{
	return -EOPNOTSUPP;
}

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
static int create_cq(struct ib_cq *cq, const struct ib_cq_init_attr *attr,
		     struct uverbs_attr_bundle *attrs)
#else
static int create_cq(struct ib_cq *cq, const struct ib_cq_init_attr *attr, struct ib_udata *udata)
#endif
{
	return -EOPNOTSUPP;
}

static int destroy_cq(struct ib_cq *cq, struct ib_udata *udata)
{
	return 0;
}

static int poll_cq(struct ib_cq *cq, int num, struct ib_wc *wc)
{
	return 0;
}

static int req_notify_cq(struct ib_cq *cq, enum ib_cq_notify_flags flags)
{
	return -EOPNOTSUPP;
}

static struct ib_mr *get_dma_mr(struct ib_pd *pd, int access)
{
	return ERR_PTR(-EOPNOTSUPP);
}

static struct ib_mr *reg_user_mr(struct ib_pd *pd, u64 start, u64 length, u64 virt, int access,
				 struct ib_udata *udata)
{
	return ERR_PTR(-EOPNOTSUPP);
}

static int dereg_mr(struct ib_mr *mr, struct ib_udata *udata)
{
	return 0;
}

/* The core allocates these objects before it calls the verb, so they need a size. */
struct stub_pd { struct ib_pd ib; };
struct stub_qp { struct ib_qp ib; };
struct stub_cq { struct ib_cq ib; };

const struct ib_device_ops sim_ib_verbs = {
	.alloc_pd = alloc_pd,
	.dealloc_pd = dealloc_pd,
	.create_qp = create_qp,
	.modify_qp = modify_qp,
	.query_qp = query_qp,
	.destroy_qp = destroy_qp,
	.post_send = post_send,
	.post_recv = post_recv,
	.create_cq = create_cq,
	.destroy_cq = destroy_cq,
	.poll_cq = poll_cq,
	.req_notify_cq = req_notify_cq,
	.get_dma_mr = get_dma_mr,
	.reg_user_mr = reg_user_mr,
	.dereg_mr = dereg_mr,
	INIT_RDMA_OBJ_SIZE(ib_pd, stub_pd, ib),
	INIT_RDMA_OBJ_SIZE(ib_qp, stub_qp, ib),
	INIT_RDMA_OBJ_SIZE(ib_cq, stub_cq, ib),
};
