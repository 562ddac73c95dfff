// SPDX-License-Identifier: GPL-2.0
/* Frames: their priority, the counters that they move, and the switch that changes their DSCP. */
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <net/dsfield.h>
#include <net/inet_ecn.h>
#include <net/ip.h>

#include "mlx5sim.h"

enum { ROCE_V2_PORT = 4791 };

struct frame {
	u8 pcp;			/* 0 without a tag */
	__be16 proto;
	unsigned int ip;	/* offset of the header */
	int dscp;		/* -1 without IP */
	unsigned int udp;	/* offset of the header, 0 without one */
};

static void parse_ipv4(const struct sk_buff *skb, struct frame *f)
{
	struct iphdr copy;
	const struct iphdr *h = skb_header_pointer(skb, f->ip, sizeof(copy), &copy);

	if (!h)
		return;
	f->dscp = ipv4_get_dsfield(h) >> 2;
	if (h->protocol == IPPROTO_UDP && !(h->frag_off & htons(IP_OFFSET)))
		f->udp = f->ip + h->ihl * 4;
}

static void parse_ipv6(const struct sk_buff *skb, struct frame *f)
{
	struct ipv6hdr copy;
	const struct ipv6hdr *h = skb_header_pointer(skb, f->ip, sizeof(copy), &copy);

	if (!h)
		return;
	f->dscp = ipv6_get_dsfield(h) >> 2;
	if (h->nexthdr == IPPROTO_UDP)
		f->udp = f->ip + sizeof(copy);
}

static struct frame parse(const struct sk_buff *skb)
{
	struct frame f = { .dscp = -1 };
	struct vlan_ethhdr copy;
	const struct vlan_ethhdr *v = skb_header_pointer(skb, 0, sizeof(copy), &copy);
	bool tagged = v && v->h_vlan_proto == htons(ETH_P_8021Q);

	if (!v)
		return f;
	f.pcp = tagged ? ntohs(v->h_vlan_TCI) >> VLAN_PRIO_SHIFT : 0;
	f.proto = tagged ? v->h_vlan_encapsulated_proto : v->h_vlan_proto;
	f.ip = tagged ? VLAN_ETH_HLEN : ETH_HLEN;
	if (f.proto == htons(ETH_P_IP))
		parse_ipv4(skb, &f);
	else if (f.proto == htons(ETH_P_IPV6))
		parse_ipv6(skb, &f);
	return f;
}

static bool is_rdma(const struct sk_buff *skb, const struct frame *f)
{
	struct udphdr copy;
	const struct udphdr *h = NULL;

	if (f->udp)
		h = skb_header_pointer(skb, f->udp, sizeof(copy), &copy);
	return h && h->dest == htons(ROCE_V2_PORT);
}

/* The port's trust decides by which field a frame is classified. */
static unsigned int priority_of(const struct sim_hw *hw, const struct frame *f)
{
	if (hw->trust == SIM_TRUST_PCP)
		return f->pcp;
	if (hw->trust == SIM_TRUST_DSCP && f->dscp >= 0)
		return hw->dscp2prio[f->dscp] & 7;
	return 0;
}

struct sim_traffic sim_classify(const struct sim_hw *hw, const struct sk_buff *skb)
{
	struct frame f = parse(skb);

	return (struct sim_traffic) {
		.prio = priority_of(hw, &f),
		.rdma = is_rdma(skb, &f),
		.len = skb->len,
	};
}

/* A counter of packets and its counter of bytes. */
struct pair {
	unsigned int packets, bytes;
};

/* The driver counts its own packets, firmware those of RDMA (counters.rst of mlx5). */
struct counted {
	struct pair phy, driver, rdma, prio;
};

static const struct counted sent = {
	.phy = { SIM_CTR_tx_packets_phy, SIM_CTR_tx_bytes_phy },
	.driver = { SIM_CTR_tx_packets, SIM_CTR_tx_bytes },
	.rdma = { SIM_CTR_tx_vport_rdma_unicast_packets, SIM_CTR_tx_vport_rdma_unicast_bytes },
	.prio = { SIM_T_TX_PACKETS, SIM_T_TX_BYTES },
};

static const struct counted received = {
	.phy = { SIM_CTR_rx_packets_phy, SIM_CTR_rx_bytes_phy },
	.driver = { SIM_CTR_rx_packets, SIM_CTR_rx_bytes },
	.rdma = { SIM_CTR_rx_vport_rdma_unicast_packets, SIM_CTR_rx_vport_rdma_unicast_bytes },
	.prio = { SIM_T_RX_PACKETS, SIM_T_RX_BYTES },
};

static void add(struct sim_hw *hw, unsigned int base, struct pair pair, unsigned int len)
{
	sim_counter_add(hw, base + pair.packets, 1);
	sim_counter_add(hw, base + pair.bytes, len);
}

static void count(struct sim_hw *hw, const struct counted *c, const struct sim_traffic *t)
{
	add(hw, 0, t->rdma ? c->rdma : c->driver, t->len);
	add(hw, 0, c->phy, t->len + ETH_FCS_LEN);
	add(hw, SIM_CTR_TRAFFIC + t->prio * SIM_TRAFFIC_COUNT, c->prio, t->len);
}

void sim_count_sent(struct sim_hw *hw, const struct sim_traffic *t)
{
	count(hw, &sent, t);
}

void sim_count_received(struct sim_hw *hw, const struct sim_traffic *t)
{
	count(hw, &received, t);
}

/*
 * The ICRC of RoCE v2 stays valid: it is computed with all bits of the DSCP, the ECN field and the
 * checksum of the IP header set to one (InfiniBand, annex A17).
 */
bool sim_rewrite(const struct sim_hw *hw, struct sk_buff *skb)
{
	struct frame f = parse(skb);
	bool v4 = f.proto == htons(ETH_P_IP);
	unsigned int end = f.ip + (v4 ? sizeof(struct iphdr) : sizeof(struct ipv6hdr));
	u8 dsfield = hw->rewrite_to << 2;

	if (hw->rewrite_from == hw->rewrite_to || f.dscp != hw->rewrite_from)
		return true;
	if (skb_ensure_writable(skb, end))
		return false;
	if (v4)
		ipv4_change_dsfield((void *)skb->data + f.ip, INET_ECN_MASK, dsfield);
	else
		ipv6_change_dsfield((void *)skb->data + f.ip, INET_ECN_MASK, dsfield);
	return true;
}

/* rewrite OLD NEW, or "off", which is the same DSCP twice. */
int sim_rewrite_set(struct sim_port *p, int argc, char **argv)
{
	u8 from = 0, to = 0;

	if (argc == 1 && strcmp(argv[0], "off"))
		return -EINVAL;
	if (argc == 2 && (kstrtou8(argv[0], 0, &from) || kstrtou8(argv[1], 0, &to)))
		return -EINVAL;
	if (from >= SIM_DSCPS || to >= SIM_DSCPS)
		return -EINVAL;
	p->hw->rewrite_from = from;
	p->hw->rewrite_to = to;
	return 0;
}

/* detour INDEX of the port to which the switch carries RDMA, or "off". */
int sim_detour_set(struct sim_port *p, int argc, char **argv)
{
	bool off = !strcmp(argv[0], "off");
	u8 index = 0;

	if (!off && (kstrtou8(argv[0], 0, &index) || index == U8_MAX))
		return -EINVAL;
	p->hw->detour = off ? 0 : index + 1;
	return 0;
}
