// SPDX-License-Identifier: GPL-2.0
/*
 * Objects that the driver makes and destroys: queues, keys, domains, tables of flows. Only queues do
 * something; the rest is remembered and numbered.
 */
#include "connectx.h"

#include <linux/mlx5/qp.h>
#include <linux/slab.h>

const char *const fw_kind_name[FW_KINDS] = {
	"eq", "cq", "sq", "rq", "qp", "srq", "tir", "tis", "rqt", "mkey", "pd", "td", "xrcd",
	"uar", "table", "group", "counter", "qcounter", "general",
};

/* Where a command has the number of its object: 24 bits at 0x48, 32 bits at 0x40, or 8 at 0x58. */
enum place { AT_48, AT_40, AT_58 };

struct make {
	u16 opcode;
	enum fw_kind kind;
	enum place place;
	u32 context;	/* in the input */
	u32 size;
};

#define CONTEXT(type, field, layout) \
	.context = MLX5_BYTE_OFF(type, field), .size = MLX5_ST_SZ_BYTES(layout)

static const struct make makes[] = {
	{ MLX5_CMD_OP_CREATE_EQ, FW_EQ, AT_58, CONTEXT(create_eq_in, eq_context_entry, eqc) },
	{ MLX5_CMD_OP_CREATE_CQ, FW_CQ, AT_48, CONTEXT(create_cq_in, cq_context, cqc) },
	{ MLX5_CMD_OP_CREATE_SQ, FW_SQ, AT_48, CONTEXT(create_sq_in, ctx, sqc) },
	{ MLX5_CMD_OP_CREATE_RQ, FW_RQ, AT_48, CONTEXT(create_rq_in, ctx, rqc) },
	/* Numbers of RMPs and SRQs are of one kind: mlx5_ib keeps both in one table. */
	{ MLX5_CMD_OP_CREATE_RMP, FW_SRQ, AT_48, CONTEXT(create_rmp_in, ctx, rmpc) },
	{ MLX5_CMD_OP_CREATE_QP, FW_QP, AT_48, CONTEXT(create_qp_in, qpc, qpc) },
	{ MLX5_CMD_OP_CREATE_SRQ, FW_SRQ, AT_48, CONTEXT(create_srq_in, srq_context_entry, srqc) },
	{ MLX5_CMD_OP_CREATE_XRC_SRQ, FW_SRQ, AT_48,
	  CONTEXT(create_xrc_srq_in, xrc_srq_context_entry, xrc_srqc) },
	{ MLX5_CMD_OP_CREATE_TIR, FW_TIR, AT_48, CONTEXT(create_tir_in, ctx, tirc) },
	{ MLX5_CMD_OP_CREATE_TIS, FW_TIS, AT_48, CONTEXT(create_tis_in, ctx, tisc) },
	{ MLX5_CMD_OP_CREATE_RQT, FW_RQT, AT_48,
	  .context = MLX5_BYTE_OFF(create_rqt_in, rqt_context),
	  .size = MLX5_ST_SZ_BYTES(rqtc) + 4 * 2048 },
	{ MLX5_CMD_OP_CREATE_MKEY, FW_MKEY, AT_48,
	  CONTEXT(create_mkey_in, memory_key_mkey_entry, mkc) },
	{ MLX5_CMD_OP_ALLOC_PD, FW_PD, AT_48 },
	{ MLX5_CMD_OP_ALLOC_TRANSPORT_DOMAIN, FW_TD, AT_48 },
	{ MLX5_CMD_OP_ALLOC_XRCD, FW_XRCD, AT_48 },
	{ MLX5_CMD_OP_ALLOC_UAR, FW_UAR, AT_48 },
	{ MLX5_CMD_OP_CREATE_FLOW_TABLE, FW_TABLE, AT_48 },
	{ MLX5_CMD_OP_CREATE_FLOW_GROUP, FW_GROUP, AT_48 },
	{ MLX5_CMD_OP_ALLOC_FLOW_COUNTER, FW_COUNTER, AT_40 },
	{ MLX5_CMD_OP_ALLOC_Q_COUNTER, FW_QCOUNTER, AT_58 },
	{ MLX5_CMD_OP_ALLOC_PACKET_REFORMAT_CONTEXT, FW_GENERAL, AT_40 },
	{ MLX5_CMD_OP_ALLOC_MODIFY_HEADER_CONTEXT, FW_GENERAL, AT_40 },
	{ MLX5_CMD_OP_CREATE_GENERAL_OBJECT, FW_GENERAL, AT_40 },
};

struct unmake {
	u16 opcode;
	enum fw_kind kind;
	enum place place;
};

static const struct unmake unmakes[] = {
	{ MLX5_CMD_OP_DESTROY_EQ, FW_EQ, AT_58 },
	{ MLX5_CMD_OP_DESTROY_CQ, FW_CQ, AT_48 },
	{ MLX5_CMD_OP_DESTROY_SQ, FW_SQ, AT_48 },
	{ MLX5_CMD_OP_DESTROY_RQ, FW_RQ, AT_48 },
	{ MLX5_CMD_OP_DESTROY_RMP, FW_SRQ, AT_48 },
	{ MLX5_CMD_OP_DESTROY_QP, FW_QP, AT_48 },
	{ MLX5_CMD_OP_DESTROY_SRQ, FW_SRQ, AT_48 },
	{ MLX5_CMD_OP_DESTROY_XRC_SRQ, FW_SRQ, AT_48 },
	{ MLX5_CMD_OP_DESTROY_TIR, FW_TIR, AT_48 },
	{ MLX5_CMD_OP_DESTROY_TIS, FW_TIS, AT_48 },
	{ MLX5_CMD_OP_DESTROY_RQT, FW_RQT, AT_48 },
	{ MLX5_CMD_OP_DESTROY_MKEY, FW_MKEY, AT_48 },
	{ MLX5_CMD_OP_DEALLOC_PD, FW_PD, AT_48 },
	{ MLX5_CMD_OP_DEALLOC_TRANSPORT_DOMAIN, FW_TD, AT_48 },
	{ MLX5_CMD_OP_DEALLOC_XRCD, FW_XRCD, AT_48 },
	{ MLX5_CMD_OP_DEALLOC_UAR, FW_UAR, AT_48 },
	{ MLX5_CMD_OP_DEALLOC_FLOW_COUNTER, FW_COUNTER, AT_40 },
	{ MLX5_CMD_OP_DEALLOC_Q_COUNTER, FW_QCOUNTER, AT_58 },
	{ MLX5_CMD_OP_DEALLOC_PACKET_REFORMAT_CONTEXT, FW_GENERAL, AT_40 },
	{ MLX5_CMD_OP_DEALLOC_MODIFY_HEADER_CONTEXT, FW_GENERAL, AT_40 },
	{ MLX5_CMD_OP_DESTROY_GENERAL_OBJECT, FW_GENERAL, AT_40 },
};

/* Accepted, and without effect. */
static const u16 accepted[] = {
	MLX5_CMD_OP_MODIFY_CQ, MLX5_CMD_OP_MODIFY_TIR, MLX5_CMD_OP_MODIFY_RMP,
	MLX5_CMD_OP_SET_FLOW_TABLE_ROOT, MLX5_CMD_OP_SET_FLOW_TABLE_ENTRY,
	MLX5_CMD_OP_DELETE_FLOW_TABLE_ENTRY, MLX5_CMD_OP_MODIFY_FLOW_TABLE,
	MLX5_CMD_OP_DESTROY_FLOW_TABLE, MLX5_CMD_OP_DESTROY_FLOW_GROUP,
	MLX5_CMD_OP_ATTACH_TO_MCG,
	MLX5_CMD_OP_DETACH_FROM_MCG, MLX5_CMD_OP_SET_DELAY_DROP_PARAMS,
	MLX5_CMD_OP_QUERY_FLOW_COUNTER, MLX5_CMD_OP_SET_MAD_DEMUX, MLX5_CMD_OP_ARM_RQ,
	MLX5_CMD_OP_SYNC_STEERING, MLX5_CMD_OP_ADD_VXLAN_UDP_DPORT,
	MLX5_CMD_OP_DELETE_VXLAN_UDP_DPORT, MLX5_CMD_OP_QUERY_WOL_ROL,
};

struct fw_object *fw_object_get(struct fw_function *fn, enum fw_kind kind, u32 id)
{
	return xa_load(&fn->object[kind], id);
}

void *fw_ring_at(struct fw_ring *ring, u32 offset)
{
	u32 page;
	u8 *memory;

	offset += ring->offset;
	page = offset >> ring->page_shift;
	if (page >= ring->pages)
		return NULL;
	memory = fw_at(ring->page[page]);
	return memory ? memory + (offset & (BIT(ring->page_shift) - 1)) : NULL;
}

static void object_free(struct fw_object *object)
{
	kvfree(object->ring.page);
	kvfree(object->context);
	kfree(object->transport);
	kfree(object);
}

static void drop(struct fw_function *fn, enum fw_kind kind, u32 id)
{
	struct fw_object *object;

	if (kind == FW_QCOUNTER)
		fw_counter_set_dropped(fn, id);
	object = xa_erase(&fn->object[kind], id);
	if (!object)
		return;
	if (kind == FW_EQ && id == fn->command_eqn)
		fn->command_eqn = 0;
	object_free(object);
}

void fw_objects_drop(struct fw_function *fn, bool keep_eqs)
{
	struct fw_object *object;
	unsigned long id;
	int kind;

	for (kind = keep_eqs ? FW_EQ + 1 : FW_EQ; kind < FW_KINDS; kind++) {
		xa_for_each(&fn->object[kind], id, object)
			drop(fn, kind, id);
		fn->next_id[kind] = 0;
	}
}

static u32 first_id(enum fw_kind kind)
{
	switch (kind) {
	case FW_UAR:
		return FW_FIRST_UAR;
	case FW_MKEY:
		return 0x100;
	case FW_QP:
		return 0x40;
	case FW_SQ:
		return 0x10000;
	case FW_RQ:
		return 0x20000;
	default:
		return 1;
	}
}

static u32 last_id(enum fw_kind kind)
{
	switch (kind) {
	case FW_UAR:
		return FW_UARS - 1;
	case FW_EQ:
	case FW_QCOUNTER:
		return 255;
	default:
		return 0xffffff;
	}
}

/* Where a buffer begins in its first page, which counts in 64ths of a page. */
static u32 page_offset(u32 value, u32 log_page_size)
{
	return value << (log_page_size + 12 - 6);
}

static bool set_ring(struct fw_object *object, const __be64 *pas, u64 bytes, u8 page_shift,
		     u32 offset)
{
	struct fw_ring *ring = &object->ring;
	u32 i;

	ring->page_shift = page_shift;
	ring->offset = offset;
	ring->pages = (bytes + offset + BIT_ULL(page_shift) - 1) >> page_shift;
	ring->page = kvcalloc(ring->pages, sizeof(u64), GFP_KERNEL);
	if (!ring->page)
		return false;
	for (i = 0; i < ring->pages; i++)
		ring->page[i] = fw_physical(object->fn, be64_to_cpu(pas[i]) & ~0xfffULL);
	return true;
}

static bool make_eq(struct fw_command *cmd, struct fw_object *eq)
{
	struct pci_dev *pdev = fw_pci_device(cmd->fn);
	void *eqc = eq->context;

	eq->log_size = MLX5_GET(eqc, eqc, log_eq_size);
	eq->events = MLX5_GET64(create_eq_in, cmd->in, event_bitmask[0]);
	eq->virq = pdev ? pci_irq_vector(pdev, MLX5_GET(eqc, eqc, intr)) : 0;
	pci_dev_put(pdev);
	if (eq->events & BIT_ULL(MLX5_EVENT_TYPE_CMD))
		cmd->fn->command_eqn = eq->id;
	return set_ring(eq, MLX5_ADDR_OF(create_eq_in, cmd->in, pas),
			BIT(eq->log_size) * sizeof(struct mlx5_eqe),
			MLX5_GET(eqc, eqc, log_page_size) + 12,
			page_offset(MLX5_GET(eqc, eqc, page_offset),
				    MLX5_GET(eqc, eqc, log_page_size)));
}

static bool make_cq(struct fw_command *cmd, struct fw_object *cq)
{
	void *cqc = cq->context;

	cq->log_size = MLX5_GET(cqc, cqc, log_cq_size);
	cq->log_stride = MLX5_GET(cqc, cqc, cqe_sz) ? 7 : 6;
	cq->eqn = MLX5_GET(cqc, cqc, c_eqn_or_apu_element) & 0xff;
	cq->dbr = fw_memory(cmd->fn, MLX5_GET64(cqc, cqc, dbr_addr));
	/* The first request for an event is zero, as is a record without one. */
	cq->armed = true;
	return cq->dbr && set_ring(cq, MLX5_ADDR_OF(create_cq_in, cmd->in, pas),
				   BIT(cq->log_size + cq->log_stride),
				   MLX5_GET(cqc, cqc, log_page_size) + 12,
				   page_offset(MLX5_GET(cqc, cqc, page_offset),
					       MLX5_GET(cqc, cqc, log_page_size)));
}

static bool make_work_queue(struct fw_command *cmd, struct fw_object *queue, void *wq)
{
	queue->log_size = MLX5_GET(wq, wq, log_wq_sz);
	queue->log_stride = MLX5_GET(wq, wq, log_wq_stride);
	queue->dbr = fw_memory(cmd->fn, MLX5_GET64(wq, wq, dbr_addr));
	return queue->dbr && set_ring(queue, MLX5_ADDR_OF(wq, wq, pas),
				      BIT(queue->log_size + queue->log_stride),
				      MLX5_GET(wq, wq, log_wq_pg_sz) + 12,
				      page_offset(MLX5_GET(wq, wq, page_offset),
						  MLX5_GET(wq, wq, log_wq_pg_sz)));
}

static bool make_sq(struct fw_command *cmd, struct fw_object *sq)
{
	void *in = MLX5_ADDR_OF(create_sq_in, cmd->in, ctx);
	struct fw_object *tis = fw_object_get(cmd->fn, FW_TIS, MLX5_GET(sqc, in, tis_num_0));

	sq->cqn = MLX5_GET(sqc, in, cqn);
	sq->state = MLX5_GET(sqc, in, state);
	sq->prio = tis ? MLX5_GET(tisc, tis->context, prio) >> 1 : 0;
	return make_work_queue(cmd, sq, MLX5_ADDR_OF(sqc, in, wq));
}

static bool fn_has_queues(struct fw_function *fn, struct fw_object *but)
{
	struct fw_object *rq;
	unsigned long id;

	xa_for_each(&fn->object[FW_RQ], id, rq) {
		if (rq != but)
			return true;
	}
	return false;
}

static bool make_rq(struct fw_command *cmd, struct fw_object *rq)
{
	void *in = MLX5_ADDR_OF(create_rq_in, cmd->in, ctx);

	rq->cqn = MLX5_GET(rqc, in, cqn);
	rq->state = MLX5_GET(rqc, in, state);
	if (!fn_has_queues(cmd->fn, rq))
		fw_counter_receive_queue(cmd->fn, MLX5_GET(rqc, in, counter_set_id));
	return make_work_queue(cmd, rq, MLX5_ADDR_OF(rqc, in, wq));
}

/* Receive requests that queue pairs share. */
static bool make_rmp(struct fw_command *cmd, struct fw_object *rmp)
{
	void *wq = MLX5_ADDR_OF(create_rmp_in, cmd->in, ctx.wq);

	rmp->linked = MLX5_GET(wq, wq, wq_type) == MLX5_WQ_TYPE_LINKED_LIST;
	if (!make_work_queue(cmd, rmp, wq))
		return false;
	rmp->receive = rmp->ring;
	rmp->receive_size = BIT(rmp->log_size + rmp->log_stride);
	return true;
}

/* The send queue of a queue pair follows its receive queue in the same buffer. */
static bool make_qp(struct fw_command *cmd, struct fw_object *qp)
{
	void *qpc = qp->context;
	u32 send = 0;

	qp->transport = kzalloc(sizeof(*qp->transport), GFP_KERNEL);
	if (!qp->transport)
		return false;
	qp->service = MLX5_GET(qpc, qpc, st);
	qp->shares = MLX5_GET(qpc, qpc, rq_type) == MLX5_SRQ_RQ;
	if (MLX5_GET(qpc, qpc, rq_type) == MLX5_NON_ZERO_RQ) {
		qp->log_stride = MLX5_GET(qpc, qpc, log_rq_stride) + 4;
		qp->receive_size = BIT(MLX5_GET(qpc, qpc, log_rq_size) + qp->log_stride);
	}
	qp->log_size = MLX5_GET(qpc, qpc, log_sq_size);
	qp->log_size_valid = !MLX5_GET(qpc, qpc, no_sq);
	if (qp->log_size_valid)
		send = BIT(qp->log_size) * MLX5_SEND_WQE_BB;
	qp->cqn = MLX5_GET(qpc, qpc, cqn_snd);
	qp->cqn_receive = MLX5_GET(qpc, qpc, cqn_rcv);
	qp->deth_sqpn = MLX5_GET(qpc, qpc, deth_sqpn);
	qp->dbr = fw_memory(cmd->fn, MLX5_GET64(qpc, qpc, dbr_addr));
	if (!qp->dbr || !set_ring(qp, MLX5_ADDR_OF(create_qp_in, cmd->in, pas),
				  qp->receive_size + send,
				  MLX5_GET(qpc, qpc, log_page_size) + 12,
				  page_offset(MLX5_GET(qpc, qpc, page_offset),
					      MLX5_GET(qpc, qpc, log_page_size))))
		return false;
	qp->receive = qp->ring;
	qp->ring.offset += qp->receive_size;
	return true;
}

/* A key with a table of pages. */
static bool make_mkey(struct fw_command *cmd, struct fw_object *mkey)
{
	void *mkc = mkey->context;
	u64 bytes = MLX5_GET64(mkc, mkc, len);
	u8 shift = MLX5_GET(mkc, mkc, log_page_size);
	u32 have = MLX5_GET(create_mkey_in, cmd->in, translations_octword_actual_size) * 2;
	u32 first = MLX5_GET64(mkc, mkc, start_addr) & (BIT_ULL(shift) - 1);

	if (MLX5_GET(mkc, mkc, free) ||
	    MLX5_GET(mkc, mkc, access_mode_1_0) != MLX5_MKC_ACCESS_MODE_MTT || !have)
		return true;
	return set_ring(mkey, MLX5_ADDR_OF(create_mkey_in, cmd->in, klm_pas_mtt),
			min_t(u64, bytes + first, (u64)have << shift), shift, 0);
}

static bool make_special(struct fw_command *cmd, struct fw_object *object)
{
	switch (object->kind) {
	case FW_EQ:
		return make_eq(cmd, object);
	case FW_CQ:
		return make_cq(cmd, object);
	case FW_SQ:
		return make_sq(cmd, object);
	case FW_RQ:
		return make_rq(cmd, object);
	case FW_QP:
		return make_qp(cmd, object);
	case FW_SRQ:
		return cmd->opcode != MLX5_CMD_OP_CREATE_RMP || make_rmp(cmd, object);
	case FW_MKEY:
		return make_mkey(cmd, object);
	default:
		return true;
	}
}

static void put_id(void *message, enum place place, u32 id)
{
	__be32 *dword = message;

	switch (place) {
	case AT_48:
		MLX5_SET(alloc_pd_out, message, pd, id);
		break;
	case AT_40:
		dword[2] = cpu_to_be32(id);
		break;
	case AT_58:
		MLX5_SET(create_eq_out, message, eq_number, id);
		break;
	}
}

static u32 get_id(const void *message, enum place place)
{
	const __be32 *dword = message;
	u32 value = be32_to_cpu(dword[2]);

	return place == AT_40 ? value : place == AT_48 ? value & 0xffffff : value & 0xff;
}

static int make_object(struct fw_command *cmd, const struct make *make)
{
	struct fw_function *fn = cmd->fn;
	struct fw_object *object = kzalloc(sizeof(*object), GFP_KERNEL);
	u32 id;

	if (!object)
		return MLX5_CMD_STAT_NO_RES_ERR;
	object->fn = cmd->fn;
	object->kind = make->kind;
	if (make->size) {
		object->context = kvmalloc(make->size, GFP_KERNEL);
		if (!object->context)
			goto failed;
		object->context_size = make->size;
		memcpy(object->context, cmd->in + make->context, make->size);
	}
	if (xa_alloc_cyclic(&fn->object[make->kind], &id, object,
			    XA_LIMIT(first_id(make->kind), last_id(make->kind)),
			    &fn->next_id[make->kind], GFP_KERNEL) < 0)
		goto failed;
	object->id = id;
	if (!make_special(cmd, object)) {
		drop(fn, make->kind, id);
		return MLX5_CMD_STAT_BAD_PARAM_ERR;
	}
	put_id(cmd->out, make->place, id);
	return MLX5_CMD_STAT_OK;

failed:
	object_free(object);
	return MLX5_CMD_STAT_NO_RES_ERR;
}

static int modify_sq(struct fw_command *cmd)
{
	struct fw_object *sq = fw_object_get(cmd->fn, FW_SQ, MLX5_GET(modify_sq_in, cmd->in, sqn));

	if (!sq)
		return MLX5_CMD_STAT_BAD_RES_ERR;
	sq->state = MLX5_GET(modify_sq_in, cmd->in, ctx.state);
	if (sq->state == MLX5_SQC_STATE_RST)
		sq->pi = 0;
	MLX5_SET(sqc, sq->context, state, sq->state);
	return MLX5_CMD_STAT_OK;
}

static int modify_rq(struct fw_command *cmd)
{
	struct fw_object *rq = fw_object_get(cmd->fn, FW_RQ, MLX5_GET(modify_rq_in, cmd->in, rqn));

	if (!rq)
		return MLX5_CMD_STAT_BAD_RES_ERR;
	rq->state = MLX5_GET(modify_rq_in, cmd->in, ctx.state);
	if (rq->state == MLX5_RQC_STATE_RST)
		rq->pi = 0;
	MLX5_SET(rqc, rq->context, state, rq->state);
	return MLX5_CMD_STAT_OK;
}

static int modify_rqt(struct fw_command *cmd)
{
	struct fw_object *rqt = fw_object_get(cmd->fn, FW_RQT,
					      MLX5_GET(modify_rqt_in, cmd->in, rqtn));

	if (!rqt)
		return MLX5_CMD_STAT_BAD_RES_ERR;
	memcpy(rqt->context, MLX5_ADDR_OF(modify_rqt_in, cmd->in, ctx), rqt->context_size);
	return MLX5_CMD_STAT_OK;
}

/* Contexts are answered as they were given. */
static int query(struct fw_command *cmd, enum fw_kind kind, enum place place, u32 at)
{
	struct fw_object *object = fw_object_get(cmd->fn, kind, get_id(cmd->in, place));

	if (!object)
		return MLX5_CMD_STAT_BAD_RES_ERR;
	memcpy(cmd->out + at, object->context, object->context_size);
	return MLX5_CMD_STAT_OK;
}

static int other(struct fw_command *cmd)
{
	switch (cmd->opcode) {
	case MLX5_CMD_OP_MODIFY_SQ:
		return modify_sq(cmd);
	case MLX5_CMD_OP_MODIFY_RQ:
		return modify_rq(cmd);
	case MLX5_CMD_OP_RST2INIT_QP:
	case MLX5_CMD_OP_INIT2INIT_QP:
	case MLX5_CMD_OP_INIT2RTR_QP:
	case MLX5_CMD_OP_RTR2RTS_QP:
	case MLX5_CMD_OP_RTS2RTS_QP:
	case MLX5_CMD_OP_SQERR2RTS_QP:
	case MLX5_CMD_OP_2ERR_QP:
	case MLX5_CMD_OP_2RST_QP:
		return fw_pair_modify(cmd);
	case MLX5_CMD_OP_MODIFY_RQT:
		return modify_rqt(cmd);
	case MLX5_CMD_OP_QUERY_SQ:
		return query(cmd, FW_SQ, AT_48, MLX5_BYTE_OFF(query_sq_out, sq_context));
	case MLX5_CMD_OP_QUERY_RQ:
		return query(cmd, FW_RQ, AT_48, MLX5_BYTE_OFF(query_rq_out, rq_context));
	case MLX5_CMD_OP_QUERY_CQ:
		return query(cmd, FW_CQ, AT_48, MLX5_BYTE_OFF(query_cq_out, cq_context));
	case MLX5_CMD_OP_QUERY_EQ:
		return query(cmd, FW_EQ, AT_58, MLX5_BYTE_OFF(query_eq_out, eq_context_entry));
	case MLX5_CMD_OP_QUERY_QP:
		return query(cmd, FW_QP, AT_48, MLX5_BYTE_OFF(query_qp_out, qpc));
	case MLX5_CMD_OP_QUERY_MKEY:
		return query(cmd, FW_MKEY, AT_48, MLX5_BYTE_OFF(query_mkey_out, memory_key_mkey_entry));
	case MLX5_CMD_OP_QUERY_SPECIAL_CONTEXTS:
		MLX5_SET(query_special_contexts_out, cmd->out, dump_fill_mkey, 0x100);
		MLX5_SET(query_special_contexts_out, cmd->out, resd_lkey, 0x300);
		MLX5_SET(query_special_contexts_out, cmd->out, null_mkey, 0x200);
		return MLX5_CMD_STAT_OK;
	}
	return -ENOENT;
}

int fw_object_command(struct fw_command *cmd)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(makes); i++) {
		if (makes[i].opcode == cmd->opcode)
			return make_object(cmd, &makes[i]);
	}
	for (i = 0; i < ARRAY_SIZE(unmakes); i++) {
		if (unmakes[i].opcode == cmd->opcode) {
			drop(cmd->fn, unmakes[i].kind, get_id(cmd->in, unmakes[i].place));
			return MLX5_CMD_STAT_OK;
		}
	}
	for (i = 0; i < ARRAY_SIZE(accepted); i++) {
		if (accepted[i] == cmd->opcode)
			return MLX5_CMD_STAT_OK;
	}
	return other(cmd);
}
