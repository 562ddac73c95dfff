// SPDX-License-Identifier: GPL-2.0
/* The RDMA device: identity, GIDs, link state and counters, and no data path. */
#include <linux/etherdevice.h>
#include <net/addrconf.h>
#include <rdma/ib_addr.h>
#include <rdma/ib_mad.h>

#include "ibverbs.h"
#include "mlx5sim.h"

enum { GID_TABLE = 32, IB_GID_TABLE = 8 };

struct sim_ib {
	struct ib_device ibdev;
	struct sim_port *port;
	unsigned int counters;
	unsigned int first_optional;
	u8 id[SIM_RDMA_COUNT];			/* place in the list -> counter */
	struct rdma_stat_desc desc[SIM_RDMA_COUNT];
	DECLARE_BITMAP(enabled, SIM_RDMA_COUNT);
};

static const struct rdma_stat_desc vport_desc[SIM_RDMA_CONG_FIRST] = {
#define SIM_VPORT_ROW(counter) { .name = "vport_" #counter },
	SIM_RDMA_Q(SIM_VPORT_ROW)
#undef SIM_VPORT_ROW
};

static struct sim_ib *to_sim(struct ib_device *ibdev)
{
	return container_of(ibdev, struct sim_ib, ibdev);
}

static int query_device(struct ib_device *ibdev, struct ib_device_attr *attr,
			struct ib_udata *udata)
{
	memset(attr, 0, sizeof(*attr));
	attr->vendor_id = 0x02c9;
	attr->vendor_part_id = 4119;
	attr->fw_ver = (16ULL << 32) | (35 << 16) | 2000;
	attr->sys_image_guid = ibdev->node_guid;
	attr->max_pkeys = 1;
	attr->kernel_cap_flags = IBK_LOCAL_DMA_LKEY;
	return 0;
}

/*
 * With RoCE off, and on the uplink of a switch, mlx5 has a device for raw packets, without
 * GIDs and unknown to the connection manager (mlx5_port_rep_immutable()).
 */
static bool has_roce(const struct sim_port *p)
{
	return p->fn->roce && !p->hw->switchdev;
}

/* The MAD capability is off: with it the core would create queue pairs at once. */
static u32 core_caps(const struct sim_port *p)
{
	u32 caps = RDMA_CORE_CAP_PROT_ROCE | RDMA_CORE_CAP_IB_CM | RDMA_CORE_CAP_AF_IB |
		   RDMA_CORE_CAP_ETH_AH;

	if (p->hw->ib)
		return RDMA_CORE_CAP_PROT_IB;
	if (!has_roce(p))
		return RDMA_CORE_CAP_PROT_RAW_PACKET;
	return p->hw->gidless ? caps : caps | RDMA_CORE_CAP_PROT_ROCE_UDP_ENCAP;
}

static unsigned int gid_table_len(const struct sim_port *p)
{
	if (p->hw->ib)
		return IB_GID_TABLE;
	return has_roce(p) ? GID_TABLE : 0;
}

/* An InfiniBand port has no netdev: the cable alone decides. */
static bool is_up(const struct sim_port *p)
{
	if (p->hw->ib)
		return !READ_ONCE(p->carrier_held);
	return netif_running(p->dev) && netif_carrier_ok(p->dev);
}

static int query_port(struct ib_device *ibdev, u32 num, struct ib_port_attr *attr)
{
	const struct sim_port *p = to_sim(ibdev)->port;
	bool up = is_up(p);

	attr->state = up ? IB_PORT_ACTIVE : IB_PORT_DOWN;
	attr->phys_state = up ? IB_PORT_PHYS_STATE_LINK_UP : IB_PORT_PHYS_STATE_DISABLED;
	attr->max_mtu = IB_MTU_4096;
	attr->active_mtu = iboe_get_mtu(p->dev->mtu);
	attr->gid_tbl_len = gid_table_len(p);
	attr->pkey_tbl_len = 1;
	attr->port_cap_flags = has_roce(p) ? IB_PORT_CM_SUP : 0;
	attr->ip_gids = has_roce(p);
	attr->max_msg_sz = 1U << 30;
	attr->active_width = IB_WIDTH_4X;
	attr->active_speed = IB_SPEED_EDR;
	attr->lid = p->hw->ib ? p->index + 1 : 0;
	attr->sm_lid = p->hw->ib;
	return 0;
}

static int get_port_immutable(struct ib_device *ibdev, u32 num, struct ib_port_immutable *im)
{
	const struct sim_port *p = to_sim(ibdev)->port;

	im->core_cap_flags = core_caps(p);
	im->gid_tbl_len = gid_table_len(p);
	im->pkey_tbl_len = 1;
	return 0;
}

static enum rdma_link_layer get_link_layer(struct ib_device *ibdev, u32 num)
{
	return to_sim(ibdev)->port->hw->ib ? IB_LINK_LAYER_INFINIBAND : IB_LINK_LAYER_ETHERNET;
}

/* GIDs of an InfiniBand port; the core keeps those of RoCE. */
static int query_gid(struct ib_device *ibdev, u32 num, int index, union ib_gid *gid)
{
	gid->global.subnet_prefix = cpu_to_be64(0xfe80000000000000ULL);
	gid->global.interface_id = index ? 0 : ibdev->node_guid;
	return 0;
}

static int query_pkey(struct ib_device *ibdev, u32 num, u16 index, u16 *pkey)
{
	*pkey = 0xffff;
	return 0;
}

static int add_gid(const struct ib_gid_attr *attr, void **context)
{
	return 0;
}

static int del_gid(const struct ib_gid_attr *attr, void **context)
{
	return 0;
}

static void get_dev_fw_str(struct ib_device *ibdev, char *str)
{
	snprintf(str, IB_FW_VERSION_NAME_MAX, "16.35.2000");
}

static bool has_counter(const struct sim_port *p, unsigned int id)
{
	return id < SIM_RDMA_CONG_FIRST || id >= SIM_RDMA_rx_icrc_encapsulated ||
	       sim_has(p, SIM_CAP_CC);
}

static void list_counters(struct sim_ib *ib)
{
	unsigned int id, n = 0;

	for (id = 0; id < SIM_RDMA_COUNT; id++) {
		if (!has_counter(ib->port, id))
			continue;
		if (id == SIM_RDMA_OPT_FIRST)
			ib->first_optional = n;
		ib->desc[n].name = sim_rdma_names[id];
		ib->desc[n].flags = id >= SIM_RDMA_OPT_FIRST ? IB_STAT_FLAG_OPTIONAL : 0;
		ib->id[n++] = id;
	}
	ib->counters = n;
}

static struct rdma_hw_stats *alloc_hw_device_stats(struct ib_device *ibdev)
{
	struct sim_ib *ib = to_sim(ibdev);
	struct rdma_hw_stats *stats;
	unsigned int i;

	stats = rdma_alloc_hw_stats_struct(ib->desc, ib->counters, RDMA_HW_STATS_DEFAULT_LIFESPAN);
	if (!stats)
		return NULL;
	for (i = ib->first_optional; i < ib->counters; i++)
		set_bit(i, stats->is_disabled);
	return stats;
}

static struct rdma_hw_stats *alloc_hw_port_stats(struct ib_device *ibdev, u32 num)
{
	return alloc_hw_device_stats(ibdev);
}

/* A switch's port has the queue counters of its vport, and no congestion counters. */
static struct rdma_hw_stats *alloc_vport_stats(struct ib_device *ibdev, u32 num)
{
	return rdma_alloc_hw_stats_struct(vport_desc, SIM_RDMA_CONG_FIRST,
					  RDMA_HW_STATS_DEFAULT_LIFESPAN);
}

static int get_vport_stats(struct sim_ib *ib, struct rdma_hw_stats *stats)
{
	unsigned int i;

	for (i = 0; i < SIM_RDMA_CONG_FIRST; i++)
		stats->value[i] = sim_rdma_read(ib->port->hw, i);
	return SIM_RDMA_CONG_FIRST;
}

static int get_hw_stats(struct ib_device *ibdev, struct rdma_hw_stats *stats, u32 num, int index)
{
	struct sim_ib *ib = to_sim(ibdev);
	int err = sim_verdict(sim_enter(ib->port, SIM_OP_HWSTATS));
	unsigned int i;

	if (err)
		return err;
	if (stats->descs == vport_desc)
		return get_vport_stats(ib, stats);
	for (i = 0; i < ib->counters; i++) {
		bool off = i >= ib->first_optional && !test_bit(i, ib->enabled);

		stats->value[i] = off ? 0 : sim_rdma_read(ib->port->hw, ib->id[i]);
	}
	return ib->counters;
}

static int modify_hw_stat(struct ib_device *ibdev, u32 num, unsigned int index, bool enable)
{
	struct sim_ib *ib = to_sim(ibdev);

	if (index < ib->first_optional || index >= ib->counters)
		return -EINVAL;
	if (enable) {
		atomic64_set(&ib->port->hw->rdma[ib->id[index]], 0);
		return test_and_set_bit(index, ib->enabled) ? -EEXIST : 0;
	}
	return test_and_clear_bit(index, ib->enabled) ? 0 : -EINVAL;
}

/* bnxt_re and irdma have other counters, which nothing here reads. */
static const struct ib_device_ops stats_ops = {
	.alloc_hw_port_stats = alloc_hw_port_stats,
	.get_hw_stats = get_hw_stats,
	.modify_hw_stat = modify_hw_stat,
};

/* Ports of a switch have no counters of their own, unless the firmware counts by vport. */
static const struct ib_device_ops switchdev_stats_ops = {
	.alloc_hw_device_stats = alloc_hw_device_stats,
	.get_hw_stats = get_hw_stats,
};

static const struct ib_device_ops vport_stats_ops = {
	.alloc_hw_port_stats = alloc_vport_stats,
};

static const struct ib_device_ops sim_ib_ops = {
	.owner = THIS_MODULE,
	.driver_id = RDMA_DRIVER_UNKNOWN,
	.query_device = query_device,
	.query_port = query_port,
	.get_port_immutable = get_port_immutable,
	.get_link_layer = get_link_layer,
	.query_pkey = query_pkey,
	.query_gid = query_gid,
	.add_gid = add_gid,
	.del_gid = del_gid,
	.get_dev_fw_str = get_dev_fw_str,
};

static struct sim_ib *alloc_device(struct sim_port *p)
{
	struct sim_ib *ib = ib_alloc_device(sim_ib, ibdev);
	struct ib_device *ibdev;
	u8 guid[8];

	if (!ib)
		return NULL;
	ib->port = p;
	list_counters(ib);

	ibdev = &ib->ibdev;
	addrconf_addr_eui48(guid, sim_netdev_there(p) ? p->dev->perm_addr : p->dev->dev_addr);
	memcpy(&ibdev->node_guid, guid, sizeof(guid));
	ibdev->node_type = RDMA_NODE_IB_CA;
	ibdev->phys_port_cnt = p->hw->switchdev ? p->hw->representors + 1 : 1;
	ibdev->num_comp_vectors = 1;
	ibdev->dev.parent = &p->pdev->dev;
	ib_set_device_ops(ibdev, &sim_ib_verbs);
	ib_set_device_ops(ibdev, &sim_ib_ops);
	if (sim_is_mlx5(p))
		ib_set_device_ops(ibdev, p->hw->switchdev ? &switchdev_stats_ops : &stats_ops);
	if (sim_is_mlx5(p) && p->hw->switchdev && p->hw->vport_stats)
		ib_set_device_ops(ibdev, &vport_stats_ops);
	return ib;
}

struct ib_pd *sim_rdma_pd(struct sim_port *p)
{
	return ib_alloc_pd(&p->ib->ibdev, 0);
}

/* The traffic class is the RDMA driver's memory: a new device has none. */
int sim_rdma_ofed(struct sim_port *p)
{
	if (p->ib && p->hw->ofed && sim_is_mlx5(p))
		return sim_tclass_add(p, &p->ib->ibdev.dev.kobj);
	sim_tclass_remove(p);
	return 0;
}

void sim_rdma_remove(struct sim_port *p)
{
	if (!p->ib)
		return;
	sim_qps_drop(p);
	sim_tclass_remove(p);
	sim_cc_remove(p);
	ib_unregister_device(&p->ib->ibdev);
	ib_dealloc_device(&p->ib->ibdev);
	p->ib = NULL;
}

int sim_rdma_add(struct sim_port *p)
{
	struct sim_ib *ib;
	int err = 0;

	if (!sim_has(p, SIM_CAP_RDMA) || !sim_kind(p)->rdma || p->hw->lag_second)
		return 0;
	ib = alloc_device(p);
	if (!ib)
		return -ENOMEM;

	if (!p->hw->ib)
		err = ib_device_set_netdev(&ib->ibdev, p->dev, ib->ibdev.phys_port_cnt);
	if (!err)
		err = ib_register_device(&ib->ibdev,
					 p->hw->lag ? "mlx5_bond_%d" : sim_kind(p)->rdma,
					 &p->pdev->dev);
	if (err) {
		ib_dealloc_device(&ib->ibdev);
		return err;
	}
	p->ib = ib;
	sim_cc_add(p);
	err = sim_rdma_ofed(p);
	if (err)
		sim_rdma_remove(p);
	return err;
}
