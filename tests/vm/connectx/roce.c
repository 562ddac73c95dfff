// SPDX-License-Identifier: GPL-2.0
/*
 * RoCE: queue pairs of types RC, UC, UD and QP1. A requester cuts its messages into packets, each of
 * which is taken by the other side's responder, acknowledgement included, before the next one is
 * sent, unless that side is slow. A packet that is lost is sent again, with all that followed it, once
 * the other side has complained or the time is up. Packets leave as fast as they can, unless a CNP
 * came or the port is paused.
 */
#include "connectx.h"

#include <linux/mlx5/cq.h>
#include <linux/mlx5/qp.h>
#include <linux/moduleparam.h>
#include <net/inet_ecn.h>
#include <rdma/ib_pack.h>

#define MAX_INLINE	1024
#define END_OF_LIST	0x100	/* a receive request has fewer segments than it could */
#define CQE_GRH		BIT(28)
#define QKEY_OF_QP	BIT(31)
#define RNR_FOREVER	7
#define PACKETS_IN_A_ROW 1024	/* each queue pair's */
#define NO_CREDITS	0x1f	/* an acknowledgement without a count of receive requests */
#define RNR_NAK		0x20	/* and the code of a time */
#define PSN_MASK	0xffffff

static bool trace_roce;
module_param(trace_roce, bool, 0644);
MODULE_PARM_DESC(trace_roce, "say which path each queue pair and datagram takes");

/* Syndromes of completions with an error. */
enum {
	LOCAL_LENGTH = 0x01, LOCAL_OPERATION = 0x02, LOCAL_PROTECTION = 0x04, FLUSHED = 0x05,
	REMOTE_INVALID = 0x12, REMOTE_ACCESS = 0x13, REMOTE_OPERATION = 0x14,
	RETRIES_EXCEEDED = 0x15, RNR_RETRIES_EXCEEDED = 0x16,
};

/* Negative acknowledgements. */
enum { NAK_SEQUENCE = 0x60, NAK_INVALID = 0x61, NAK_ACCESS = 0x62, NAK_OPERATION = 0x63 };

/* A work request of a send queue. */
struct request {
	struct fw_function *fn;
	struct fw_object *qp;
	u16 index;
	u8 opcode, ds;
	bool signalled, solicited;
	__be32 immediate;
	u64 raddr;
	u32 rkey;
	__be64 swap_add, compare;
	struct fw_path path;
	struct fw_spans data;
	u8 inlined[MAX_INLINE];
};

/* All is done by one thread: the request that is being sent, and of which message it is. */
static struct request current_request;
static u64 current_serial, last_serial;
static struct fw_spans sinks;
static u8 payload[FW_MOST_PAYLOAD];

static bool is_datagram(const struct fw_object *qp)
{
	return qp->service == MLX5_QP_ST_UD || qp->service == MLX5_QP_ST_QP1;
}

static bool is_reliable(const struct fw_object *qp)
{
	return qp->service == MLX5_QP_ST_RC;
}

/* How far the number A is past B; both wrap. */
static s32 psn_after(u32 a, u32 b)
{
	return (s32)((a - b) << 8) >> 8;
}

static u32 mtu_of(const struct fw_object *qp)
{
	u8 mtu = MLX5_GET(qpc, qp->context, mtu);

	if (is_datagram(qp))
		return FW_MOST_PAYLOAD;
	return mtu >= 1 && mtu <= 5 ? 128 << mtu : 1024;
}

static void *send_segment_at(struct fw_object *qp, u16 index, unsigned int i)
{
	u32 size = BIT(qp->log_size) * MLX5_SEND_WQE_BB;

	return fw_ring_at(&qp->ring, (index * MLX5_SEND_WQE_BB + i * MLX5_SEND_WQE_DS) & (size - 1));
}

/* Segment I holds inline data: put it into the buffer. Returns the segments used, 0 if bad. */
static unsigned int gather_inline(struct request *rq, unsigned int i, u32 bytes, u8 *to)
{
	u32 done = 0, at = sizeof(__be32), part;
	unsigned int used = 0;

	while (done < bytes && i + used < rq->ds) {
		u8 *from = send_segment_at(rq->qp, rq->index, i + used);

		if (!from)
			return 0;
		part = min_t(u32, bytes - done, MLX5_SEND_WQE_DS - at);
		memcpy(to + done, from + at, part);
		done += part;
		at = 0;
		used++;
	}
	return done == bytes ? max(used, 1U) : 0;
}

/* The data segments of a request, from segment I on. */
static bool gather_spans(struct request *rq, unsigned int i, struct fw_spans *list)
{
	u32 inlined = 0, used;

	while (i < rq->ds) {
		struct mlx5_wqe_data_seg *seg = send_segment_at(rq->qp, rq->index, i);
		u32 bytes;

		if (!seg)
			return false;
		bytes = be32_to_cpu(seg->byte_count);
		if (bytes & MLX5_INLINE_SEG) {
			bytes &= MLX5_WQE_INLINE_SEG_BYTE_COUNT_MASK;
			if (inlined + bytes > MAX_INLINE)
				return false;
			used = gather_inline(rq, i, bytes, rq->inlined + inlined);
			if (!used || !fw_span_add(list, 0, 0, bytes, rq->inlined + inlined))
				return false;
			inlined += bytes;
			i += used;
			continue;
		}
		if (!fw_span_add(list, be32_to_cpu(seg->lkey), be64_to_cpu(seg->addr),
			      bytes ?: BIT(31), NULL))
			return false;
		i++;
	}
	return true;
}

/* The queue with the receive requests of a queue pair: its own, or one that it shares. */
static struct fw_object *receive_queue(struct fw_object *qp)
{
	return qp->shares ? fw_object_get(qp->fn, FW_SRQ, MLX5_GET(qpc, qp->context, srqn_rmpn_xrqn)) : qp;
}

static bool has_requests(const struct fw_object *queue)
{
	return queue && queue->receive_size &&
		(u16)be32_to_cpu((__force __be32)READ_ONCE(queue->dbr[0])) != (u16)queue->rq_ci;
}

/* Segment I of a receive request. */
static void *receive_segment_at(struct fw_object *queue, u16 index, u32 i)
{
	u32 at = (index << queue->log_stride) & (queue->receive_size - 1);

	return fw_ring_at(&queue->receive, at + i * sizeof(struct mlx5_wqe_data_seg));
}

/*
 * A request of its own list for the message that arrives, unless it has one. The requests of a linked
 * list name the ones behind them. False: there is none.
 */
static bool take_request(struct fw_object *qp, struct fw_object *queue)
{
	struct fw_transport *t = qp->transport;
	struct mlx5_wqe_srq_next_seg *seg;

	if (t->receiving)
		return true;
	if (!has_requests(queue))
		return false;
	dma_rmb();
	t->receive_index = queue->rq_ci;
	if (queue->linked) {
		t->receive_index = queue->head;
		seg = receive_segment_at(queue, queue->head, 0);
		if (!seg)
			return false;
		queue->head = be16_to_cpu(seg->next_wqe_index);
	}
	queue->rq_ci++;
	t->receiving = true;
	return true;
}

/* Where the message that arrives goes. False: there is no receive request for it. */
static bool receive_list(struct fw_object *qp, struct fw_spans *list)
{
	struct fw_object *queue = receive_queue(qp);
	u32 i;

	fw_spans_start(list, qp->fn, FW_LOCAL_WRITE);
	if (!take_request(qp, queue))
		return false;
	for (i = queue->linked; i < BIT(queue->log_stride) / sizeof(struct mlx5_wqe_data_seg); i++) {
		struct mlx5_wqe_data_seg *seg = receive_segment_at(queue, qp->transport->receive_index, i);

		if (!seg || (!seg->byte_count && be32_to_cpu(seg->lkey) == END_OF_LIST))
			break;
		if (seg->byte_count)
			fw_span_add(list, be32_to_cpu(seg->lkey), be64_to_cpu(seg->addr),
				 be32_to_cpu(seg->byte_count), NULL);
	}
	return true;
}

/* The request of the message that arrived is done. Returns its number. */
static u16 end_receive(struct fw_object *qp)
{
	qp->transport->receiving = false;
	return qp->transport->receive_index;
}

#define COUNT(qp, field) do { \
	struct fw_object *set_ = fw_object_get((qp)->fn, FW_QCOUNTER, (qp)->counter_set); \
	if (set_) \
		set_->q.field++; \
} while (0)

static void finish_wr(struct fw_object *qp, u32 cqn, u8 opcode,
		      struct mlx5_cqe64 *cqe, u8 wqe_opcode, u16 index)
{
	cqe->srqn = cpu_to_be32(MLX5_GET(qpc, qp->context, user_index));
	cqe->sop_drop_qpn = cpu_to_be32((u32)wqe_opcode << 24 | qp->id);
	cqe->wqe_counter = cpu_to_be16(index);
	cqe->op_own = opcode << 4;
	fw_complete(qp->fn, cqn, cqe);
}

static void count_request_error(struct fw_object *qp, u8 syndrome)
{
	COUNT(qp, req_cqe_error);
	switch (syndrome) {
	case FLUSHED:
		COUNT(qp, req_cqe_flush_error);
		break;
	case REMOTE_INVALID:
		COUNT(qp, req_remote_invalid_request);
		break;
	case REMOTE_ACCESS:
		COUNT(qp, req_remote_access_errors);
		break;
	case RETRIES_EXCEEDED:
		COUNT(qp, req_transport_retries_exceeded);
		break;
	case RNR_RETRIES_EXCEEDED:
		COUNT(qp, req_rnr_retries_exceeded);
		break;
	}
}

static void count_response_error(struct fw_object *qp, u8 syndrome)
{
	COUNT(qp, resp_cqe_error);
	if (syndrome == FLUSHED)
		COUNT(qp, resp_cqe_flush_error);
	if (syndrome == LOCAL_LENGTH)
		COUNT(qp, resp_local_length_error);
}

static void complete_error(struct fw_object *qp, bool request, u8 syndrome, u8 wqe_opcode, u16 index)
{
	struct mlx5_cqe64 cqe = {};

	((struct mlx5_err_cqe *)&cqe)->syndrome = syndrome;
	if (request)
		count_request_error(qp, syndrome);
	else
		count_response_error(qp, syndrome);
	finish_wr(qp, request ? qp->cqn : qp->cqn_receive,
		  request ? MLX5_CQE_REQ_ERR : MLX5_CQE_RESP_ERR, &cqe, wqe_opcode, index);
}

static void set_error(struct fw_object *qp)
{
	qp->state = MLX5_QP_STATE_ERR;
	MLX5_SET(qpc, qp->context, state, qp->state);
}

static bool has_work(struct fw_object *qp, u32 index)
{
	if ((u16)be32_to_cpu((__force __be32)READ_ONCE(qp->dbr[1])) == (u16)index)
		return false;
	dma_rmb();
	return true;
}

static u16 request_behind(u16 index, const struct mlx5_wqe_ctrl_seg *ctrl)
{
	return index + max(1, DIV_ROUND_UP(be32_to_cpu(ctrl->qpn_ds) & MLX5_WQE_CTRL_DS_MASK,
					   MLX5_SEND_WQEBB_NUM_DS));
}

/* A queue pair in the error state answers all requests at once, but for those that others can use. */
static bool flush(struct fw_object *qp)
{
	bool busy = false;

	while (has_work(qp, qp->pi)) {
		struct mlx5_wqe_ctrl_seg *ctrl = send_segment_at(qp, qp->pi, 0);

		if (!ctrl)
			break;
		complete_error(qp, true, FLUSHED, be32_to_cpu(ctrl->opmod_idx_opcode), qp->pi);
		qp->pi = request_behind(qp->pi, ctrl);
		busy = true;
	}
	while (qp->transport->receiving || (!qp->shares && take_request(qp, qp))) {
		complete_error(qp, false, FLUSHED, 0, end_receive(qp));
		busy = true;
	}
	if (qp->shares && !qp->transport->ended) {
		struct mlx5_eqe_qp_srq last = { .qp_srq_n = cpu_to_be32(qp->id) };

		fw_event(qp->fn, MLX5_EVENT_TYPE_SRQ_LAST_WQE, 0, &last, sizeof(last));
		qp->transport->ended = true;
	}
	return busy;
}

static bool is_bridged(const struct fw_function *fn)
{
	return fn && fn->port.oper_up &&
		MLX5_GET(nic_vport_context, fn->vport_context, promisc_all);
}

/*
 * Which function has this MAC: the sender itself, the other end of its cable, or, if that is
 * promiscuous, as a port of a bridge is, the other end of another such port's cable.
 */
static struct fw_function *find_function(struct fw_function *fn, const u8 *mac)
{
	struct fw_function *peer = fn->peer;
	unsigned int i;

	if (fw_own_mac(fn, mac))
		return fn;
	if (!peer || !fn->port.oper_up || !peer->port.oper_up)
		return NULL;
	if (fw_own_mac(peer, mac))
		return peer;
	for (i = 0; i < fw_function_count && is_bridged(peer); i++) {
		struct fw_function *to = fw_functions[i];

		if (to->port.oper_up && is_bridged(to->peer) && fw_own_mac(to, mac))
			return to;
	}
	return NULL;
}

static struct fw_object *find_pair(struct fw_function *fn, u32 qpn)
{
	struct fw_object *qp;
	unsigned long id;

	if (qpn != 1)
		return fw_object_get(fn, FW_QP, qpn);
	xa_for_each(&fn->object[FW_QP], id, qp) {
		if (qp->service == MLX5_QP_ST_QP1)
			return qp;
	}
	return NULL;
}

void fw_roce_trace(struct fw_function *fn, struct fw_object *qp, const struct fw_path *path,
		   const char *what)
{
	if (trace_roce)
		fw_say(fn, "%s qp 0x%x type %u to 0x%x %pM gid %u -> %pI6c dscp %u ecn %u prio %u sport %u hops %u\n",
		       what, qp->id, qp->service, path->qpn, path->mac, path->gid_index, path->gid,
		       path->dscp, path->ecn, path->prio, path->sport, path->hop_limit);
}

/* The address vector of a queue pair. Its DSCP is that of RoCE v2 alone: a GRH has the class instead. */
void fw_roce_path(struct fw_object *qp, struct fw_path *path)
{
	void *ads = MLX5_ADDR_OF(qpc, qp->context, primary_address_path);

	memset(path, 0, sizeof(*path));
	memcpy(path->mac, MLX5_ADDR_OF(ads, ads, rmac_47_32), ETH_ALEN);
	memcpy(path->gid, MLX5_ADDR_OF(ads, ads, rgid_rip), 16);
	path->gid_index = MLX5_GET(ads, ads, src_addr_index);
	path->dscp = fw_gid_is_v2(qp->fn, path->gid_index) ? MLX5_GET(ads, ads, dscp) :
		MLX5_GET(ads, ads, tclass) >> 2;
	path->ecn = MLX5_GET(ads, ads, tclass) & 3;
	path->prio = MLX5_GET(ads, ads, eth_prio);
	path->hop_limit = MLX5_GET(ads, ads, hop_limit);
	path->sport = MLX5_GET(ads, ads, udp_sport);
	path->qpn = MLX5_GET(qpc, qp->context, remote_qpn);
}

static void path_of_datagram(struct fw_object *qp, const struct mlx5_av *av, struct fw_path *path)
{
	u32 qkey = be32_to_cpu(av->key.qkey.qkey);

	memset(path, 0, sizeof(*path));
	ether_addr_copy(path->mac, av->rmac);
	memcpy(path->gid, av->rgid, 16);
	path->gid_index = be32_to_cpu(av->grh_gid_fl) >> 20 & 0xff;
	path->dscp = av->tclass >> 2;
	path->ecn = av->tclass & 3;
	path->prio = av->stat_rate_sl >> 1 & 7;
	path->hop_limit = av->hop_limit;
	path->sport = be16_to_cpu(av->udp_sport);
	path->qpn = be32_to_cpu(av->dqp_dct) & 0xffffff;
	path->qkey = qkey & QKEY_OF_QP ? MLX5_GET(qpc, qp->context, q_key) : qkey;
}

static bool is_atomic(u8 opcode)
{
	return opcode == MLX5_OPCODE_ATOMIC_CS || opcode == MLX5_OPCODE_ATOMIC_FA;
}

static bool is_write(u8 opcode)
{
	return opcode == MLX5_OPCODE_RDMA_WRITE || opcode == MLX5_OPCODE_RDMA_WRITE_IMM;
}

static bool is_send(u8 opcode)
{
	return opcode == MLX5_OPCODE_SEND || opcode == MLX5_OPCODE_SEND_IMM ||
		opcode == MLX5_OPCODE_SEND_INVAL;
}

/* No packet belongs to these. */
static bool is_local(u8 opcode)
{
	return opcode == MLX5_OPCODE_NOP || opcode == MLX5_OPCODE_UMR;
}

/* Read the request at INDEX. Returns a syndrome, 0 for success. */
static int read_request(struct fw_object *qp, u16 index, struct request *rq)
{
	struct mlx5_wqe_ctrl_seg *ctrl = send_segment_at(qp, index, 0);
	unsigned int i = 1;

	rq->fn = qp->fn;
	rq->qp = qp;
	rq->index = index;
	rq->opcode = be32_to_cpu(ctrl->opmod_idx_opcode);
	rq->ds = be32_to_cpu(ctrl->qpn_ds) & MLX5_WQE_CTRL_DS_MASK;
	rq->signalled = ctrl->fm_ce_se & MLX5_WQE_CTRL_CQ_UPDATE;
	rq->solicited = ctrl->fm_ce_se & MLX5_WQE_CTRL_SOLICITED;
	rq->immediate = ctrl->imm;
	fw_spans_start(&rq->data, rq->fn, FW_LOCAL);
	if (is_local(rq->opcode))
		return 0;
	if (is_datagram(qp)) {
		struct mlx5_av av;
		unsigned int part;

		for (part = 0; part < sizeof(av) / MLX5_SEND_WQE_DS; part++)
			memcpy((u8 *)&av + part * MLX5_SEND_WQE_DS, send_segment_at(qp, index, i++),
			       MLX5_SEND_WQE_DS);
		path_of_datagram(qp, &av, &rq->path);
		fw_roce_trace(rq->fn, qp, &rq->path, "datagram");
	} else {
		fw_roce_path(qp, &rq->path);
	}
	if (is_write(rq->opcode) || is_atomic(rq->opcode) || rq->opcode == MLX5_OPCODE_RDMA_READ) {
		struct mlx5_wqe_raddr_seg *raddr = send_segment_at(qp, index, i++);

		rq->raddr = be64_to_cpu(raddr->raddr);
		rq->rkey = be32_to_cpu(raddr->rkey);
	} else if (!is_send(rq->opcode)) {
		fw_say(rq->fn, "unknown work request 0x%x of queue pair 0x%x\n", rq->opcode, qp->id);
		return LOCAL_OPERATION;
	}
	if (is_atomic(rq->opcode)) {
		struct mlx5_wqe_atomic_seg *atomic = send_segment_at(qp, index, i++);

		rq->swap_add = atomic->swap_add;
		rq->compare = atomic->compare;
	}
	if (!gather_spans(rq, i, &rq->data))
		return LOCAL_OPERATION;
	if (is_datagram(qp) && rq->data.len > FW_MOST_PAYLOAD)
		return LOCAL_LENGTH;
	if (is_atomic(rq->opcode) || rq->opcode == MLX5_OPCODE_RDMA_READ)
		rq->data.right = FW_LOCAL_WRITE;
	return 0;
}

static struct request *request_of(struct fw_object *qp, const struct fw_message *message)
{
	if (current_serial != message->serial)
		read_request(qp, message->index, &current_request);
	current_serial = message->serial;
	return &current_request;
}

static struct fw_message *message_at(struct fw_transport *t, u32 number)
{
	return &t->message[number % FW_IN_FLIGHT];
}

static bool is_waiting(const struct fw_transport *t)
{
	return t->oldest_psn != t->next_psn;
}

/* This message fails: those before it were not acknowledged, those behind it are not carried out. */
static void fail(struct fw_object *qp, struct fw_message *failed, u8 syndrome)
{
	struct fw_transport *t = qp->transport;
	struct fw_message *message;

	do {
		message = message_at(t, t->done++);
		complete_error(qp, true, message == failed ? syndrome : FLUSHED, message->opcode,
			       message->index);
		qp->pi = message->next;
	} while (message != failed);
	t->made = t->done;
	t->sending = t->done;
	t->oldest_psn = t->next_psn;
	fw_say(qp->fn, "queue pair 0x%x: request 0x%x failed, syndrome 0x%x\n", qp->id, failed->opcode,
	       syndrome);
	set_error(qp);
}

/* All packets before PSN have arrived. */
static void advance(struct fw_object *qp, u32 psn)
{
	struct fw_transport *t = qp->transport;

	t->oldest_psn = psn & PSN_MASK;
	t->since = ktime_get();
	t->retries = MLX5_GET(qpc, qp->context, retry_count);
	t->rnr_retries = MLX5_GET(qpc, qp->context, rnr_retry);
}

static void complete_oldest(struct fw_object *qp)
{
	struct fw_transport *t = qp->transport;
	struct fw_message *message = message_at(t, t->done++);
	struct mlx5_cqe64 cqe = {};

	qp->pi = message->next;
	if (!message->signalled)
		return;
	if (message->opcode == MLX5_OPCODE_RDMA_READ)
		cqe.byte_cnt = cpu_to_be32(message->len);
	finish_wr(qp, qp->cqn, MLX5_CQE_REQ, &cqe, message->opcode, message->index);
}

/* Send again from the oldest packet on. */
static void go_back(struct fw_transport *t)
{
	t->sending = t->done;
	t->next_psn = t->oldest_psn;
	t->since = ktime_get();
}

/* Packets back to the requester, on the path of the responder's queue pair. */
static void answer_init(struct fw_packet *p, struct fw_object *qp, u8 opcode, u32 psn)
{
	struct fw_path path;

	fw_roce_path(qp, &path);
	fw_packet_init(p, qp->fn, &path);
	p->opcode = opcode;
	p->psn = psn & PSN_MASK;
	p->syndrome = NO_CREDITS;
	p->messages = qp->transport->messages;
}

static void take_notification(struct fw_object *qp)
{
	struct fw_packet own;

	answer_init(&own, qp, FW_OPCODE_CNP, 0);
	fw_congestion_notified(qp->fn, fw_packet_prio(&own), &qp->transport->rate);
}

/* The adapter slows down by itself after a loss, as if a CNP had come. */
static void restart_slowly(struct fw_object *qp)
{
	COUNT(qp, roce_slow_restart);
	COUNT(qp, roce_slow_restart_cnps);
	COUNT(qp, roce_slow_restart_trans);
	take_notification(qp);
}

/* Once more, or never. */
static bool retry(struct fw_object *qp)
{
	struct fw_transport *t = qp->transport;

	if (!t->retries) {
		fail(qp, message_at(t, t->done), RETRIES_EXCEEDED);
		return false;
	}
	t->retries--;
	go_back(t);
	if (qp->fn->slow_restart)
		restart_slowly(qp);
	return true;
}

/* All packets before PSN are acknowledged, unless they have an answer that did not come. */
static bool acknowledge_before(struct fw_object *qp, u32 psn)
{
	struct fw_transport *t = qp->transport;

	while (t->done != t->made && psn_after(psn, t->oldest_psn) > 0) {
		struct fw_message *message = message_at(t, t->done);
		u32 end = message->psn + message->packets;

		if (message->opcode == MLX5_OPCODE_RDMA_READ || is_atomic(message->opcode)) {
			if (retry(qp))
				COUNT(qp, implied_nak_seq_err);
			return false;
		}
		if (psn_after(psn, end) < 0) {
			advance(qp, psn);
			return true;
		}
		advance(qp, end);
		complete_oldest(qp);
	}
	return true;
}

/* By the code of a time, as in table 45 of the specification of InfiniBand. */
static u32 rnr_us(u8 code)
{
	code = code ?: 32;
	return code == 1 ? 10 : (code & 1 ? 30 : 20) << (code / 2 - 1);
}

static void receiver_not_ready(struct fw_object *qp, u8 code)
{
	struct fw_transport *t = qp->transport;

	if (!t->rnr_retries) {
		fail(qp, message_at(t, t->done), RNR_RETRIES_EXCEEDED);
		return;
	}
	if (t->rnr_retries != RNR_FOREVER)
		t->rnr_retries--;
	COUNT(qp, rnr_nak_retry_err);
	go_back(t);
	t->not_before = ktime_add_us(ktime_get(), rnr_us(code));
}

static void take_acknowledgement(struct fw_object *qp, const struct fw_packet *p)
{
	struct fw_transport *t = qp->transport;
	bool positive = p->syndrome < RNR_NAK;

	if (!acknowledge_before(qp, p->psn + positive) || positive)
		return;
	switch (p->syndrome) {
	case NAK_SEQUENCE:
		if (retry(qp))
			COUNT(qp, packet_seq_err);
		break;
	case NAK_INVALID:
	case NAK_ACCESS:
	case NAK_OPERATION:
		fail(qp, message_at(t, t->done), REMOTE_INVALID + p->syndrome - NAK_INVALID);
		break;
	default:
		receiver_not_ready(qp, p->syndrome & NO_CREDITS);
	}
}

/* Data of a read, or the result of an atomic operation, in the order of the packets. */
static void take_answer(struct fw_object *qp, const struct fw_packet *p, bool atomic)
{
	struct fw_transport *t = qp->transport;
	struct fw_message *message;
	struct request *rq;

	if (!acknowledge_before(qp, p->psn))
		return;
	message = message_at(t, t->done);
	rq = request_of(qp, message);
	if (!(atomic ? fw_scatter(&rq->data, 0, (u8 *)&p->atomic_result, sizeof(p->atomic_result)) :
	      fw_scatter(&rq->data, (u64)psn_after(p->psn, message->psn) * mtu_of(qp), p->payload,
			 p->bytes))) {
		fail(qp, message, LOCAL_PROTECTION);
		return;
	}
	advance(qp, p->psn + 1);
	if (t->oldest_psn == ((message->psn + message->packets) & PSN_MASK))
		complete_oldest(qp);
}

/* The opcode of the packet at OFFSET of a request's LEN bytes. */
static u8 opcode_of(const struct request *rq, u64 offset, u32 bytes)
{
	bool first = !offset, last = offset + bytes == rq->data.len;
	bool immediate = rq->opcode == MLX5_OPCODE_SEND_IMM || rq->opcode == MLX5_OPCODE_RDMA_WRITE_IMM;
	u8 opcode;

	if (rq->opcode == MLX5_OPCODE_SEND_INVAL && last)
		return first ? IB_OPCODE_SEND_ONLY_WITH_INVALIDATE : IB_OPCODE_SEND_LAST_WITH_INVALIDATE;
	if (first && last)
		opcode = IB_OPCODE_SEND_ONLY + immediate;
	else if (last)
		opcode = IB_OPCODE_SEND_LAST + immediate;
	else
		opcode = first ? IB_OPCODE_SEND_FIRST : IB_OPCODE_SEND_MIDDLE;
	return opcode + (is_write(rq->opcode) ? IB_OPCODE_RDMA_WRITE_FIRST : 0);
}

static u8 transport_of(const struct fw_object *qp)
{
	return qp->service == MLX5_QP_ST_RC ? IB_OPCODE_RC :
		qp->service == MLX5_QP_ST_UC ? IB_OPCODE_UC : IB_OPCODE_UD;
}

/* Fill in packet NUMBER of a request. False: its data is not there. */
static bool make_packet(struct request *rq, u32 number, struct fw_packet *p)
{
	u64 offset = (u64)number * mtu_of(rq->qp);

	fw_packet_init(p, rq->fn, &rq->path);
	p->solicited = rq->solicited;
	p->rkey = rq->rkey;
	p->raddr = rq->raddr;
	p->len = rq->data.len;
	p->immediate = rq->immediate;
	p->source = rq->qp->service == MLX5_QP_ST_QP1 || rq->qp->deth_sqpn == 1 ? 1 : rq->qp->id;
	if (rq->opcode == MLX5_OPCODE_RDMA_READ) {
		p->opcode = IB_OPCODE_RC_RDMA_READ_REQUEST;
		p->raddr += offset;
		p->len -= offset;
		return true;
	}
	if (is_atomic(rq->opcode)) {
		p->opcode = rq->opcode == MLX5_OPCODE_ATOMIC_CS ? IB_OPCODE_RC_COMPARE_SWAP :
			IB_OPCODE_RC_FETCH_ADD;
		p->swap_add = rq->swap_add;
		p->compare = rq->compare;
		return true;
	}
	p->bytes = min_t(u64, mtu_of(rq->qp), rq->data.len - offset);
	p->opcode = transport_of(rq->qp) | opcode_of(rq, offset, p->bytes);
	p->wants_ack = is_reliable(rq->qp) && fw_packet_parts(p) & FW_LAST;
	p->payload = fw_gather(&rq->data, offset, p->bytes, payload);
	return p->payload;
}

/* Take the next request of the send queue. False: there is none, or it fails. */
static bool make_message(struct fw_object *qp)
{
	struct fw_transport *t = qp->transport;
	u16 index = t->done == t->made ? qp->pi : message_at(t, t->made - 1)->next;
	struct mlx5_wqe_ctrl_seg *ctrl;
	struct fw_message *message;
	struct request *rq = &current_request;
	int error;

	if (t->made - t->done == FW_IN_FLIGHT || !has_work(qp, index))
		return false;
	ctrl = send_segment_at(qp, index, 0);
	if (!ctrl)
		return false;
	message = message_at(t, t->made++);
	error = read_request(qp, index, rq);
	current_serial = ++last_serial;
	*message = (struct fw_message){
		.serial = current_serial, .index = index, .next = request_behind(index, ctrl),
		.opcode = rq->opcode, .signalled = rq->signalled, .psn = t->next_psn,
		.len = rq->data.len,
		.packets = is_atomic(rq->opcode) ? 1 :
			max_t(u64, 1, DIV_ROUND_UP_ULL(rq->data.len, mtu_of(qp))),
	};
	if (is_local(rq->opcode))
		message->packets = 0;
	if (error)
		fail(qp, message, error);
	return !error;
}

/* Send the next packet. False if none can be sent now. */
static bool send_next(struct fw_object *qp)
{
	struct fw_transport *t = qp->transport;
	struct fw_message *message;
	struct fw_packet p;
	u32 number;

	if (t->sending == t->made && !make_message(qp))
		return false;
	message = message_at(t, t->sending);
	if (!message->packets) {
		/* It is as good as acknowledged, once those before it are. */
		if (t->done != t->sending)
			return false;
		t->sending++;
		complete_oldest(qp);
		return true;
	}
	number = psn_after(t->next_psn, message->psn);
	if (!make_packet(request_of(qp, message), number, &p)) {
		fail(qp, message, LOCAL_PROTECTION);
		return true;
	}
	p.psn = t->next_psn;
	if (!is_waiting(t))
		t->since = ktime_get();
	if (message->opcode == MLX5_OPCODE_RDMA_READ)
		number = message->packets - 1;
	t->next_psn = (message->psn + number + 1) & PSN_MASK;
	if (number + 1 == message->packets)
		t->sending++;
	fw_roce_send(&p);
	if (t->rate.limit)
		fw_congestion_spend(&t->rate, fw_packet_bytes(&p));
	if (!is_reliable(qp))
		acknowledge_before(qp, t->next_psn);
	return true;
}

/* An acknowledgement that does not come in time. */
static bool look_at_clock(struct fw_object *qp)
{
	u32 timeout = MLX5_GET(qpc, qp->context, primary_address_path.ack_timeout);
	struct fw_transport *t = qp->transport;

	if (!is_waiting(t) || !timeout ||
	    ktime_us_delta(ktime_get(), t->since) < (s64)div_u64(4096ULL << timeout, 1000))
		return false;
	if (retry(qp))
		COUNT(qp, local_ack_timeout_err);
	return true;
}

static void acknowledge(struct fw_object *qp, u8 syndrome, u32 psn)
{
	struct fw_packet p;

	if (!is_reliable(qp))
		return;
	answer_init(&p, qp, IB_OPCODE_RC_ACKNOWLEDGE, psn);
	p.syndrome = syndrome;
	fw_roce_send(&p);
}

/* The requester's fault, or the responder's own: nothing is received any more. */
static void refuse_packet(struct fw_object *qp, const struct fw_packet *p, u8 nak)
{
	if (is_reliable(qp)) {
		if (nak == NAK_ACCESS)
			COUNT(qp, resp_remote_access_errors);
		set_error(qp);
	}
	acknowledge(qp, nak, p->psn);
}

/* The kind of network header, as the completion of a datagram names it. */
static u32 header_type(const struct fw_packet *p)
{
	if (!p->v2)
		return MLX5_CQE_ROCE_L3_HEADER_TYPE_GRH;
	return p->ipv4 ? MLX5_CQE_ROCE_L3_HEADER_TYPE_IPV4 : MLX5_CQE_ROCE_L3_HEADER_TYPE_IPV6;
}

static void complete_receive(struct fw_object *qp, const struct fw_packet *p, u8 opcode, u32 bytes)
{
	void *gid = p->from->gid[p->path.gid_index % ARRAY_SIZE(p->from->gid)];
	struct mlx5_cqe64 cqe = {};
	u32 source = is_datagram(qp) ? p->source | CQE_GRH :
		MLX5_GET(qpc, qp->context, remote_qpn);

	cqe.flags_rqpn = cpu_to_be32(source | header_type(p) << 24);
	if (p->tagged) {
		cqe.l4_l3_hdr_type = 1;
		cqe.vlan_info = cpu_to_be16(p->path.prio << 13 |
					    MLX5_GET(roce_addr_layout, gid, vlan_id));
	}
	cqe.byte_cnt = cpu_to_be32(bytes);
	cqe.immediate = qp->service == MLX5_QP_ST_QP1 ? cpu_to_be32(0xffff) : p->immediate;
	finish_wr(qp, qp->cqn_receive, opcode, &cqe, 0, end_receive(qp));
}

/* A packet cannot be received as there is no request for it. */
static void no_buffer(struct fw_object *qp, const struct fw_packet *p)
{
	COUNT(qp, out_of_buffer);
	acknowledge(qp, RNR_NAK | MLX5_GET(qpc, qp->context, min_rnr_nak), p->psn);
}

/* The receive request in use fails, and with it the queue pair. */
static void fail_receive(struct fw_object *qp, const struct fw_packet *p, u8 syndrome, u8 nak)
{
	complete_error(qp, false, syndrome, 0, end_receive(qp));
	set_error(qp);
	acknowledge(qp, nak, p->psn);
}

/* False: the packet was refused. */
static bool take_send(struct fw_object *qp, const struct fw_packet *p, u16 has)
{
	struct fw_transport *t = qp->transport;
	u8 grh[FW_GRH_BYTES], opcode = MLX5_CQE_RESP_SEND;
	u32 skip = is_datagram(qp) ? FW_GRH_BYTES : 0;

	if (has & FW_FIRST)
		t->received = 0;
	if (!receive_list(qp, &sinks)) {
		no_buffer(qp, p);
		return false;
	}
	if (skip) {
		fw_packet_grh(p, grh);
		if (!fw_scatter(&sinks, 0, grh, min_t(u64, sinks.len, FW_GRH_BYTES)))
			return false;
	}
	if (skip + t->received + p->bytes > sinks.len) {
		fail_receive(qp, p, LOCAL_LENGTH, NAK_INVALID);
		return false;
	}
	if (!fw_scatter(&sinks, skip + t->received, p->payload, p->bytes)) {
		fail_receive(qp, p, LOCAL_PROTECTION, NAK_OPERATION);
		return false;
	}
	t->received += p->bytes;
	if (!(has & FW_LAST))
		return true;
	if (has & FW_IMMEDIATE)
		opcode = (p->opcode & 31) < IB_OPCODE_SEND_LAST_WITH_INVALIDATE ?
			MLX5_CQE_RESP_SEND_IMM : MLX5_CQE_RESP_SEND_INV;
	complete_receive(qp, p, opcode, skip + t->received);
	return true;
}

static bool take_write(struct fw_object *qp, const struct fw_packet *p, u16 has)
{
	struct fw_transport *t = qp->transport;
	bool immediate = has & FW_IMMEDIATE;

	if (immediate && !receive_list(qp, &sinks)) {
		no_buffer(qp, p);
		return false;
	}
	if (has & FW_FIRST) {
		COUNT(qp, rx_write_requests);
		t->received = 0;
		t->raddr = p->raddr;
		t->rkey = p->rkey;
	}
	fw_spans_start(&sinks, qp->fn, FW_REMOTE_WRITE);
	fw_span_add(&sinks, t->rkey, t->raddr + t->received, p->bytes, NULL);
	if (!fw_scatter(&sinks, 0, p->payload, p->bytes)) {
		refuse_packet(qp, p, NAK_ACCESS);
		return false;
	}
	t->received += p->bytes;
	if (immediate)
		complete_receive(qp, p, MLX5_CQE_RESP_WR_IMM, t->received);
	return true;
}

static u8 opcode_of_answer(u32 number, u32 packets)
{
	if (packets == 1)
		return IB_OPCODE_RC_RDMA_READ_RESPONSE_ONLY;
	if (number + 1 == packets)
		return IB_OPCODE_RC_RDMA_READ_RESPONSE_LAST;
	return number ? IB_OPCODE_RC_RDMA_READ_RESPONSE_MIDDLE : IB_OPCODE_RC_RDMA_READ_RESPONSE_FIRST;
}

static u32 packets_of_read(const struct fw_object *qp, u32 len)
{
	return max_t(u32, 1, DIV_ROUND_UP(len, mtu_of(qp)));
}

/* Answer with the data, from the first packet of the request on. */
static void answer_read(struct fw_object *qp, const struct fw_packet *p)
{
	u32 mtu = mtu_of(qp), packets = packets_of_read(qp, p->len), i;
	struct fw_packet answer;

	COUNT(qp, rx_read_requests);
	for (i = 0; i < packets; i++) {
		answer_init(&answer, qp, opcode_of_answer(i, packets), p->psn + i);
		answer.bytes = min(mtu, p->len - i * mtu);
		fw_spans_start(&sinks, qp->fn, FW_REMOTE_READ);
		fw_span_add(&sinks, p->rkey, p->raddr + (u64)i * mtu, answer.bytes, NULL);
		answer.payload = fw_gather(&sinks, 0, answer.bytes, payload);
		if (!answer.payload) {
			COUNT(qp, resp_remote_access_errors);
			set_error(qp);
			acknowledge(qp, NAK_ACCESS, p->psn + i);
			return;
		}
		fw_roce_send(&answer);
	}
}

static void answer_atomic(struct fw_object *qp, u32 psn)
{
	struct fw_transport *t = qp->transport;
	struct fw_packet answer;

	answer_init(&answer, qp, IB_OPCODE_RC_ATOMIC_ACKNOWLEDGE, psn);
	answer.atomic_result = t->atomic_result;
	fw_roce_send(&answer);
}

static bool take_atomic(struct fw_object *qp, const struct fw_packet *p)
{
	struct fw_transport *t = qp->transport;
	u32 len = sizeof(u64);
	u64 *memory = (u64 *)fw_translate(qp->fn, p->rkey, p->raddr, FW_REMOTE_ATOMIC, &len);

	if (!memory || len != sizeof(u64) || p->raddr & 7) {
		refuse_packet(qp, p, NAK_ACCESS);
		return false;
	}
	COUNT(qp, rx_atomic_requests);
	t->atomic_psn = p->psn;
	t->atomic_result = *memory;
	if (p->opcode == IB_OPCODE_RC_FETCH_ADD)
		*memory += be64_to_cpu(p->swap_add);
	else if (*memory == be64_to_cpu(p->compare))
		*memory = be64_to_cpu(p->swap_add);
	return true;
}

/* A request that came before is answered as then, without being carried out again. */
static void repeat(struct fw_object *qp, const struct fw_packet *p, u16 has)
{
	struct fw_transport *t = qp->transport;

	COUNT(qp, duplicate_request);
	if (has & FW_READ)
		answer_read(qp, p);
	else if (has & FW_ATOMIC && p->psn == t->atomic_psn)
		answer_atomic(qp, p->psn);
	else if (p->wants_ack)
		acknowledge(qp, NO_CREDITS, t->expected_psn - 1);
}

/* False: it is not the packet that comes next. */
static bool is_expected(struct fw_object *qp, const struct fw_packet *p, u16 has)
{
	struct fw_transport *t = qp->transport;
	s32 gap = psn_after(p->psn, t->expected_psn);

	if (!gap) {
		t->complained = false;
		return true;
	}
	if (!is_reliable(qp)) {
		/* The rest of a message that lost a packet is lost. */
		if (has & FW_FIRST)
			t->expected_psn = p->psn;
		return has & FW_FIRST;
	}
	if (gap < 0) {
		repeat(qp, p, has);
		return false;
	}
	COUNT(qp, out_of_sequence);
	if (!t->complained)
		acknowledge(qp, NAK_SEQUENCE, t->expected_psn);
	t->complained = true;
	return false;
}

/* A request to a queue pair. */
static void respond(struct fw_object *qp, const struct fw_packet *p, u16 has)
{
	struct fw_transport *t = qp->transport;
	u32 packets = has & FW_READ ? packets_of_read(qp, p->len) : 1;
	bool taken;

	if (!is_datagram(qp) && !is_expected(qp, p, has))
		return;
	if (has & FW_READ) {
		t->expected_psn = (p->psn + packets) & PSN_MASK;
		t->messages++;
		answer_read(qp, p);
		return;
	}
	taken = has & FW_SEND ? take_send(qp, p, has) : has & FW_WRITE ? take_write(qp, p, has) :
		take_atomic(qp, p);
	if (!taken)
		return;
	t->expected_psn = (p->psn + 1) & PSN_MASK;
	if (has & (FW_LAST | FW_ATOMIC))
		t->messages++;
	if (has & FW_ATOMIC)
		answer_atomic(qp, p->psn);
	else if (p->wants_ack)
		acknowledge(qp, NO_CREDITS, p->psn);
}

/* An answer that nobody waits for is ignored. */
static void take_response(struct fw_object *qp, const struct fw_packet *p, u16 has)
{
	struct fw_transport *t = qp->transport;

	if (qp->state != MLX5_QP_STATE_RTS || psn_after(p->psn, t->oldest_psn) < 0 ||
	    psn_after(p->psn, t->next_psn) >= 0)
		return;
	if (has & (FW_READ | FW_ATOMIC))
		take_answer(qp, p, has & FW_ATOMIC);
	else
		take_acknowledgement(qp, p);
}

/* The other side has to send less. */
static void notify_congestion(struct fw_object *qp)
{
	struct fw_packet cnp;

	if (is_datagram(qp)) {
		fw_congestion_marked(qp->fn, NULL);
		return;
	}
	answer_init(&cnp, qp, FW_OPCODE_CNP, 0);
	fw_congestion_marked(qp->fn, &cnp);
}

static struct fw_object *receiver_of(const struct fw_packet *p)
{
	struct fw_object *qp = find_pair(p->to, p->qpn);

	if (!qp || qp->state < MLX5_QP_STATE_RTR || qp->state == MLX5_QP_STATE_ERR)
		return NULL;
	if (p->opcode != FW_OPCODE_CNP && transport_of(qp) != (p->opcode & ~31))
		return NULL;
	if (qp->service == MLX5_QP_ST_UD && p->path.qkey != MLX5_GET(qpc, qp->context, q_key))
		return NULL;
	return qp;
}

void fw_roce_take(const struct fw_packet *p)
{
	struct fw_object *qp = receiver_of(p);
	u16 has = fw_packet_parts(p);

	if (!qp)
		return;
	if (p->opcode == FW_OPCODE_CNP)
		take_notification(qp);
	else if (has & FW_ANSWER)
		take_response(qp, p, has);
	else
		respond(qp, p, has);
}

/* The notification point sees a mark when the packet arrives, before a buffer keeps it. */
static void look_at_mark(const struct fw_packet *p)
{
	u16 has = fw_packet_parts(p);
	struct fw_object *qp;

	if (p->path.ecn != INET_ECN_CE || (has & FW_AETH && !(has & FW_READ)))
		return;
	qp = receiver_of(p);
	if (qp)
		notify_congestion(qp);
}

void fw_roce_transmit(struct fw_packet *p)
{
	if (!fw_packet_send(p) || !p->to)
		return;
	look_at_mark(p);
	if (!fw_queue_add(p))
		fw_roce_take(p);
}

void fw_roce_send(struct fw_packet *p)
{
	p->to = find_function(p->from, p->path.mac);
	if (!fw_queue_holds(p))
		fw_roce_transmit(p);
}

/* Datagrams wait when they are sent, as each has its own path. The other end goes on meanwhile. */
static bool must_wait(struct fw_object *qp)
{
	struct fw_function *peer = qp->fn->peer;
	struct fw_packet p;

	if (peer && !list_empty(&peer->queue.arrived))
		fw_queue_take_due(peer);
	if (!fw_congestion_lets(&qp->transport->rate))
		return true;
	if (!qp->fn->queue.paused || is_datagram(qp))
		return false;
	answer_init(&p, qp, 0, 0);
	return fw_queue_is_paused(qp->fn, fw_packet_prio(&p));
}

/* Programs ring the bells of their queue pairs without the driver. */
static bool may_be_of_a_program(const struct fw_object *qp)
{
	return qp->service == MLX5_QP_ST_RC || qp->service == MLX5_QP_ST_UC ||
		qp->service == MLX5_QP_ST_UD || qp->service == MLX5_QP_ST_XRC;
}

bool fw_roce_poll(struct fw_function *fn, bool *watch)
{
	struct fw_object *qp;
	unsigned long id;
	bool busy = false;

	xa_for_each(&fn->object[FW_QP], id, qp) {
		int left = PACKETS_IN_A_ROW;

		if (qp->state == MLX5_QP_STATE_ERR) {
			busy |= flush(qp);
			continue;
		}
		if (qp->state != MLX5_QP_STATE_RTS || !qp->log_size_valid)
			continue;
		*watch |= may_be_of_a_program(qp);
		busy |= look_at_clock(qp);
		if (qp->transport->not_before && ktime_before(ktime_get(), qp->transport->not_before))
			continue;
		qp->transport->not_before = 0;
		while (left-- && qp->state == MLX5_QP_STATE_RTS && !qp->transport->not_before &&
		       !must_wait(qp) && send_next(qp))
			busy = true;
	}
	return busy;
}
