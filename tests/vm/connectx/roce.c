// SPDX-License-Identifier: GPL-2.0
/*
 * RoCE: queue pairs of types RC, UC, UD and QP1. A message goes straight from the memory of the
 * sender to that of the receiver, both found by their keys; the packets that it would have been on
 * the wire are counted, by priority, on both sides. Work that cannot be done yet (receiver not
 * ready, link down) stays at the head of its queue and is tried again.
 */
#include "connectx.h"

#include <linux/if_vlan.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/mlx5/cq.h>
#include <linux/mlx5/qp.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <net/ip.h>

#define MAX_SPANS	48
#define MAX_INLINE	1024
#define GRH_BYTES	40
#define BTH_BYTES	12
#define RETH_BYTES	16
#define DETH_BYTES	8
#define AETH_BYTES	4
#define ICRC_BYTES	4
#define UDP_BYTES	8
#define RESERVED_LKEY	0x300	/* as answered to QUERY_SPECIAL_CONTEXTS */
#define END_OF_LIST	0x100	/* a receive request has fewer segments than it could */
#define ROCE_V2		2
#define CQE_GRH		BIT(28)
#define EXTENDED_AV	BIT(31)
#define QKEY_OF_QP	BIT(31)
#define RNR_FOREVER	7
#define RNR_US		10000	/* one try of a receiver that is not ready */

static bool trace_roce;
module_param(trace_roce, bool, 0644);
MODULE_PARM_DESC(trace_roce, "say which path each queue pair and datagram takes");

/* Syndromes of completions with an error. */
enum {
	LOCAL_PROTECTION = 0x04, FLUSHED = 0x05, REMOTE_ACCESS = 0x13, REMOTE_OPERATION = 0x14,
	LOCAL_LENGTH = 0x01, LOCAL_OPERATION = 0x02, RETRIES_EXCEEDED = 0x15,
	RNR_RETRIES_EXCEEDED = 0x16, REMOTE_INVALID = 0x12,
	WAIT = 0x100,		/* not an error: try again */
};

/* Where a message goes. */
struct roce_path {
	u8 mac[ETH_ALEN];
	u8 gid_index, dscp, ecn, prio, hop_limit;
	u8 gid[16];
	u16 sport;
	u32 qpn, qkey;
};

struct span {
	u32 key;
	u64 addr;
	u32 len;
	u8 *direct;	/* inline data instead of a key */
};

struct spans {
	struct fw_function *fn;
	u8 right;	/* needed right of the key */
	unsigned int n;
	u64 len;
	struct span span[MAX_SPANS];
};

enum { LOCAL = 0, REMOTE_READ = 1, REMOTE_WRITE = 2, LOCAL_WRITE = 4, REMOTE_ATOMIC = 8 };

/* A work request of a send queue. */
struct request {
	struct fw_function *fn;
	struct fw_object *qp;
	u16 index;
	u8 opcode, ds;
	bool signalled;
	__be32 immediate;
	u64 raddr;
	u32 rkey;
	__be64 swap_add, compare;
	struct roce_path path;
};

/* All is done by one thread. */
static struct spans sources, sinks;
static u8 inline_buffer[MAX_INLINE];

static bool is_datagram(const struct fw_object *qp)
{
	return qp->service == MLX5_QP_ST_UD || qp->service == MLX5_QP_ST_QP1;
}

/* Memory by key: a pointer, and how much of *LEN lies there in one piece. */
static u8 *translate(struct fw_function *fn, u32 key, u64 addr, u8 right, u32 *len)
{
	struct fw_object *mkey;
	u64 start, size, offset;
	u32 page;
	u8 *memory;
	void *mkc;

	if (key == RESERVED_LKEY)
		return fw_memory(fn, addr);
	mkey = fw_object_get(fn, FW_MKEY, key >> 8);
	if (!mkey)
		return NULL;
	mkc = mkey->context;
	if (MLX5_GET(mkc, mkc, mkey_7_0) != (key & 0xff) || MLX5_GET(mkc, mkc, free) ||
	    (right & REMOTE_READ && !MLX5_GET(mkc, mkc, rr)) ||
	    (right & REMOTE_WRITE && !MLX5_GET(mkc, mkc, rw)) ||
	    (right & REMOTE_ATOMIC && !MLX5_GET(mkc, mkc, a)) ||
	    (right & LOCAL_WRITE && !MLX5_GET(mkc, mkc, lw)))
		return NULL;
	start = MLX5_GET64(mkc, mkc, start_addr);
	size = MLX5_GET64(mkc, mkc, len);
	if (!MLX5_GET(mkc, mkc, length64) &&
	    (addr < start || addr - start > size || *len > size - (addr - start)))
		return NULL;
	switch (MLX5_GET(mkc, mkc, access_mode_1_0)) {
	case MLX5_MKC_ACCESS_MODE_PA:
		return fw_memory(fn, addr);
	case MLX5_MKC_ACCESS_MODE_MTT:
		break;
	default:
		fw_say(fn, "key 0x%x has mode %u\n", key, MLX5_GET(mkc, mkc, access_mode_1_0));
		return NULL;
	}
	/* Addresses and pages agree in their low bits. */
	offset = addr - start + (start & (BIT_ULL(mkey->ring.page_shift) - 1));
	page = offset >> mkey->ring.page_shift;
	if (page >= mkey->ring.pages)
		return NULL;
	offset &= BIT_ULL(mkey->ring.page_shift) - 1;
	*len = min_t(u64, *len, BIT_ULL(mkey->ring.page_shift) - offset);
	memory = fw_at(mkey->ring.page[page]);
	return memory ? memory + offset : NULL;
}

static void spans_start(struct spans *list, struct fw_function *fn, u8 right)
{
	list->fn = fn;
	list->right = right;
	list->n = 0;
	list->len = 0;
}

static bool span_add(struct spans *list, u32 key, u64 addr, u32 len, u8 *direct)
{
	if (list->n == MAX_SPANS)
		return false;
	list->span[list->n++] = (struct span){ key, addr, len, direct };
	list->len += len;
	return true;
}

/* The piece at OFFSET of a list. */
static u8 *piece(struct spans *list, u64 offset, u32 *len)
{
	struct span *span = list->span;
	unsigned int i;

	for (i = 0; i < list->n; i++, span++) {
		if (offset >= span->len) {
			offset -= span->len;
			continue;
		}
		*len = min_t(u64, *len, span->len - offset);
		if (span->direct)
			return span->direct + offset;
		return translate(list->fn, span->key, span->addr + offset, list->right, len);
	}
	return NULL;
}

/* Copy LEN bytes; a syndrome if a key is bad. */
static int copy(struct spans *to, u64 to_offset, int to_error, struct spans *from, int from_error,
		u64 len)
{
	u64 done = 0;
	u32 part;
	u8 *in, *out;

	for (; done < len; done += part) {
		part = min_t(u64, len - done, SZ_1M);
		in = piece(from, done, &part);
		if (!in)
			return from_error;
		out = piece(to, to_offset + done, &part);
		if (!out)
			return to_error;
		memcpy(out, in, part);
	}
	return 0;
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
static bool gather_spans(struct request *rq, unsigned int i, struct spans *list)
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
			used = gather_inline(rq, i, bytes, inline_buffer + inlined);
			if (!used || !span_add(list, 0, 0, bytes, inline_buffer + inlined))
				return false;
			inlined += bytes;
			i += used;
			continue;
		}
		if (!span_add(list, be32_to_cpu(seg->lkey), be64_to_cpu(seg->addr),
			      bytes ?: BIT(31), NULL))
			return false;
		i++;
	}
	return true;
}

/* The next receive request of a queue pair. False if there is none. */
static bool receive_list(struct fw_function *fn, struct fw_object *qp, struct spans *list)
{
	u32 stride, at, i;

	spans_start(list, fn, LOCAL_WRITE);
	if (!qp->receive_size ||
	    (u16)be32_to_cpu((__force __be32)READ_ONCE(qp->dbr[0])) == (u16)qp->rq_ci)
		return false;
	dma_rmb();
	stride = BIT(qp->log_stride);
	at = (u16)qp->rq_ci * stride & (qp->receive_size - 1);
	for (i = 0; i < stride / sizeof(struct mlx5_wqe_data_seg); i++) {
		struct mlx5_wqe_data_seg *seg = fw_ring_at(&qp->receive,
							   at + i * sizeof(*seg));

		if (!seg || (!seg->byte_count && be32_to_cpu(seg->lkey) == END_OF_LIST))
			break;
		if (seg->byte_count)
			span_add(list, be32_to_cpu(seg->lkey), be64_to_cpu(seg->addr),
				 be32_to_cpu(seg->byte_count), NULL);
	}
	return true;
}

static struct fw_object *q_counter(struct fw_function *fn, struct fw_object *qp)
{
	return fw_object_get(fn, FW_QCOUNTER, qp->counter_set);
}

#define COUNT(fn, qp, field) do { \
	struct fw_object *counter_ = q_counter(fn, qp); \
	if (counter_) \
		counter_->q.field++; \
} while (0)

static void finish_wr(struct fw_function *fn, struct fw_object *qp, u32 cqn, u8 opcode,
		     struct mlx5_cqe64 *cqe, u8 wqe_opcode, u16 index)
{
	cqe->srqn = cpu_to_be32(MLX5_GET(qpc, qp->context, user_index));
	cqe->sop_drop_qpn = cpu_to_be32((u32)wqe_opcode << 24 | qp->id);
	cqe->wqe_counter = cpu_to_be16(index);
	cqe->op_own = opcode << 4;
	fw_complete(fn, cqn, cqe);
}

static void complete_error(struct fw_function *fn, struct fw_object *qp, bool request,
			   u8 syndrome, u8 wqe_opcode, u16 index)
{
	struct mlx5_cqe64 cqe = {};

	((struct mlx5_err_cqe *)&cqe)->syndrome = syndrome;
	finish_wr(fn, qp, request ? qp->cqn : qp->cqn_receive,
		 request ? MLX5_CQE_REQ_ERR : MLX5_CQE_RESP_ERR, &cqe, wqe_opcode, index);
}

/* A queue pair in the error state answers all requests at once. */
static bool flush(struct fw_function *fn, struct fw_object *qp)
{
	bool busy = false;

	while ((u16)be32_to_cpu((__force __be32)READ_ONCE(qp->dbr[1])) != (u16)qp->pi) {
		struct mlx5_wqe_ctrl_seg *ctrl;

		dma_rmb();
		ctrl = send_segment_at(qp, qp->pi, 0);
		if (!ctrl)
			break;
		complete_error(fn, qp, true, FLUSHED, be32_to_cpu(ctrl->opmod_idx_opcode), qp->pi);
		qp->pi = (u16)(qp->pi + max(1, DIV_ROUND_UP(be32_to_cpu(ctrl->qpn_ds) &
				MLX5_WQE_CTRL_DS_MASK, MLX5_SEND_WQEBB_NUM_DS)));
		busy = true;
	}
	while (qp->receive_size &&
	       (u16)be32_to_cpu((__force __be32)READ_ONCE(qp->dbr[0])) != (u16)qp->rq_ci) {
		complete_error(fn, qp, false, FLUSHED, 0, qp->rq_ci++);
		busy = true;
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

/* Bytes around the payload of each packet of a path. */
static u32 overhead(struct fw_function *fn, const struct roce_path *path, bool *tagged, bool *v2)
{
	void *gid = fn->gid[path->gid_index % ARRAY_SIZE(fn->gid)];
	u32 bytes = ETH_HLEN + BTH_BYTES + ICRC_BYTES + ETH_FCS_LEN;

	*tagged = MLX5_GET(roce_addr_layout, gid, vlan_valid);
	*v2 = MLX5_GET(roce_addr_layout, gid, roce_version) == ROCE_V2;
	if (*tagged)
		bytes += VLAN_HLEN;
	if (!*v2)
		return bytes + GRH_BYTES;
	bytes += UDP_BYTES;
	return bytes + (MLX5_GET(roce_addr_layout, gid, roce_l3_type) ==
			MLX5_ROCE_L3_TYPE_IPV4 ? sizeof(struct iphdr) : sizeof(struct ipv6hdr));
}

#define SEEN_SENT	BIT(12)
#define SEEN_TAGGED	BIT(11)
#define SEEN_PRIO	8	/* first bit */

struct seen {
	u64 packets, bytes;
};

static void see(struct fw_function *fn, u32 kind, u64 packets, u64 bytes)
{
	struct seen *seen = xa_load(&fn->seen, kind);

	if (!seen) {
		seen = kzalloc(sizeof(*seen), GFP_KERNEL);
		if (!seen || xa_err(xa_store(&fn->seen, kind, seen, GFP_KERNEL))) {
			kfree(seen);
			return;
		}
	}
	seen->packets += packets;
	seen->bytes += bytes;
}

void fw_roce_show_seen(struct seq_file *out, struct fw_function *fn)
{
	struct seen *seen;
	unsigned long kind;

	xa_for_each(&fn->seen, kind, seen) {
		seq_printf(out, "%s tos 0x%lx", kind & SEEN_SENT ? "sent" : "received", kind & 0xff);
		if (kind & SEEN_TAGGED)
			seq_printf(out, " prio %lu", kind >> SEEN_PRIO & 7);
		seq_printf(out, " packets %llu bytes %llu\n", seen->packets, seen->bytes);
	}
}

void fw_roce_forget_seen(struct fw_function *fn)
{
	struct seen *seen;
	unsigned long kind;

	xa_for_each(&fn->seen, kind, seen)
		kfree(seen);
	xa_destroy(&fn->seen);
}

bool fw_roce_transfer(const struct fw_packets *p)
{
	struct fw_function *from = p->from, *to = from->detour ?: p->to;
	u8 dscp = p->v2 ? fw_carried(from, p->to, p->dscp) : p->dscp;
	u32 tag = p->tagged ? SEEN_TAGGED | p->prio << SEEN_PRIO : 0;
	u8 tx = p->prio, rx = p->tagged ? p->prio : 0;

	if (from->port.trust == 2 && p->v2)
		tx = from->port.dscp_prio[p->dscp] & 7;
	fw_count(from, true, FW_RDMA, tx, p->n, p->bytes);
	see(from, SEEN_SENT | tag | p->dscp << 2 | p->ecn, p->n, p->bytes);
	if (dscp == FW_LOST)
		return false;
	if (to->port.trust == 2 && p->v2)
		rx = to->port.dscp_prio[dscp] & 7;
	fw_count(to, false, FW_RDMA, rx, p->n, p->bytes);
	see(to, tag | dscp << 2 | p->ecn, p->n, p->bytes);
	return true;
}

/* Packets of a message. */
static void account(struct fw_function *from, struct fw_function *to, const struct roce_path *path,
		    u64 len, u32 mtu, u32 extension)
{
	struct fw_packets p = {
		.from = from, .to = to, .dscp = path->dscp, .ecn = path->ecn, .prio = path->prio,
		.n = max_t(u64, 1, DIV_ROUND_UP_ULL(len, mtu)),
	};

	if (from == to)
		return;
	p.bytes = p.n * overhead(from, path, &p.tagged, &p.v2) + extension + round_up(len, 4);
	if (fw_roce_transfer(&p))
		fw_congestion_packets(from, to, p.n);
}

/* A switch loses packets for their DSCP; a port those that are longer than its MTU. */
static bool is_carried(struct fw_function *from, struct fw_function *to,
		       const struct roce_path *path, u64 len)
{
	bool tagged, v2;
	u64 bytes = overhead(from, path, &tagged, &v2) + len;

	return bytes <= to->port.mtu && (!v2 || fw_carried(from, to, path->dscp) != FW_LOST);
}

/* A datagram's receiver gets its network header: IPv4 in the last 20 of 40 bytes. */
static void write_grh(struct request *rq, struct fw_function *to, u32 len, u8 *grh)
{
	void *gid = rq->fn->gid[rq->path.gid_index % ARRAY_SIZE(rq->fn->gid)];
	u8 *source = MLX5_ADDR_OF(roce_addr_layout, gid, source_l3_address);
	bool v2 = MLX5_GET(roce_addr_layout, gid, roce_version) == ROCE_V2;
	u32 inner = UDP_BYTES + BTH_BYTES + DETH_BYTES + len + ICRC_BYTES;
	u8 dscp = v2 ? fw_carried(rq->fn, to, rq->path.dscp) : rq->path.dscp;

	memset(grh, 0, GRH_BYTES);
	if (v2 && MLX5_GET(roce_addr_layout, gid, roce_l3_type) == MLX5_ROCE_L3_TYPE_IPV4) {
		struct iphdr *ip = (void *)(grh + GRH_BYTES - sizeof(*ip));

		ip->version = 4;
		ip->ihl = 5;
		ip->tos = dscp << 2 | rq->path.ecn;
		ip->tot_len = htons(sizeof(*ip) + inner);
		ip->frag_off = htons(IP_DF);
		ip->ttl = rq->path.hop_limit;
		ip->protocol = IPPROTO_UDP;
		memcpy(&ip->saddr, source + 12, 4);
		memcpy(&ip->daddr, rq->path.gid + 12, 4);
		ip_send_check(ip);
	} else {
		struct ipv6hdr *ip = (void *)grh;

		ip->version = 6;
		ip->priority = dscp >> 2;
		ip->flow_lbl[0] = (dscp << 2 | rq->path.ecn) << 4;
		ip->payload_len = htons(v2 ? inner : inner - UDP_BYTES);
		ip->nexthdr = v2 ? IPPROTO_UDP : 0x1b;
		ip->hop_limit = rq->path.hop_limit;
		memcpy(&ip->saddr, source, 16);
		memcpy(&ip->daddr, rq->path.gid, 16);
	}
}

/* The kind of network header, as the completion of a datagram names it. */
static u32 header_type(struct fw_function *fn, const struct roce_path *path)
{
	void *gid = fn->gid[path->gid_index % ARRAY_SIZE(fn->gid)];

	if (MLX5_GET(roce_addr_layout, gid, roce_version) != ROCE_V2)
		return MLX5_CQE_ROCE_L3_HEADER_TYPE_GRH;
	return MLX5_GET(roce_addr_layout, gid, roce_l3_type) == MLX5_ROCE_L3_TYPE_IPV4 ?
		MLX5_CQE_ROCE_L3_HEADER_TYPE_IPV4 : MLX5_CQE_ROCE_L3_HEADER_TYPE_IPV6;
}

static void describe_source(struct request *rq, struct mlx5_cqe64 *cqe)
{
	void *gid = rq->fn->gid[rq->path.gid_index % ARRAY_SIZE(rq->fn->gid)];
	u32 source = rq->qp->service == MLX5_QP_ST_QP1 || rq->qp->deth_sqpn == 1 ? 1 : rq->qp->id;

	cqe->flags_rqpn = cpu_to_be32(source | (is_datagram(rq->qp) ? CQE_GRH : 0) |
				      header_type(rq->fn, &rq->path) << 24);
	if (MLX5_GET(roce_addr_layout, gid, vlan_valid)) {
		cqe->l4_l3_hdr_type = 1;
		cqe->vlan_info = cpu_to_be16(rq->path.prio << 13 |
					     MLX5_GET(roce_addr_layout, gid, vlan_id));
	}
}

/* A message into the next receive request of the other side. */
static int deliver_send(struct request *rq, struct fw_function *to, struct fw_object *target)
{
	u8 grh[GRH_BYTES], opcode = MLX5_CQE_RESP_SEND;
	struct mlx5_cqe64 cqe = {};
	u32 skip = 0;
	int error;

	if (!receive_list(to, target, &sinks)) {
		COUNT(to, target, out_of_buffer);
		return is_datagram(rq->qp) ? 0 : WAIT;
	}
	if (is_datagram(rq->qp)) {
		struct spans header;

		skip = GRH_BYTES;
		write_grh(rq, to, sources.len, grh);
		spans_start(&header, rq->fn, LOCAL);
		span_add(&header, 0, 0, GRH_BYTES, grh);
		if (copy(&sinks, 0, 1, &header, 1, min_t(u64, GRH_BYTES, sinks.len)))
			return 0;
	}
	if (skip + sources.len > sinks.len)
		error = is_datagram(rq->qp) ? LOCAL_LENGTH : REMOTE_INVALID;
	else
		error = copy(&sinks, skip, REMOTE_OPERATION, &sources, LOCAL_PROTECTION, sources.len);
	if (error == LOCAL_PROTECTION)
		return error;
	if (error) {
		complete_error(to, target, false,
			       error == REMOTE_OPERATION ? LOCAL_PROTECTION : LOCAL_LENGTH, 0,
			       target->rq_ci++);
		target->state = MLX5_QP_STATE_ERR;
		return is_datagram(rq->qp) ? 0 : error;
	}
	describe_source(rq, &cqe);
	cqe.byte_cnt = cpu_to_be32(skip + sources.len);
	cqe.immediate = target->service == MLX5_QP_ST_QP1 ? cpu_to_be32(0xffff) : rq->immediate;
	if (rq->opcode == MLX5_OPCODE_SEND_IMM)
		opcode = MLX5_CQE_RESP_SEND_IMM;
	if (rq->opcode == MLX5_OPCODE_SEND_INVAL)
		opcode = MLX5_CQE_RESP_SEND_INV;
	finish_wr(to, target, target->cqn_receive, opcode, &cqe, 0, target->rq_ci++);
	return 0;
}

static int deliver_write(struct request *rq, struct fw_function *to, struct fw_object *target)
{
	bool immediate = rq->opcode == MLX5_OPCODE_RDMA_WRITE_IMM;
	struct mlx5_cqe64 cqe = {};
	int error;

	if (immediate && !receive_list(to, target, &sinks)) {
		COUNT(to, target, out_of_buffer);
		return WAIT;
	}
	spans_start(&sinks, to, REMOTE_WRITE);
	span_add(&sinks, rq->rkey, rq->raddr, sources.len, NULL);
	error = copy(&sinks, 0, REMOTE_ACCESS, &sources, LOCAL_PROTECTION, sources.len);
	if (error)
		return error;
	COUNT(to, target, rx_write_requests);
	if (immediate) {
		describe_source(rq, &cqe);
		cqe.byte_cnt = cpu_to_be32(sources.len);
		cqe.immediate = rq->immediate;
		finish_wr(to, target, target->cqn_receive, MLX5_CQE_RESP_WR_IMM, &cqe, 0,
			 target->rq_ci++);
	}
	return 0;
}

/* The request's list is where the data goes. */
static int deliver_read(struct request *rq, struct fw_function *to, struct fw_object *target)
{
	spans_start(&sinks, to, REMOTE_READ);
	span_add(&sinks, rq->rkey, rq->raddr, sources.len, NULL);
	sources.right = LOCAL_WRITE;
	COUNT(to, target, rx_read_requests);
	return copy(&sources, 0, LOCAL_PROTECTION, &sinks, REMOTE_ACCESS, sources.len);
}

static int deliver_atomic(struct request *rq, struct fw_function *to, struct fw_object *target)
{
	u32 len = sizeof(u64);
	u64 *memory = (u64 *)translate(to, rq->rkey, rq->raddr, REMOTE_ATOMIC, &len), old;
	struct spans answer;

	if (!memory || len != sizeof(u64) || rq->raddr & 7)
		return REMOTE_ACCESS;
	old = *memory;
	if (rq->opcode == MLX5_OPCODE_ATOMIC_FA)
		*memory = old + be64_to_cpu(rq->swap_add);
	else if (old == be64_to_cpu(rq->compare))
		*memory = be64_to_cpu(rq->swap_add);
	COUNT(to, target, rx_atomic_requests);
	sources.right = LOCAL_WRITE;
	spans_start(&answer, rq->fn, LOCAL);
	span_add(&answer, 0, 0, sizeof(old), (u8 *)&old);
	return copy(&sources, 0, LOCAL_PROTECTION, &answer, LOCAL_PROTECTION, sizeof(old));
}

static void trace_path(struct fw_function *fn, struct fw_object *qp, const struct roce_path *path,
		       const char *what)
{
	if (trace_roce)
		fw_say(fn, "%s qp 0x%x type %u to 0x%x %pM gid %u -> %pI6c dscp %u ecn %u prio %u sport %u hops %u\n",
		       what, qp->id, qp->service, path->qpn, path->mac, path->gid_index, path->gid,
		       path->dscp, path->ecn, path->prio, path->sport, path->hop_limit);
}

/* The address vector of a queue pair. */
static void path_of_pair(struct fw_object *qp, struct roce_path *path)
{
	void *ads = MLX5_ADDR_OF(qpc, qp->context, primary_address_path);

	memset(path, 0, sizeof(*path));
	memcpy(path->mac, MLX5_ADDR_OF(ads, ads, rmac_47_32), ETH_ALEN);
	memcpy(path->gid, MLX5_ADDR_OF(ads, ads, rgid_rip), 16);
	path->gid_index = MLX5_GET(ads, ads, src_addr_index);
	path->dscp = MLX5_GET(ads, ads, dscp);
	path->ecn = MLX5_GET(ads, ads, tclass) & 3;
	path->prio = MLX5_GET(ads, ads, eth_prio);
	path->hop_limit = MLX5_GET(ads, ads, hop_limit);
	path->sport = MLX5_GET(ads, ads, udp_sport);
	path->qpn = MLX5_GET(qpc, qp->context, remote_qpn);
}

static void path_of_datagram(struct fw_object *qp, const struct mlx5_av *av, struct roce_path *path)
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

/* The acknowledgement of a message has the path of its own queue pair. */
static void acknowledge(struct fw_function *from, struct fw_function *to, struct fw_object *qp)
{
	struct roce_path path;

	path_of_pair(qp, &path);
	account(from, to, &path, 0, 1, AETH_BYTES);
}

static u32 mtu_of(struct fw_object *qp)
{
	u8 mtu = MLX5_GET(qpc, qp->context, mtu);

	return mtu >= 1 && mtu <= 5 ? 128 << mtu : 1024;
}

/* Carry out a request. Returns a syndrome, 0 for success, WAIT. */
static int carry_out(struct request *rq)
{
	struct fw_object *qp = rq->qp, *target;
	bool datagram = is_datagram(qp);
	struct fw_function *to;
	unsigned int i = 1;
	int error;

	if (rq->opcode == MLX5_OPCODE_NOP || rq->opcode == MLX5_OPCODE_UMR)
		return 0;
	if (datagram) {
		struct mlx5_av av;
		unsigned int part;

		for (part = 0; part < sizeof(av) / MLX5_SEND_WQE_DS; part++)
			memcpy((u8 *)&av + part * MLX5_SEND_WQE_DS,
			       send_segment_at(qp, rq->index, i++), MLX5_SEND_WQE_DS);
		path_of_datagram(qp, &av, &rq->path);
		trace_path(rq->fn, qp, &rq->path, "datagram");
	} else {
		path_of_pair(qp, &rq->path);
	}
	if (rq->opcode == MLX5_OPCODE_RDMA_WRITE || rq->opcode == MLX5_OPCODE_RDMA_WRITE_IMM ||
	    rq->opcode == MLX5_OPCODE_RDMA_READ || rq->opcode == MLX5_OPCODE_ATOMIC_CS ||
	    rq->opcode == MLX5_OPCODE_ATOMIC_FA) {
		struct mlx5_wqe_raddr_seg *raddr = send_segment_at(qp, rq->index, i++);

		rq->raddr = be64_to_cpu(raddr->raddr);
		rq->rkey = be32_to_cpu(raddr->rkey);
	}
	if (rq->opcode == MLX5_OPCODE_ATOMIC_CS || rq->opcode == MLX5_OPCODE_ATOMIC_FA) {
		struct mlx5_wqe_atomic_seg *atomic = send_segment_at(qp, rq->index, i++);

		rq->swap_add = atomic->swap_add;
		rq->compare = atomic->compare;
	}
	spans_start(&sources, rq->fn, LOCAL);
	if (!gather_spans(rq, i, &sources))
		return LOCAL_OPERATION;

	to = find_function(rq->fn, rq->path.mac);
	target = to ? find_pair(to, rq->path.qpn) : NULL;
	if (!target || target->state < MLX5_QP_STATE_RTR || target->state == MLX5_QP_STATE_ERR ||
	    is_datagram(target) != datagram)
		return datagram || qp->service == MLX5_QP_ST_UC ? 0 : RETRIES_EXCEEDED;
	if (datagram && target->service != MLX5_QP_ST_QP1 &&
	    rq->path.qkey != MLX5_GET(qpc, target->context, q_key))
		return 0;

	if (to != rq->fn && !is_carried(rq->fn, to, &rq->path, min_t(u64, sources.len, mtu_of(qp)))) {
		if (!qp->waiting_since)
			account(rq->fn, to, &rq->path, sources.len, mtu_of(qp), 0);
		return qp->service == MLX5_QP_ST_RC ? RETRIES_EXCEEDED : 0;
	}

	switch (rq->opcode) {
	case MLX5_OPCODE_SEND:
	case MLX5_OPCODE_SEND_IMM:
	case MLX5_OPCODE_SEND_INVAL:
		error = deliver_send(rq, to, target);
		if (!error)
			account(rq->fn, to, &rq->path, sources.len, datagram ? 4096 : mtu_of(qp),
				datagram ? DETH_BYTES : 0);
		break;
	case MLX5_OPCODE_RDMA_WRITE:
	case MLX5_OPCODE_RDMA_WRITE_IMM:
		error = deliver_write(rq, to, target);
		if (!error)
			account(rq->fn, to, &rq->path, sources.len, mtu_of(qp), RETH_BYTES);
		break;
	case MLX5_OPCODE_RDMA_READ:
		error = deliver_read(rq, to, target);
		if (!error) {
			struct roce_path back;

			account(rq->fn, to, &rq->path, 0, mtu_of(qp), RETH_BYTES);
			path_of_pair(target, &back);
			account(to, rq->fn, &back, sources.len, mtu_of(qp), AETH_BYTES);
		}
		return error;
	case MLX5_OPCODE_ATOMIC_CS:
	case MLX5_OPCODE_ATOMIC_FA:
		error = deliver_atomic(rq, to, target);
		if (!error)
			account(rq->fn, to, &rq->path, 0, mtu_of(qp), RETH_BYTES + 12);
		break;
	default:
		fw_say(rq->fn, "unknown work request 0x%x of queue pair 0x%x\n", rq->opcode, qp->id);
		return LOCAL_OPERATION;
	}
	if (!error && qp->service == MLX5_QP_ST_RC)
		acknowledge(to, rq->fn, target);
	return error;
}

/* The time that a request may wait for the other side. */
static bool patience(struct fw_object *qp, int error)
{
	void *qpc = qp->context;
	u32 tries = MLX5_GET(qpc, qpc, retry_count) + 1;
	u32 timeout = MLX5_GET(qpc, qpc, primary_address_path.ack_timeout);
	s64 waited;

	if (!qp->waiting_since)
		qp->waiting_since = ktime_get();
	waited = ktime_us_delta(ktime_get(), qp->waiting_since);
	if (error == WAIT)
		return MLX5_GET(qpc, qpc, rnr_retry) == RNR_FOREVER ||
			waited < (s64)RNR_US * (MLX5_GET(qpc, qpc, rnr_retry) + 1);
	return !timeout || waited < (s64)tries * (4096LL << timeout) / 1000;
}

/* One request. False if it has to wait. */
static bool serve(struct fw_function *fn, struct fw_object *qp)
{
	struct mlx5_wqe_ctrl_seg *ctrl = send_segment_at(qp, qp->pi, 0);
	struct request rq = { .fn = fn, .qp = qp, .index = qp->pi };
	struct mlx5_cqe64 cqe = {};
	int error;

	if (!ctrl)
		return false;
	rq.opcode = be32_to_cpu(ctrl->opmod_idx_opcode);
	rq.ds = be32_to_cpu(ctrl->qpn_ds) & MLX5_WQE_CTRL_DS_MASK;
	rq.signalled = ctrl->fm_ce_se & MLX5_WQE_CTRL_CQ_UPDATE;
	rq.immediate = ctrl->imm;
	error = carry_out(&rq);
	if ((error == WAIT || error == RETRIES_EXCEEDED) && patience(qp, error))
		return false;
	qp->waiting_since = 0;
	if (error == WAIT)
		error = RNR_RETRIES_EXCEEDED;
	qp->pi = (u16)(qp->pi + max(1, DIV_ROUND_UP(rq.ds, MLX5_SEND_WQEBB_NUM_DS)));
	if (error) {
		complete_error(fn, qp, true, error, rq.opcode, rq.index);
		qp->state = MLX5_QP_STATE_ERR;
		MLX5_SET(qpc, qp->context, state, qp->state);
		fw_say(fn, "queue pair 0x%x: request 0x%x failed, syndrome 0x%x\n", qp->id, rq.opcode,
		       error);
	} else if (rq.signalled) {
		if (rq.opcode == MLX5_OPCODE_RDMA_READ)
			cqe.byte_cnt = cpu_to_be32(sources.len);
		finish_wr(fn, qp, qp->cqn, MLX5_CQE_REQ, &cqe, rq.opcode, rq.index);
	}
	return true;
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
		int left = FW_BATCH;

		if (qp->state == MLX5_QP_STATE_ERR) {
			busy |= flush(fn, qp);
			continue;
		}
		if (qp->state != MLX5_QP_STATE_RTS || !qp->log_size_valid)
			continue;
		*watch |= may_be_of_a_program(qp);
		while (left-- && qp->state == MLX5_QP_STATE_RTS &&
		       (u16)be32_to_cpu((__force __be32)READ_ONCE(qp->dbr[1])) != (u16)qp->pi) {
			dma_rmb();
			if (!serve(fn, qp))
				break;
			busy = true;
		}
	}
	return busy;
}

#define TAKE(field) MLX5_SET(qpc, qp->context, field, MLX5_GET(qpc, in, field))

static void take_path(struct fw_object *qp, const void *in)
{
	u32 timeout = MLX5_GET(qpc, qp->context, primary_address_path.ack_timeout);

	memcpy(MLX5_ADDR_OF(qpc, qp->context, primary_address_path),
	       MLX5_ADDR_OF(qpc, in, primary_address_path), MLX5_ST_SZ_BYTES(ads));
	if (!MLX5_GET(qpc, in, primary_address_path.ack_timeout))
		MLX5_SET(qpc, qp->context, primary_address_path.ack_timeout, timeout);
}

static void take_access(struct fw_object *qp, const void *in)
{
	TAKE(rre);
	TAKE(rwe);
	TAKE(rae);
}

static void set_counter(struct fw_object *qp, const void *in)
{
	qp->counter_set = MLX5_GET(qpc, in, counter_set_id);
	TAKE(counter_set_id);
}

static void to_ready(struct fw_function *fn, struct fw_object *qp, const void *in)
{
	struct roce_path path;

	take_path(qp, in);
	TAKE(remote_qpn);
	TAKE(mtu);
	TAKE(next_rcv_psn);
	TAKE(min_rnr_nak);
	TAKE(log_rra_max);
	path_of_pair(qp, &path);
	if (!is_datagram(qp))
		trace_path(fn, qp, &path, "connect");
}

static void to_send(struct fw_object *qp, const void *in)
{
	TAKE(next_send_psn);
	TAKE(retry_count);
	TAKE(rnr_retry);
	TAKE(log_sra_max);
	TAKE(primary_address_path.ack_timeout);
}

static void change(struct fw_function *fn, struct fw_object *qp, const void *in, u32 options)
{
	struct roce_path path;

	if (options & MLX5_QP_OPTPAR_PRIMARY_ADDR_PATH) {
		take_path(qp, in);
		path_of_pair(qp, &path);
		trace_path(fn, qp, &path, "new path");
	}
	if (options & (MLX5_QP_OPTPAR_RRE | MLX5_QP_OPTPAR_RWE | MLX5_QP_OPTPAR_RAE))
		take_access(qp, in);
	if (options & MLX5_QP_OPTPAR_Q_KEY)
		TAKE(q_key);
	if (options & MLX5_QP_OPTPAR_RNR_TIMEOUT)
		TAKE(min_rnr_nak);
	if (options & MLX5_QP_OPTPAR_COUNTER_SET_ID)
		set_counter(qp, in);
}

int fw_pair_modify(struct fw_command *cmd)
{
	struct fw_object *qp = fw_object_get(cmd->fn, FW_QP,
					     MLX5_GET(init2rtr_qp_in, cmd->in, qpn));
	const void *in = MLX5_ADDR_OF(init2rtr_qp_in, cmd->in, qpc);
	u32 options = MLX5_GET(init2rtr_qp_in, cmd->in, opt_param_mask);

	if (!qp)
		return MLX5_CMD_STAT_BAD_RES_ERR;
	switch (cmd->opcode) {
	case MLX5_CMD_OP_RST2INIT_QP:
	case MLX5_CMD_OP_INIT2INIT_QP:
		TAKE(q_key);
		take_access(qp, in);
		set_counter(qp, in);
		qp->state = MLX5_QP_STATE_INIT;
		break;
	case MLX5_CMD_OP_INIT2RTR_QP:
		to_ready(cmd->fn, qp, in);
		change(cmd->fn, qp, in, options & ~MLX5_QP_OPTPAR_PRIMARY_ADDR_PATH);
		qp->state = MLX5_QP_STATE_RTR;
		break;
	case MLX5_CMD_OP_RTR2RTS_QP:
		to_send(qp, in);
		change(cmd->fn, qp, in, options);
		qp->state = MLX5_QP_STATE_RTS;
		break;
	case MLX5_CMD_OP_RTS2RTS_QP:
	case MLX5_CMD_OP_SQERR2RTS_QP:
		change(cmd->fn, qp, in, options);
		qp->state = MLX5_QP_STATE_RTS;
		break;
	case MLX5_CMD_OP_2ERR_QP:
		qp->state = MLX5_QP_STATE_ERR;
		break;
	case MLX5_CMD_OP_2RST_QP:
		qp->state = MLX5_QP_STATE_RST;
		qp->pi = 0;
		qp->rq_ci = 0;
		qp->waiting_since = 0;
		break;
	}
	MLX5_SET(qpc, qp->context, state, qp->state);
	return MLX5_CMD_STAT_OK;
}
