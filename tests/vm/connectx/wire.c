// SPDX-License-Identifier: GPL-2.0
/*
 * The data path: takes frames from the send queues of one function, offloads included, and puts
 * them into the receive queues of its peer. All addresses are physical, as the driver's keys for
 * packets are of the "PA" kind; receive queues are cyclic.
 */
#include "connectx.h"

#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/jhash.h>
#include <linux/mlx5/cq.h>
#include <linux/mlx5/qp.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <linux/vmalloc.h>
#include <net/checksum.h>
#include <net/dsfield.h>
#include <net/inet_ecn.h>
#include <net/ip.h>

#define MAX_HEADERS	512

/* Where the layers of a frame begin. */
struct layers {
	u16 l3, l4;
	__be16 protocol;
	u8 l4_protocol;
	bool tagged;
	u16 tci;
	u8 dscp;
};

static u8 *frame_buffer, *segment_buffer;

int fw_wire_init(void)
{
	frame_buffer = vmalloc(2 * FW_MAX_FRAME);
	segment_buffer = vmalloc(FW_MAX_FRAME);
	if (frame_buffer && segment_buffer)
		return 0;
	fw_wire_exit();
	return -ENOMEM;
}

void fw_wire_exit(void)
{
	vfree(frame_buffer);
	vfree(segment_buffer);
}

static void parse(const u8 *frame, u32 len, struct layers *layers)
{
	memset(layers, 0, sizeof(*layers));
	layers->protocol = ((struct ethhdr *)frame)->h_proto;
	layers->l3 = ETH_HLEN;
	if (layers->protocol == htons(ETH_P_8021Q) && len >= VLAN_ETH_HLEN) {
		layers->tagged = true;
		layers->tci = get_unaligned_be16(frame + ETH_HLEN);
		layers->protocol = *(__be16 *)(frame + ETH_HLEN + 2);
		layers->l3 = VLAN_ETH_HLEN;
	}
	if (layers->protocol == htons(ETH_P_IP) && len >= layers->l3 + sizeof(struct iphdr)) {
		const struct iphdr *ip = (void *)(frame + layers->l3);

		layers->l4 = layers->l3 + ip->ihl * 4;
		layers->l4_protocol = ip->protocol;
		layers->dscp = ip->tos >> 2;
	} else if (layers->protocol == htons(ETH_P_IPV6) &&
		   len >= layers->l3 + sizeof(struct ipv6hdr)) {
		const struct ipv6hdr *ip = (void *)(frame + layers->l3);

		layers->l4 = layers->l3 + sizeof(*ip);
		layers->l4_protocol = ip->nexthdr;
		layers->dscp = ipv6_get_dsfield(ip) >> 2;
	}
}

/* Fill in the checksums that the driver left to the adapter; L4's holds the pseudo-header's. */
static void checksum(u8 *frame, u32 len, const struct layers *layers, u8 flags)
{
	__sum16 *field = NULL;

	if (flags & MLX5_ETH_WQE_L3_CSUM && layers->protocol == htons(ETH_P_IP) && layers->l4)
		ip_send_check((struct iphdr *)(frame + layers->l3));
	if (!(flags & MLX5_ETH_WQE_L4_CSUM) || !layers->l4)
		return;
	if (layers->l4_protocol == IPPROTO_TCP && len >= layers->l4 + sizeof(struct tcphdr))
		field = &((struct tcphdr *)(frame + layers->l4))->check;
	if (layers->l4_protocol == IPPROTO_UDP && len >= layers->l4 + sizeof(struct udphdr))
		field = &((struct udphdr *)(frame + layers->l4))->check;
	if (!field)
		return;
	*field = csum_fold(csum_partial(frame + layers->l4, len - layers->l4, 0));
	if (!*field && layers->l4_protocol == IPPROTO_UDP)
		*field = CSUM_MANGLED_0;
}

/* The priority by which the receiver classifies: its trust decides. */
static u8 receive_prio(struct fw_port *port, const struct layers *layers)
{
	if (port->trust == 2 && layers->l4)
		return port->dscp_prio[layers->dscp] & 7;
	return layers->tagged ? layers->tci >> 13 : 0;
}

static bool wanted(struct fw_function *fn, const u8 *frame)
{
	return is_multicast_ether_addr(frame) || fw_own_mac(fn, frame) ||
		MLX5_GET(nic_vport_context, fn->vport_context, promisc_all);
}

bool fw_own_mac(struct fw_function *fn, const u8 *frame)
{
	void *context = fn->vport_context;
	u8 *own = MLX5_ADDR_OF(nic_vport_context, context, permanent_address);
	u8 *list = MLX5_ADDR_OF(nic_vport_context, context, current_uc_mac_address[0]);
	u16 i, n;

	if (ether_addr_equal(frame, own + 2))
		return true;
	n = MLX5_GET(nic_vport_context, context, allowed_list_size);
	for (i = 0; i < min_t(u16, n, 256); i++) {
		if (ether_addr_equal(frame, list + 8 * i + 2))
			return true;
	}
	return false;
}

/* The largest table of queues is that of receive-side scaling. */
static struct fw_object *choose_queue(struct fw_function *fn, const u8 *frame,
				      const struct layers *layers)
{
	struct fw_object *rqt, *best = NULL;
	u32 size, most = 0, hash = 0;
	unsigned long id;

	xa_for_each(&fn->object[FW_RQT], id, rqt) {
		size = MLX5_GET(rqtc, rqt->context, rqt_actual_size);
		if (size > most) {
			most = size;
			best = rqt;
		}
	}
	if (!best)
		return NULL;
	if (layers->l4)
		hash = jhash(frame + layers->l3 + 8, 24, 0);
	return fw_object_get(fn, FW_RQ, MLX5_GET(rqtc, best->context, rq_num[hash % most].rq_num));
}

static bool scatter(struct fw_object *rq, const u8 *frame, u32 len)
{
	u32 stride = BIT(rq->log_stride), at = (rq->pi & (BIT(rq->log_size) - 1)) * stride, done = 0;

	for (; done < len && stride; stride -= 16, at += 16) {
		struct mlx5_wqe_data_seg *seg = fw_ring_at(&rq->ring, at);
		u8 *to = seg ? fw_memory(rq->fn, be64_to_cpu(seg->addr)) : NULL;
		u32 part = seg ? min(len - done, be32_to_cpu(seg->byte_count)) : 0;

		if (!to || !part)
			return false;
		memcpy(to, frame + done, part);
		done += part;
	}
	return done == len;
}

static void receive_cqe(struct fw_object *rq, const u8 *frame, u32 len,
			const struct layers *layers, struct mlx5_cqe64 *cqe)
{
	u64 now = div_u64(ktime_get_ns() * (FW_KHZ / 1000), 1000);

	memset(cqe, 0, sizeof(*cqe));
	cqe->byte_cnt = cpu_to_be32(len);
	cqe->wqe_counter = cpu_to_be16(rq->pi);
	cqe->flags_rqpn = cpu_to_be32(rq->id);
	cqe->timestamp_h = cpu_to_be32(now >> 32);
	cqe->timestamp_l = cpu_to_be32(now);
	cqe->check_sum = (__force __be16)~csum_fold(csum_partial(frame + ETH_HLEN, len - ETH_HLEN, 0));
	cqe->hds_ip_ext = CQE_L2_OK | (layers->l4 ? CQE_L3_OK | CQE_L4_OK : 0);
	cqe->op_own = MLX5_CQE_RESP_SEND << 4;
}

static enum fw_cast cast_of(const u8 *frame)
{
	if (is_broadcast_ether_addr(frame))
		return FW_BROADCAST;
	return is_multicast_ether_addr(frame) ? FW_MULTICAST : FW_UNICAST;
}

static void receive(struct fw_function *fn, const u8 *frame, u32 len, const struct layers *layers)
{
	struct fw_object *rq, *counter;
	struct mlx5_cqe64 cqe;

	if (!wanted(fn, frame))
		return;
	if (fn->pf)
		fw_count(fn, false, cast_of(frame), 0, 1, len + ETH_FCS_LEN);
	rq = choose_queue(fn, frame, layers);
	if (!rq || rq->state != MLX5_RQC_STATE_RDY)
		return;
	if ((u16)(be32_to_cpu((__force __be32)READ_ONCE(rq->dbr[0])) - rq->pi) == 0) {
		counter = fw_object_get(fn, FW_QCOUNTER, MLX5_GET(rqc, rq->context, counter_set_id));
		if (counter)
			counter->q.out_of_buffer++;
		return;
	}
	dma_rmb();
	if (!scatter(rq, frame, len)) {
		fw_say(fn, "a frame of %u bytes does not fit into queue 0x%x\n", len, rq->id);
		return;
	}
	receive_cqe(rq, frame, len, layers, &cqe);
	rq->pi++;
	fw_complete(fn, rq->cqn, &cqe);
}

/* All functions of a port that want the frame get it, but not its sender. */
static void spread(struct fw_function *port, struct fw_function *sender, const u8 *frame, u32 len,
		   const struct layers *layers)
{
	int i;

	if (port != sender)
		receive(port, frame, len, layers);
	for (i = 0; i < FW_VFS; i++) {
		if (port->vf[i] && port->vf[i]->enabled && port->vf[i] != sender)
			receive(port->vf[i], frame, len, layers);
	}
}

static void arrive(struct fw_function *fn, const u8 *frame, u32 len, const struct layers *layers)
{
	if (fw_frame_is_damaged(fn))
		return;
	fw_count(fn, false, cast_of(frame), receive_prio(&fn->port, layers), 1, len + ETH_FCS_LEN);
	spread(fn, NULL, frame, len, layers);
}

/* The DSCP behind a switch that the port is connected to. */
static u8 rewritten(const struct fw_function *port, u8 dscp)
{
	u8 rewrite = dscp == FW_LOST ? FW_LOST : port->rewrite[dscp];

	if (!rewrite || rewrite == FW_LOST)
		return rewrite ?: dscp;
	return rewrite - 1;
}

/* Across a bridge packets leave two ports: the last one is at the receiver's cable. */
u8 fw_carried(const struct fw_function *from, const struct fw_function *to, u8 dscp)
{
	u8 first = rewritten(from, dscp);

	return to == from || to->peer == from ? first : rewritten(to->peer, first);
}

u8 fw_carried_pcp(const struct fw_function *from, u8 pcp)
{
	return from->rewrite_pcp[pcp] ? from->rewrite_pcp[pcp] - 1 : pcp;
}

/*
 * A switch changes the DSCP and the tag's priority on the way, but not the ECN bits. False: it loses
 * the frame.
 */
static bool carry(struct fw_function *fn, u8 *frame, struct layers *layers)
{
	u8 dscp = layers->l4 ? fw_carried(fn, fn->peer, layers->dscp) : layers->dscp;

	if (layers->tagged) {
		layers->tci = (layers->tci & VLAN_VID_MASK) |
			fw_carried_pcp(fn, layers->tci >> VLAN_PRIO_SHIFT) << VLAN_PRIO_SHIFT;
		put_unaligned_be16(layers->tci, frame + ETH_HLEN);
	}
	if (dscp == FW_LOST)
		return false;
	if (dscp == layers->dscp)
		return true;
	if (layers->protocol == htons(ETH_P_IP))
		ipv4_change_dsfield((struct iphdr *)(frame + layers->l3), INET_ECN_MASK, dscp << 2);
	else
		ipv6_change_dsfield((struct ipv6hdr *)(frame + layers->l3), INET_ECN_MASK, dscp << 2);
	layers->dscp = dscp;
	return true;
}

static void send(struct fw_function *sender, u8 *frame, u32 len, u8 prio, u8 cs_flags)
{
	struct fw_function *fn = fw_uplink(sender);
	struct layers layers;

	if (len < ETH_HLEN || !fn->port.oper_up)
		return;
	parse(frame, len, &layers);
	checksum(frame, len, &layers, cs_flags);
	if (len < ETH_ZLEN) {
		memset(frame + len, 0, ETH_ZLEN - len);
		len = ETH_ZLEN;
	}
	fw_count(fn, true, cast_of(frame), prio, 1, len + ETH_FCS_LEN);
	if (sender->pf)
		fw_count(sender, true, cast_of(frame), prio, 1, len + ETH_FCS_LEN);
	spread(fn, sender, frame, len, &layers);
	if (fn->peer && carry(fn, frame, &layers))
		arrive(fn->peer, frame, len, &layers);
}

/* One segment of a large send: the headers, changed, and a part of the payload. */
static void send_segment(struct fw_function *fn, const u8 *headers, u32 header_len,
			 const struct layers *layers, const u8 *payload, u32 part, u32 done,
			 u16 number, bool last, u8 prio)
{
	u8 *frame = segment_buffer;
	u32 len = header_len + part, l4_len = len - layers->l4;
	struct tcphdr *tcp = (void *)(frame + layers->l4);
	struct udphdr *udp = (void *)(frame + layers->l4);
	__sum16 *field = layers->l4_protocol == IPPROTO_TCP ? &tcp->check : &udp->check;

	memcpy(frame, headers, header_len);
	memcpy(frame + header_len, payload + done, part);
	if (layers->l4_protocol == IPPROTO_TCP) {
		tcp->seq = htonl(ntohl(tcp->seq) + done);
		if (!last)
			tcp->fin = tcp->psh = 0;
		if (number)
			tcp->cwr = 0;
	} else {
		udp->len = htons(l4_len);
	}
	if (layers->protocol == htons(ETH_P_IP)) {
		struct iphdr *ip = (void *)(frame + layers->l3);

		ip->tot_len = htons(len - layers->l3);
		ip->id = htons(ntohs(ip->id) + number);
		*field = ~csum_tcpudp_magic(ip->saddr, ip->daddr, l4_len, ip->protocol, 0);
	} else {
		struct ipv6hdr *ip = (void *)(frame + layers->l3);

		ip->payload_len = htons(len - layers->l4);
		*field = ~csum_ipv6_magic(&ip->saddr, &ip->daddr, l4_len, layers->l4_protocol, 0);
	}
	send(fn, frame, len, prio, MLX5_ETH_WQE_L3_CSUM | MLX5_ETH_WQE_L4_CSUM);
}

static void send_large(struct fw_function *fn, u8 *frame, u32 len, u32 header_len, u16 mss, u8 prio)
{
	u8 headers[MAX_HEADERS];
	struct layers layers;
	u32 done = 0, part;
	u16 number = 0;

	if (!mss || header_len > MAX_HEADERS || header_len >= len)
		return;
	memcpy(headers, frame, header_len);
	parse(headers, header_len, &layers);
	if (!layers.l4)
		return;
	for (; done < len - header_len; done += part, number++) {
		part = min_t(u32, mss, len - header_len - done);
		send_segment(fn, headers, header_len, &layers, frame + header_len, part, done, number,
			     done + part == len - header_len, prio);
	}
}

static void *segment_at(struct fw_object *sq, u16 index, unsigned int i)
{
	u32 size = BIT(sq->log_size) * MLX5_SEND_WQE_BB;

	return fw_ring_at(&sq->ring, (index * MLX5_SEND_WQE_BB + i * MLX5_SEND_WQE_DS) & (size - 1));
}

/* MLX5_ETH_WQE_INSERT_VLAN, in place of headers; newer drivers have no name for it. */
#define INSERT_VLAN	BIT(15)

/* Gather the frame of a work request of DS segments of 16 bytes. Returns its length, 0 if bad. */
static u32 gather(struct fw_object *sq, u16 index, u8 ds, u8 *frame, u32 *inline_len)
{
	struct mlx5_wqe_eth_seg *eth = segment_at(sq, index, 1);
	u16 size = be16_to_cpu(eth->inline_hdr.sz);
	u32 len = 0, part;
	unsigned int i = 2;
	bool insert = size & INSERT_VLAN;
	__be16 tci = *(__be16 *)eth->inline_hdr.start;

	*inline_len = 0;
	if (size && !insert) {
		len = min_t(u32, size, 2);
		memcpy(frame, eth->inline_hdr.start, len);
		while (len < size && i < ds) {
			part = min_t(u32, size - len, MLX5_SEND_WQE_DS);
			memcpy(frame + len, segment_at(sq, index, i++), part);
			len += part;
		}
		*inline_len = len;
	}
	for (; i < ds; i++) {
		struct mlx5_wqe_data_seg *seg = segment_at(sq, index, i);
		u32 bytes = be32_to_cpu(seg->byte_count);
		u8 *from = fw_memory(sq->fn, be64_to_cpu(seg->addr));

		if (bytes & MLX5_INLINE_SEG || !from || len + bytes > 2 * FW_MAX_FRAME - VLAN_HLEN)
			return 0;
		memcpy(frame + len, from, bytes);
		len += bytes;
	}
	if (insert && len >= ETH_HLEN) {
		memmove(frame + 16, frame + 12, len - 12);
		*(__be16 *)(frame + 12) = htons(ETH_P_8021Q);
		*(__be16 *)(frame + 14) = tci;
		len += VLAN_HLEN;
	}
	return len;
}

/* Returns the work request's size in blocks of 64 bytes. */
static u16 work(struct fw_function *fn, struct fw_object *sq)
{
	u16 index = sq->pi;
	struct mlx5_wqe_ctrl_seg *ctrl = segment_at(sq, index, 0);
	struct mlx5_wqe_eth_seg *eth;
	struct mlx5_cqe64 cqe = {};
	u32 len, inline_len;
	u8 opcode, ds;

	if (!ctrl)
		return 1;
	opcode = be32_to_cpu(ctrl->opmod_idx_opcode);
	ds = be32_to_cpu(ctrl->qpn_ds) & MLX5_WQE_CTRL_DS_MASK;
	switch (opcode) {
	case MLX5_OPCODE_SEND:
	case MLX5_OPCODE_LSO:
		eth = segment_at(sq, index, 1);
		len = gather(sq, index, ds, frame_buffer, &inline_len);
		if (opcode == MLX5_OPCODE_LSO)
			send_large(fn, frame_buffer, len, inline_len, be16_to_cpu(eth->mss), sq->prio);
		else
			send(fn, frame_buffer, len, sq->prio, eth->cs_flags);
		break;
	case MLX5_OPCODE_NOP:
	case MLX5_OPCODE_UMR:
		break;
	default:
		fw_say(fn, "unknown work request 0x%x\n", opcode);
	}
	if (ctrl->fm_ce_se & MLX5_WQE_CTRL_CQ_UPDATE) {
		cqe.wqe_counter = cpu_to_be16(index);
		cqe.sop_drop_qpn = cpu_to_be32(opcode << 24 | sq->id);
		cqe.op_own = MLX5_CQE_REQ << 4;
		fw_complete(fn, sq->cqn, &cqe);
	}
	return max(1, DIV_ROUND_UP(ds, MLX5_SEND_WQEBB_NUM_DS));
}

bool fw_transmit_poll(struct fw_function *fn, bool *watch)
{
	struct fw_object *sq;
	unsigned long id;
	bool busy = fw_roce_poll(fn, watch) | fw_queue_poll(fn, watch);

	xa_for_each(&fn->object[FW_SQ], id, sq) {
		int left = FW_BATCH;

		if (sq->state != MLX5_SQC_STATE_RDY)
			continue;
		while (left-- && (u16)be32_to_cpu((__force __be32)READ_ONCE(sq->dbr[1])) != (u16)sq->pi) {
			dma_rmb();
			sq->pi = (u16)(sq->pi + work(fn, sq));
			busy = true;
		}
	}
	return busy;
}
