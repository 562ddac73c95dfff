// SPDX-License-Identifier: GPL-2.0
/*
 * A port of type InfiniBand: identifiers, and what a subnet manager would have set. It has no
 * network device. Ports of different types get no link.
 */
#include "connectx.h"

#define SUBNET		0xfe80000000000000ULL
#define WIDTH_4X	BIT(2)
#define SPEED_EDR	BIT(5)
#define MTU		4096
#define SM_LID		1
#define ALL_PKEYS	0xffff
#define CLASS_INFINIBAND 0x0207	/* pci_ids.h lacks it */
#define CAP_MASK	0x2251e84a	/* as ConnectX-5 has it */
#define CAP_CM		BIT(16)		/* "the communication manager runs": the driver sets it */

enum { IB_DOWN = 1, IB_ACTIVE = 4 };
enum { IB_POLLING = 2, IB_LINK_UP = 5 };

/* The type in the flash comes into force between two starts of the driver. */
void fw_infiniband_reset(struct fw_function *fn)
{
	if (fn->infiniband == fn->flash.infiniband)
		return;
	fn->infiniband = fn->flash.infiniband;
	fw_pci_set_class(fn, fn->infiniband ? CLASS_INFINIBAND : PCI_CLASS_NETWORK_ETHERNET);
	fw_link_update(fn);
}

static int ib_ptys(struct fw_function *fn, void *in, void *out, bool write)
{
	MLX5_SET(ptys_reg, out, local_port, 1);
	MLX5_SET(ptys_reg, out, proto_mask, MLX5_PTYS_IB);
	MLX5_SET(ptys_reg, out, ib_link_width_capability, WIDTH_4X);
	MLX5_SET(ptys_reg, out, ib_proto_capability, SPEED_EDR);
	MLX5_SET(ptys_reg, out, ib_link_width_oper, fn->port.oper_up ? WIDTH_4X : 0);
	MLX5_SET(ptys_reg, out, ib_proto_oper, fn->port.oper_up ? SPEED_EDR : 0);
	return MLX5_CMD_STAT_OK;
}

static int ib_pmtu(struct fw_function *fn, void *in, void *out, bool write)
{
	MLX5_SET(pmtu_reg, out, local_port, 1);
	MLX5_SET(pmtu_reg, out, max_mtu, MTU);
	MLX5_SET(pmtu_reg, out, admin_mtu, MTU);
	MLX5_SET(pmtu_reg, out, oper_mtu, MTU);
	return MLX5_CMD_STAT_OK;
}

/* Those that read otherwise than a port of Ethernet's. */
const struct fw_register fw_infiniband_registers[] = {
	{ MLX5_REG_PTYS, ib_ptys },
	{ MLX5_REG_PMTU, ib_pmtu },
	{}
};

static u64 guid_of(struct fw_function *fn)
{
	return MLX5_GET64(nic_vport_context, fn->vport_context, port_guid);
}

static int query_ib_context(struct fw_command *cmd)
{
	struct fw_function *fn = cmd->fn;
	void *out = MLX5_ADDR_OF(query_hca_vport_context_out, cmd->out, hca_vport_context);
	bool up = fw_uplink(fn)->port.oper_up;

	MLX5_SET(hca_vport_context, out, has_smi, !fn->pf);
	MLX5_SET(hca_vport_context, out, port_physical_state, up ? IB_LINK_UP : IB_POLLING);
	MLX5_SET(hca_vport_context, out, port_state, up ? IB_ACTIVE : IB_DOWN);
	MLX5_SET(hca_vport_context, out, vport_state, up ? IB_ACTIVE : IB_DOWN);
	MLX5_SET64(hca_vport_context, out, system_image_guid,
		   MLX5_GET64(nic_vport_context, fn->vport_context, system_image_guid));
	MLX5_SET64(hca_vport_context, out, port_guid, guid_of(fn));
	MLX5_SET64(hca_vport_context, out, node_guid, guid_of(fn));
	MLX5_SET(hca_vport_context, out, cap_mask1, CAP_MASK);
	MLX5_SET(hca_vport_context, out, cap_mask1_field_select, CAP_CM);
	MLX5_SET(hca_vport_context, out, lid, SM_LID + 1 + fn->index);
	MLX5_SET(hca_vport_context, out, sm_lid, SM_LID);
	return MLX5_CMD_STAT_OK;
}

static int query_gid(struct fw_command *cmd)
{
	__be64 *gid = MLX5_ADDR_OF(query_hca_vport_gid_out, cmd->out, gid);

	MLX5_SET(query_hca_vport_gid_out, cmd->out, gids_num, 1);
	if (MLX5_GET(query_hca_vport_gid_in, cmd->in, gid_index))
		return MLX5_CMD_STAT_OK;
	gid[0] = cpu_to_be64(SUBNET);
	gid[1] = cpu_to_be64(guid_of(cmd->fn));
	return MLX5_CMD_STAT_OK;
}

/* From the key that the driver asks for, or from the first; InfiniBand has no other. */
static int query_pkey(struct fw_command *cmd)
{
	__be32 *pkey = MLX5_ADDR_OF(query_hca_vport_pkey_out, cmd->out, pkey);
	u32 room = cmd->outlen - MLX5_BYTE_OFF(query_hca_vport_pkey_out, pkey), i;
	u16 first = MLX5_GET(query_hca_vport_pkey_in, cmd->in, pkey_index);

	for (i = 0; i < room / sizeof(*pkey); i++) {
		bool other = i || (first && first != ALL_PKEYS);

		pkey[i] = cpu_to_be32(other && cmd->fn->infiniband ? 0 : 0xffff);
	}
	return MLX5_CMD_STAT_OK;
}

int fw_infiniband_command(struct fw_command *cmd)
{
	switch (cmd->opcode) {
	case MLX5_CMD_OP_QUERY_HCA_VPORT_CONTEXT:
		return query_ib_context(cmd);
	case MLX5_CMD_OP_MODIFY_HCA_VPORT_CONTEXT:
		return MLX5_CMD_STAT_OK;
	case MLX5_CMD_OP_QUERY_HCA_VPORT_GID:
		return query_gid(cmd);
	case MLX5_CMD_OP_QUERY_HCA_VPORT_PKEY:
		return query_pkey(cmd);
	}
	return -ENOENT;
}
