// SPDX-License-Identifier: GPL-2.0
/*
 * RoCE packets on the wire. Each one is counted at both ends, and passes the switch, which may lose,
 * mark or rewrite it. It is a description with its payload in place; its bytes, from the Ethernet
 * header to the ICRC, are put together for a capture alone.
 */
#include "connectx.h"

#include <linux/crc32.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/slab.h>
#include <linux/udp.h>
#include <linux/vmalloc.h>
#include <net/inet_ecn.h>
#include <net/ip.h>
#include <rdma/ib_pack.h>
#include <rdma/ib_verbs.h>

#define BTH_BYTES	12
#define RETH_BYTES	16
#define DETH_BYTES	8
#define AETH_BYTES	4
#define IMMEDIATE_BYTES	4
#define ATOMIC_BYTES	28
#define ATOMIC_ACK_BYTES 8
#define CNP_BYTES	16
#define ICRC_BYTES	4
#define UDP_BYTES	8
#define GRH_NEXT	0x1b
#define SOLICITED	BIT(7)
#define PADDING		4	/* first bit of the number of bytes that pad the payload */
#define WANTS_ACK	BIT(31)
#define DEFAULT_PKEY	0xffff
#define PSN_MASK	0xffffff

#define CAPTURE_BYTES	SZ_8M
#define MAX_HEADERS_ROCE 128

/* By the last five bits of the opcode, which the transports share. */
static const u16 parts[32] = {
	[IB_OPCODE_SEND_FIRST] = FW_SEND | FW_FIRST,
	[IB_OPCODE_SEND_MIDDLE] = FW_SEND,
	[IB_OPCODE_SEND_LAST] = FW_SEND | FW_LAST,
	[IB_OPCODE_SEND_LAST_WITH_IMMEDIATE] = FW_SEND | FW_LAST | FW_IMMEDIATE,
	[IB_OPCODE_SEND_ONLY] = FW_SEND | FW_FIRST | FW_LAST,
	[IB_OPCODE_SEND_ONLY_WITH_IMMEDIATE] = FW_SEND | FW_FIRST | FW_LAST | FW_IMMEDIATE,
	[IB_OPCODE_RDMA_WRITE_FIRST] = FW_WRITE | FW_FIRST | FW_RETH,
	[IB_OPCODE_RDMA_WRITE_MIDDLE] = FW_WRITE,
	[IB_OPCODE_RDMA_WRITE_LAST] = FW_WRITE | FW_LAST,
	[IB_OPCODE_RDMA_WRITE_LAST_WITH_IMMEDIATE] = FW_WRITE | FW_LAST | FW_IMMEDIATE,
	[IB_OPCODE_RDMA_WRITE_ONLY] = FW_WRITE | FW_FIRST | FW_LAST | FW_RETH,
	[IB_OPCODE_RDMA_WRITE_ONLY_WITH_IMMEDIATE] =
		FW_WRITE | FW_FIRST | FW_LAST | FW_RETH | FW_IMMEDIATE,
	[IB_OPCODE_RDMA_READ_REQUEST] = FW_READ | FW_RETH,
	[IB_OPCODE_RDMA_READ_RESPONSE_FIRST] = FW_ANSWER | FW_READ | FW_AETH,
	[IB_OPCODE_RDMA_READ_RESPONSE_MIDDLE] = FW_ANSWER | FW_READ,
	[IB_OPCODE_RDMA_READ_RESPONSE_LAST] = FW_ANSWER | FW_READ | FW_AETH,
	[IB_OPCODE_RDMA_READ_RESPONSE_ONLY] = FW_ANSWER | FW_READ | FW_AETH,
	[IB_OPCODE_ACKNOWLEDGE] = FW_ANSWER | FW_AETH,
	[IB_OPCODE_ATOMIC_ACKNOWLEDGE] = FW_ANSWER | FW_ATOMIC | FW_AETH | FW_ATOMIC_ACK_ETH,
	[IB_OPCODE_COMPARE_SWAP] = FW_ATOMIC | FW_ATOMIC_ETH,
	[IB_OPCODE_FETCH_ADD] = FW_ATOMIC | FW_ATOMIC_ETH,
	[IB_OPCODE_SEND_LAST_WITH_INVALIDATE] = FW_SEND | FW_LAST | FW_IMMEDIATE,
	[IB_OPCODE_SEND_ONLY_WITH_INVALIDATE] = FW_SEND | FW_FIRST | FW_LAST | FW_IMMEDIATE,
};

u16 fw_packet_parts(const struct fw_packet *p)
{
	if (p->opcode == FW_OPCODE_CNP)
		return 0;
	return parts[p->opcode & 31] | (p->opcode >> 5 == IB_OPCODE_UD >> 5 ? FW_DETH : 0);
}

bool fw_gid_is_v2(const struct fw_function *fn, u8 index)
{
	return MLX5_GET(roce_addr_layout, fn->gid[index], roce_version) == MLX5_ROCE_VERSION_2;
}

static void *gid_of(const struct fw_packet *p)
{
	return p->from->gid[p->path.gid_index % ARRAY_SIZE(p->from->gid)];
}

void fw_packet_init(struct fw_packet *p, struct fw_function *from, const struct fw_path *path)
{
	void *gid;

	memset(p, 0, sizeof(*p));
	p->from = from;
	p->path = *path;
	p->qpn = path->qpn;
	gid = gid_of(p);
	p->tagged = MLX5_GET(roce_addr_layout, gid, vlan_valid);
	p->v2 = fw_gid_is_v2(from, path->gid_index);
	p->ipv4 = p->v2 && MLX5_GET(roce_addr_layout, gid, roce_l3_type) == MLX5_ROCE_L3_TYPE_IPV4;
}

static u32 network_bytes(const struct fw_packet *p)
{
	return p->ipv4 ? sizeof(struct iphdr) : sizeof(struct ipv6hdr);
}

/* From the BTH to the ICRC. */
static u32 transport_bytes(const struct fw_packet *p)
{
	u16 has = fw_packet_parts(p);

	return BTH_BYTES + (has & FW_DETH ? DETH_BYTES : 0) + (has & FW_RETH ? RETH_BYTES : 0) +
		(has & FW_ATOMIC_ETH ? ATOMIC_BYTES : 0) + (has & FW_AETH ? AETH_BYTES : 0) +
		(has & FW_ATOMIC_ACK_ETH ? ATOMIC_ACK_BYTES : 0) +
		(has & FW_IMMEDIATE ? IMMEDIATE_BYTES : 0) +
		(p->opcode == FW_OPCODE_CNP ? CNP_BYTES : 0) + round_up(p->bytes, 4) + ICRC_BYTES;
}

/* Without the frame check sequence. */
static u32 frame_bytes(const struct fw_packet *p)
{
	return ETH_HLEN + (p->tagged ? VLAN_HLEN : 0) + network_bytes(p) +
		(p->v2 ? UDP_BYTES : 0) + transport_bytes(p);
}

u32 fw_packet_bytes(const struct fw_packet *p)
{
	return frame_bytes(p) + ETH_FCS_LEN;
}

static void put_network(const struct fw_packet *p, u8 *at)
{
	u8 *source = MLX5_ADDR_OF(roce_addr_layout, gid_of(p), source_l3_address);
	u32 inner = transport_bytes(p) + (p->v2 ? UDP_BYTES : 0);
	u8 tos = p->path.dscp << 2 | p->path.ecn;

	if (p->ipv4) {
		struct iphdr *ip = (void *)at;

		memset(ip, 0, sizeof(*ip));
		ip->version = 4;
		ip->ihl = 5;
		ip->tos = tos;
		ip->tot_len = htons(sizeof(*ip) + inner);
		ip->frag_off = htons(IP_DF);
		ip->ttl = p->path.hop_limit;
		ip->protocol = IPPROTO_UDP;
		memcpy(&ip->saddr, source + 12, 4);
		memcpy(&ip->daddr, p->path.gid + 12, 4);
		ip_send_check(ip);
	} else {
		struct ipv6hdr *ip = (void *)at;

		memset(ip, 0, sizeof(*ip));
		ip->version = 6;
		ip->priority = tos >> 4;
		ip->flow_lbl[0] = tos << 4;
		ip->payload_len = htons(inner);
		ip->nexthdr = p->v2 ? IPPROTO_UDP : GRH_NEXT;
		ip->hop_limit = p->path.hop_limit;
		memcpy(&ip->saddr, source, 16);
		memcpy(&ip->daddr, p->path.gid, 16);
	}
}

void fw_packet_grh(const struct fw_packet *p, u8 *grh)
{
	memset(grh, 0, FW_GRH_BYTES);
	put_network(p, grh + FW_GRH_BYTES - network_bytes(p));
}

static u8 *put_dword(u8 *at, u32 value)
{
	put_unaligned_be32(value, at);
	return at + sizeof(value);
}

static u8 *put_qword(u8 *at, u64 value)
{
	put_unaligned_be64(value, at);
	return at + sizeof(value);
}

/* From the BTH to the payload and its padding. Returns the end. */
static u8 *put_transport(const struct fw_packet *p, u8 *at)
{
	u16 has = fw_packet_parts(p);
	u32 padding = -p->bytes & 3;

	at = put_dword(at, p->opcode << 24 | (p->solicited ? SOLICITED << 16 : 0) |
		       padding << (16 + PADDING) | DEFAULT_PKEY);
	at = put_dword(at, p->qpn);
	at = put_dword(at, (p->wants_ack ? WANTS_ACK : 0) | (p->psn & PSN_MASK));
	if (has & FW_DETH)
		at = put_dword(put_dword(at, p->path.qkey), p->source);
	if (has & FW_RETH)
		at = put_dword(put_dword(put_qword(at, p->raddr), p->rkey), p->len);
	if (has & FW_ATOMIC_ETH) {
		at = put_dword(put_qword(at, p->raddr), p->rkey);
		at = put_qword(put_qword(at, be64_to_cpu(p->swap_add)), be64_to_cpu(p->compare));
	}
	if (has & FW_AETH)
		at = put_dword(at, p->syndrome << 24 | (p->messages & PSN_MASK));
	if (has & FW_ATOMIC_ACK_ETH)
		at = put_qword(at, p->atomic_result);
	if (has & FW_IMMEDIATE)
		at = put_dword(at, be32_to_cpu(p->immediate));
	if (p->opcode == FW_OPCODE_CNP) {
		memset(at, 0, CNP_BYTES);
		at += CNP_BYTES;
	}
	if (p->bytes)
		memcpy(at, p->payload, p->bytes);
	memset(at + p->bytes, 0, padding);
	return at + p->bytes + padding;
}

/*
 * The invariant CRC, of NETWORK to END: that of Ethernet, as if eight bytes of ones were before it
 * and each field that routers change, and the checksums, consisted of ones.
 */
static u32 icrc(const struct fw_packet *p, const u8 *network, const u8 *end)
{
	u8 masked[MAX_HEADERS_ROCE];
	u32 headers = network_bytes(p) + (p->v2 ? UDP_BYTES : 0) + BTH_BYTES, crc;

	memset(masked, 0xff, 8);
	memcpy(masked + 8, network, headers);
	if (p->ipv4) {
		struct iphdr *ip = (void *)(masked + 8);

		ip->tos = 0xff;
		ip->ttl = 0xff;
		ip->check = (__force __sum16)0xffff;
	} else {
		masked[8] |= 0x0f;
		memset(masked + 9, 0xff, 3);
		((struct ipv6hdr *)(masked + 8))->hop_limit = 0xff;
	}
	if (p->v2)
		((struct udphdr *)(masked + 8 + network_bytes(p)))->check = (__force __sum16)0xffff;
	masked[8 + headers - BTH_BYTES + 4] = 0xff;
	crc = crc32_le(~0, masked, 8 + headers);
	return ~crc32_le(crc, network + headers, end - network - headers);
}

/* The frame, without its check sequence; FRAME has room for it. */
static void put_frame(const struct fw_packet *p, u8 *frame)
{
	void *gid = gid_of(p);
	struct ethhdr *eth = (void *)frame;
	u8 *at = frame + ETH_HLEN, *network;
	__be16 protocol = htons(!p->v2 ? 0x8915 : p->ipv4 ? ETH_P_IP : ETH_P_IPV6);

	ether_addr_copy(eth->h_dest, p->path.mac);
	ether_addr_copy(eth->h_source, MLX5_ADDR_OF(roce_addr_layout, gid, source_mac_47_32));
	eth->h_proto = protocol;
	if (p->tagged) {
		eth->h_proto = htons(ETH_P_8021Q);
		put_unaligned_be16(p->path.prio << VLAN_PRIO_SHIFT |
				   MLX5_GET(roce_addr_layout, gid, vlan_id), at);
		memcpy(at + 2, &protocol, sizeof(protocol));
		at += VLAN_HLEN;
	}
	network = at;
	put_network(p, at);
	at += network_bytes(p);
	if (p->v2) {
		struct udphdr *udp = (void *)at;

		udp->source = htons(p->path.sport);
		udp->dest = htons(ROCE_V2_UDP_DPORT);
		udp->len = htons(UDP_BYTES + transport_bytes(p));
		udp->check = 0;
		at += UDP_BYTES;
	}
	at = put_transport(p, at);
	put_unaligned_le32(icrc(p, network, at) ^ p->bad_icrc, at);
}

/* The file of pcap: little endian, microseconds, Ethernet. */
static const u32 pcap_header[] = { 0xa1b2c3d4, 4 << 16 | 2, 0, 0, FW_MAX_FRAME, 1 };

int fw_capture_set(struct fw_function *fn, bool on)
{
	struct fw_capture *capture = &fn->capture;

	if (on && !capture->data)
		capture->data = vmalloc(CAPTURE_BYTES);
	if (on && !capture->data)
		return -ENOMEM;
	if (on) {
		memcpy(capture->data, pcap_header, sizeof(pcap_header));
		capture->bytes = sizeof(pcap_header);
	}
	capture->on = on;
	return 0;
}

static void record(struct fw_function *fn, const struct fw_packet *p)
{
	struct fw_capture *capture = &fn->capture;
	u32 bytes = frame_bytes(p), *header;
	u64 ns = ktime_get_real_ns();

	if (!capture->on || capture->bytes + 16 + bytes > CAPTURE_BYTES)
		return;
	header = (u32 *)(capture->data + capture->bytes);
	header[0] = div_u64(ns, NSEC_PER_SEC);
	header[1] = div_u64(ns - (u64)header[0] * NSEC_PER_SEC, NSEC_PER_USEC);
	header[2] = bytes;
	header[3] = bytes;
	put_frame(p, (u8 *)(header + 4));
	capture->bytes += 16 + bytes;
}

#define SEEN_SENT	BIT(12)
#define SEEN_TAGGED	BIT(11)
#define SEEN_PRIO	8	/* first bit */

struct seen {
	u64 packets, bytes;
};

static void see(struct fw_function *fn, u32 sent, const struct fw_packet *p)
{
	u32 kind = sent | (p->tagged ? SEEN_TAGGED | p->path.prio << SEEN_PRIO : 0) |
		p->path.dscp << 2 | p->path.ecn;
	struct seen *seen = xa_load(&fn->seen, kind);

	if (!seen) {
		seen = kzalloc(sizeof(*seen), GFP_KERNEL);
		if (!seen || xa_err(xa_store(&fn->seen, kind, seen, GFP_KERNEL))) {
			kfree(seen);
			return;
		}
	}
	seen->packets++;
	seen->bytes += fw_packet_bytes(p);
}

void fw_packets_show(struct seq_file *out, struct fw_function *fn)
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

void fw_packets_forget(struct fw_function *fn)
{
	struct seen *seen;
	unsigned long kind;

	xa_for_each(&fn->seen, kind, seen)
		kfree(seen);
	xa_destroy(&fn->seen);
	vfree(fn->capture.data);
}

static u8 prio_of(const struct fw_port *port, const struct fw_packet *p, u8 untagged)
{
	if (port->trust == 2 && p->v2)
		return port->dscp_prio[p->path.dscp] & 7;
	return p->tagged ? p->path.prio : untagged;
}

u8 fw_packet_prio(const struct fw_packet *p)
{
	return prio_of(&p->from->port, p, p->path.prio);
}

u8 fw_packet_prio_at(const struct fw_port *port, const struct fw_packet *p)
{
	return prio_of(port, p, 0);
}

struct fw_function *fw_packet_arrives_at(const struct fw_packet *p)
{
	return p->from->detour ?: p->to;
}

static void pass_end(struct fw_function *fn, const struct fw_packet *p, bool sent)
{
	u8 prio = sent ? fw_packet_prio(p) : fw_packet_prio_at(&fn->port, p);

	fw_count(fn, sent, FW_RDMA, prio, 1, fw_packet_bytes(p));
	see(fn, sent ? SEEN_SENT : 0, p);
	record(fn, p);
}

static bool hits(struct fw_every *every)
{
	if (!every->every || ++every->passed % every->every)
		return false;
	if (every->count && !--every->count)
		every->every = 0;
	return true;
}

static enum fw_packet_kind kind_of(const struct fw_packet *p)
{
	u16 has = fw_packet_parts(p);

	if (p->opcode == FW_OPCODE_CNP)
		return FW_CNPS;
	if (has & FW_DETH && p->qpn == 1)
		return FW_MADS;
	return has & FW_ANSWER && !(has & FW_READ) ? FW_ACKS : FW_DATA;
}

bool fw_frame_is_damaged(struct fw_function *fn)
{
	bool damaged = hits(&fn->damage[FW_FCS]);

	fn->port.count.crc_errors += damaged;
	return damaged;
}

/* The switch at the sender's end. False: it loses the packet. */
static bool pass_switch(struct fw_packet *p)
{
	struct fw_function *from = p->from;
	u8 dscp = p->v2 ? fw_carried(from, p->to, p->path.dscp) : p->path.dscp;
	bool dropped = hits(&from->drop[FW_ANY]) | hits(&from->drop[kind_of(p)]);

	if (dscp == FW_LOST || dropped)
		return false;
	p->path.dscp = dscp;
	p->path.prio = fw_carried_pcp(from, p->path.prio);
	if (p->v2 && p->path.ecn && p->path.ecn != INET_ECN_CE &&
	    (hits(&from->mark) || (from->mark_above && fw_queue_depth(p) > from->mark_above)))
		p->path.ecn = INET_ECN_CE;
	return true;
}

/* The port at the receiver's end. False: the packet is damaged, or finds no room. */
static bool pass_port(struct fw_packet *p)
{
	struct fw_function *fn = fw_packet_arrives_at(p);

	if (fw_frame_is_damaged(fn) || !fw_queue_has_room(p))
		return false;
	p->bad_icrc = hits(&fn->damage[FW_ICRC]);
	fn->port.count.icrc_errors += p->bad_icrc;
	pass_end(fn, p, false);
	return !p->bad_icrc;
}

bool fw_packet_send(struct fw_packet *p)
{
	struct fw_function *from = p->from;

	if (p->to == from)
		return true;
	if (!from->port.oper_up)
		return false;
	fw_queue_leaves(p);
	pass_end(from, p, true);
	return p->to && fw_packet_bytes(p) <= p->to->port.mtu && pass_switch(p) && pass_port(p);
}
