// SPDX-License-Identifier: GPL-2.0
/* Event queues, completion queues, interrupts. */
#include "connectx.h"

#include <linux/interrupt.h>
#include <linux/irqdesc.h>

/*
 * Softirqs follow, as they do after a real interrupt. The emulated processor takes much longer for
 * one of its own.
 */
void fw_irq_raise(int virq)
{
	local_bh_disable();
	generic_handle_irq_safe(virq);
	local_bh_enable();
}

static enum fw_eq_use use_of(const struct fw_function *fn, const struct fw_object *eq)
{
	if (eq->id == fn->command_eqn)
		return FW_EQ_COMMANDS;
	return eq->events ? FW_EQ_EVENTS : FW_EQ_COMPLETIONS;
}

static void raise_vector(struct fw_function *fn, struct fw_object *eq)
{
	u32 *lost = &fn->lost_interrupts[use_of(fn, eq)];

	if (eq->virq <= 0)
		return;
	if (*lost) {
		--*lost;
		return;
	}
	fw_irq_raise(eq->virq);
}

void fw_eq_event(struct fw_function *fn, struct fw_object *eq, u8 type, u8 sub_type,
		 const void *data, size_t size)
{
	struct mlx5_eqe *eqe = fw_ring_at(&eq->ring, (eq->pi & (BIT(eq->log_size) - 1)) * sizeof(*eqe));

	if (!eqe)
		return;
	memset(eqe, 0, offsetof(struct mlx5_eqe, owner));
	eqe->type = type;
	eqe->sub_type = sub_type;
	memcpy(&eqe->data, data, min(size, sizeof(eqe->data)));
	dma_wmb();
	WRITE_ONCE(eqe->owner, eq->pi >> eq->log_size & 1);
	eq->pi++;
	raise_vector(fn, eq);
}

/* To every event queue that wants this type. */
void fw_event(struct fw_function *fn, u8 type, u8 sub_type, const void *data, size_t size)
{
	struct fw_object *eq;
	unsigned long id;

	xa_for_each(&fn->object[FW_EQ], id, eq) {
		if (eq->events & BIT_ULL(type))
			fw_eq_event(fn, eq, type, sub_type, data, size);
	}
}

void fw_vport_event(struct fw_function *fn, bool up)
{
	struct mlx5_eqe_port_state port = { .port = 1 << 4 };

	fw_event(fn, MLX5_EVENT_TYPE_PORT_CHANGE,
		 up ? MLX5_PORT_CHANGE_SUBTYPE_ACTIVE : MLX5_PORT_CHANGE_SUBTYPE_DOWN,
		 &port, sizeof(port));
}

void fw_port_event(struct fw_function *fn, bool up)
{
	int i;

	fw_vport_event(fn, up);
	for (i = 0; i < FW_VFS && fn->vf[i]; i++)
		fw_vport_event(fn->vf[i], up);
}

static void notify(struct fw_function *fn, struct fw_object *cq)
{
	struct fw_object *eq = fw_object_get(fn, FW_EQ, cq->eqn);
	struct mlx5_eqe_comp comp = { .cqn = cpu_to_be32(cq->id) };

	cq->armed = false;
	cq->pending = false;
	if (eq)
		fw_eq_event(fn, eq, MLX5_EVENT_TYPE_COMP, 0, &comp, sizeof(comp));
}

/*
 * The driver arms a queue in its doorbell record: bits 29:28 count the events that it has seen,
 * bits 23:0 are the first entry that it has not.
 */
static void read_arm(struct fw_object *cq)
{
	u32 arm = be32_to_cpu((__force __be32)READ_ONCE(cq->dbr[1]));

	if (arm == cq->last_arm)
		return;
	cq->last_arm = arm;
	cq->armed = true;
	cq->arm_ci = arm & 0xffffff;
}

static bool check(struct fw_function *fn, struct fw_object *cq)
{
	read_arm(cq);
	if (!cq->armed || (cq->pi & 0xffffff) == cq->arm_ci)
		return false;
	notify(fn, cq);
	return true;
}

void fw_complete(struct fw_function *fn, u32 cqn, const struct mlx5_cqe64 *cqe)
{
	struct fw_object *cq = fw_object_get(fn, FW_CQ, cqn);
	struct mlx5_cqe64 *slot;
	u32 size;

	if (!cq)
		return;
	size = BIT(cq->log_stride);
	slot = fw_ring_at(&cq->ring, (cq->pi & (BIT(cq->log_size) - 1)) * size + size - sizeof(*cqe));
	if (!slot)
		return;
	memcpy(slot, cqe, offsetof(struct mlx5_cqe64, op_own));
	dma_wmb();
	WRITE_ONCE(slot->op_own, cqe->op_own | (cq->pi >> cq->log_size & 1));
	cq->pi++;
	cq->pending = true;
	check(fn, cq);
}

/* Queues that were armed after their last entry was written. */
bool fw_cq_poll(struct fw_function *fn, bool *watch)
{
	struct fw_object *cq;
	unsigned long id;
	bool busy = false;

	xa_for_each(&fn->object[FW_CQ], id, cq) {
		if (cq->pending)
			busy |= check(fn, cq);
		*watch |= cq->pending;
	}
	return busy;
}
