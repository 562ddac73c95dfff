// SPDX-License-Identifier: GPL-2.0
/* The network device: ports 0 and 1, 2 and 3, ... are wired to each other. */
#include <linux/etherdevice.h>

#include "mlx5sim.h"

#define SIM_MAX_PORTS 256

static struct net_device __rcu *wire[SIM_MAX_PORTS];

static void deliver(struct net_device *peer, struct sk_buff *skb)
{
	struct sim_hw *hw = sim_port(peer)->hw;
	struct sim_traffic seen = sim_classify(hw, skb);

	if (dev_forward_skb(peer, skb) == NET_RX_SUCCESS)
		sim_count_received(hw, &seen);
	else
		sim_counter_add(hw, SIM_CTR_rx_oversize_pkts_phy, 1);
}

/*
 * Kernel traffic leaves on priority 0, whatever the trust, unless mqprio is set up. RDMA bypasses
 * the kernel's queues, so the frame's own field decides.
 */
static netdev_tx_t sim_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct sim_port *p = sim_port(dev);
	struct sim_traffic sent = sim_classify(p->hw, skb);
	struct net_device *peer;

	if (!sent.rdma && dev->num_tc <= 1)
		sent.prio = 0;
	sim_count_sent(p->hw, &sent);
	rcu_read_lock();
	peer = rcu_dereference(wire[sent.rdma && p->hw->detour ? p->hw->detour - 1 : p->index ^ 1]);
	if (peer && netif_carrier_ok(dev) && netif_carrier_ok(peer) && sim_rewrite(p->hw, skb))
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

/* A change of MTU or speed leaves the buffers' thresholds unchanged. */
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
