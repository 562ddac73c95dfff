// SPDX-License-Identifier: GPL-2.0
/* The network device: ports 0 and 1, 2 and 3, ... are wired to each other. */
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <net/dsfield.h>

#include "mlx5sim.h"

#define SIM_MAX_PORTS 256

static struct net_device __rcu *wire[SIM_MAX_PORTS];

static int dscp_of(const struct sk_buff *skb, __be16 proto, int offset)
{
	struct ipv6hdr v6;
	struct iphdr v4;
	const void *h;

	if (proto == htons(ETH_P_IP)) {
		h = skb_header_pointer(skb, offset, sizeof(v4), &v4);
		return h ? ipv4_get_dsfield(h) >> 2 : -1;
	}
	if (proto == htons(ETH_P_IPV6)) {
		h = skb_header_pointer(skb, offset, sizeof(v6), &v6);
		return h ? ipv6_get_dsfield(h) >> 2 : -1;
	}
	return -1;
}

/* The port's trust decides by which field a frame is classified. */
static unsigned int classify(const struct sim_hw *hw, const struct sk_buff *skb)
{
	struct vlan_ethhdr copy;
	const struct vlan_ethhdr *v;
	bool tagged;
	int dscp;

	v = skb_header_pointer(skb, 0, sizeof(copy), &copy);
	if (!v)
		return 0;
	tagged = v->h_vlan_proto == htons(ETH_P_8021Q);
	if (hw->trust == SIM_TRUST_NONE)
		return 0;
	if (hw->trust == SIM_TRUST_PCP)
		return tagged ? ntohs(v->h_vlan_TCI) >> VLAN_PRIO_SHIFT : 0;

	dscp = dscp_of(skb, tagged ? v->h_vlan_encapsulated_proto : v->h_vlan_proto,
		       tagged ? VLAN_ETH_HLEN : ETH_HLEN);
	return dscp < 0 ? 0 : hw->dscp2prio[dscp] & 7;
}

static void count_traffic(struct sim_hw *hw, unsigned int prio, unsigned int len, bool rx)
{
	unsigned int group = SIM_CTR_TRAFFIC + prio * SIM_TRAFFIC_COUNT;

	sim_counter_add(hw, rx ? SIM_CTR_rx_packets : SIM_CTR_tx_packets, 1);
	sim_counter_add(hw, rx ? SIM_CTR_rx_bytes : SIM_CTR_tx_bytes, len);
	sim_counter_add(hw, rx ? SIM_CTR_rx_packets_phy : SIM_CTR_tx_packets_phy, 1);
	sim_counter_add(hw, rx ? SIM_CTR_rx_bytes_phy : SIM_CTR_tx_bytes_phy, len + ETH_FCS_LEN);
	sim_counter_add(hw, group + (rx ? SIM_T_RX_PACKETS : SIM_T_TX_PACKETS), 1);
	sim_counter_add(hw, group + (rx ? SIM_T_RX_BYTES : SIM_T_TX_BYTES), len);
}

static void deliver(struct net_device *peer, struct sk_buff *skb)
{
	struct sim_hw *hw = sim_port(peer)->hw;
	unsigned int prio = classify(hw, skb);
	unsigned int len = skb->len;

	if (dev_forward_skb(peer, skb) == NET_RX_SUCCESS)
		count_traffic(hw, prio, len, true);
	else
		sim_counter_add(hw, SIM_CTR_rx_oversize_pkts_phy, 1);
}

/* Kernel traffic leaves on priority 0, and trust is not asked, unless mqprio is set up. */
static netdev_tx_t sim_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct sim_port *p = sim_port(dev);
	unsigned int prio = dev->num_tc > 1 ? classify(p->hw, skb) : 0;
	struct net_device *peer;

	count_traffic(p->hw, prio, skb->len, false);
	rcu_read_lock();
	peer = rcu_dereference(wire[p->index ^ 1]);
	if (peer && netif_carrier_ok(dev) && netif_carrier_ok(peer))
		deliver(peer, skb);
	else
		dev_kfree_skb_any(skb);
	rcu_read_unlock();
	return NETDEV_TX_OK;
}

static int sim_open(struct net_device *dev)
{
	struct sim_port *p = sim_port(dev);
	int err = sim_verdict(sim_enter(p, SIM_OP_OPEN));

	if (err)
		return err;
	netif_tx_start_all_queues(dev);
	sim_link_start(p);
	return 0;
}

static int sim_stop(struct net_device *dev)
{
	struct sim_port *p = sim_port(dev);

	sim_enter(p, SIM_OP_STOP);
	netif_tx_stop_all_queues(dev);
	sim_link_stop(p);
	return 0;
}

/* Neither this nor a speed change touches the buffers' thresholds. */
static int sim_change_mtu(struct net_device *dev, int mtu)
{
	int entered = sim_enter(sim_port(dev), SIM_OP_CHANGEMTU);

	if (entered)
		return sim_verdict(entered);
	WRITE_ONCE(dev->mtu, mtu);
	return 0;
}

static void sim_get_stats64(struct net_device *dev, struct rtnl_link_stats64 *s)
{
	const struct sim_hw *hw = sim_port(dev)->hw;

	s->rx_packets = sim_counter_read(hw, SIM_CTR_rx_packets);
	s->rx_bytes = sim_counter_read(hw, SIM_CTR_rx_bytes);
	s->tx_packets = sim_counter_read(hw, SIM_CTR_tx_packets);
	s->tx_bytes = sim_counter_read(hw, SIM_CTR_tx_bytes);
	s->rx_dropped = sim_counter_read(hw, SIM_CTR_rx_out_of_buffer);
	s->rx_crc_errors = sim_counter_read(hw, SIM_CTR_rx_crc_errors_phy);
	s->rx_errors = s->rx_crc_errors;
}

static int sim_phys_port_name(struct net_device *dev, char *name, size_t len)
{
	const struct sim_port *p = sim_port(dev);
	unsigned int pf = PCI_FUNC(p->pdev->devfn);
	int n;

	if (*p->hw->port_name)
		n = strscpy(name, p->hw->port_name, len);
	else
		n = snprintf(name, len, p->hw->rep ? "pf%uvf0" : "p%u", pf);

	return n < 0 || n >= len ? -EINVAL : 0;
}

static int sim_port_parent_id(struct net_device *dev, struct netdev_phys_item_id *id)
{
	const struct sim_port *p = sim_port(dev);

	if (!p->hw->rep && !p->hw->switchdev)
		return -EOPNOTSUPP;
	id->id_len = ETH_ALEN;
	memcpy(id->id, dev->perm_addr, ETH_ALEN);
	return 0;
}

static const struct net_device_ops sim_netdev_ops = {
	.ndo_open = sim_open,
	.ndo_stop = sim_stop,
	.ndo_start_xmit = sim_xmit,
	.ndo_change_mtu = sim_change_mtu,
	.ndo_get_stats64 = sim_get_stats64,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
	.ndo_get_phys_port_name = sim_phys_port_name,
	.ndo_get_port_parent_id = sim_port_parent_id,
};

struct net_device *sim_netdev_alloc(struct sim_port *p)
{
	u8 mac[ETH_ALEN] = { 0xb8, 0xce, 0xf6, 0x51, p->index >> 8, p->index };
	struct net_device *dev = alloc_etherdev_mqs(sizeof(p), SIM_QUEUES, SIM_QUEUES);

	if (!dev)
		return NULL;
	*(struct sim_port **)netdev_priv(dev) = p;
	SET_NETDEV_DEV(dev, &p->pdev->dev);
	dev->netdev_ops = &sim_netdev_ops;
	dev->max_mtu = SIM_MAX_MTU;
	dev->priv_flags |= IFF_LIVE_ADDR_CHANGE;
	eth_hw_addr_set(dev, mac);
	p->dev = dev;
	sim_dress(p);
	return dev;
}

int sim_netdev_register(struct sim_port *p)
{
	int err;

	if (p->index >= SIM_MAX_PORTS)
		return -ENOSPC;
	err = register_netdev(p->dev);
	if (err)
		return err;
	rcu_assign_pointer(wire[p->index], p->dev);
	return 0;
}

void sim_netdev_unregister(struct sim_port *p)
{
	RCU_INIT_POINTER(wire[p->index], NULL);
	synchronize_net();
	unregister_netdev(p->dev);
}
