// SPDX-License-Identifier: GPL-2.0
/* The virtual port behind a function: addresses, states, RoCE addresses. */
#include "connectx.h"

static void *context(struct fw_function *fn)
{
	return fn->vport_context;
}

void fw_vport_init(struct fw_function *fn)
{
	u64 guid = 0xb8599f0300c0ff00ULL, card = guid + fw_uplink(fn)->index / 2 * 2;
	u8 *address = MLX5_ADDR_OF(nic_vport_context, context(fn), permanent_address);

	MLX5_SET(nic_vport_context, context(fn), mtu, 1522);
	MLX5_SET64(nic_vport_context, context(fn), system_image_guid, card);
	MLX5_SET64(nic_vport_context, context(fn), port_guid, guid + fn->index);
	MLX5_SET64(nic_vport_context, context(fn), node_guid, guid + fn->index);
	ether_addr_copy(address + 2, fn->mac);
	fn->vport_admin = MLX5_VPORT_ADMIN_STATE_AUTO;
}

static int query_context(struct fw_command *cmd)
{
	u8 wanted = MLX5_GET(query_nic_vport_context_in, cmd->in, allowed_list_type);
	void *out = MLX5_ADDR_OF(query_nic_vport_context_out, cmd->out, nic_vport_context);
	u32 room = cmd->outlen - MLX5_BYTE_OFF(query_nic_vport_context_out, nic_vport_context);

	memcpy(out, context(cmd->fn), min_t(u32, room, sizeof(cmd->fn->vport_context)));
	if (MLX5_GET(nic_vport_context, out, allowed_list_type) != wanted)
		MLX5_SET(nic_vport_context, out, allowed_list_size, 0);
	return MLX5_CMD_STAT_OK;
}

#define SELECTED(field) MLX5_GET(modify_nic_vport_context_in, cmd->in, field_select.field)
#define SET_FIELD(field) MLX5_SET(nic_vport_context, context(cmd->fn), field, \
				  MLX5_GET(nic_vport_context, in, field))

static int modify_context(struct fw_command *cmd)
{
	void *in = MLX5_ADDR_OF(modify_nic_vport_context_in, cmd->in, nic_vport_context);

	if (SELECTED(roce_en))
		SET_FIELD(roce_en);
	if (SELECTED(disable_uc_local_lb))
		SET_FIELD(disable_uc_local_lb);
	if (SELECTED(disable_mc_local_lb))
		SET_FIELD(disable_mc_local_lb);
	if (SELECTED(min_inline))
		SET_FIELD(min_wqe_inline_mode);
	if (SELECTED(mtu))
		SET_FIELD(mtu);
	if (SELECTED(promisc)) {
		SET_FIELD(promisc_uc);
		SET_FIELD(promisc_mc);
		SET_FIELD(promisc_all);
	}
	if (SELECTED(node_guid))
		memcpy(MLX5_ADDR_OF(nic_vport_context, context(cmd->fn), node_guid),
		       MLX5_ADDR_OF(nic_vport_context, in, node_guid), 8);
	if (SELECTED(port_guid))
		memcpy(MLX5_ADDR_OF(nic_vport_context, context(cmd->fn), port_guid),
		       MLX5_ADDR_OF(nic_vport_context, in, port_guid), 8);
	if (SELECTED(permanent_address))
		memcpy(MLX5_ADDR_OF(nic_vport_context, context(cmd->fn), permanent_address),
		       MLX5_ADDR_OF(nic_vport_context, in, permanent_address), 8);
	if (SELECTED(addresses_list)) {
		SET_FIELD(allowed_list_type);
		SET_FIELD(allowed_list_size);
		memcpy(MLX5_ADDR_OF(nic_vport_context, context(cmd->fn), current_uc_mac_address[0]),
		       MLX5_ADDR_OF(nic_vport_context, in, current_uc_mac_address[0]),
		       min_t(u32, 8 * MLX5_GET(nic_vport_context, in, allowed_list_size), 8 * 256));
	}
	return MLX5_CMD_STAT_OK;
}

/* The link of a virtual function is the port's, unless the physical function decides otherwise. */
static bool is_up(struct fw_function *fn)
{
	if (fn->pf && fn->vport_admin != MLX5_VPORT_ADMIN_STATE_AUTO)
		return fn->vport_admin == MLX5_VPORT_ADMIN_STATE_UP;
	return fw_uplink(fn)->port.oper_up;
}

int fw_vport_command(struct fw_command *cmd)
{
	struct fw_function *fn = cmd->fn;
	u16 index;

	switch (cmd->opcode) {
	case MLX5_CMD_OP_QUERY_NIC_VPORT_CONTEXT:
		return query_context(cmd);
	case MLX5_CMD_OP_MODIFY_NIC_VPORT_CONTEXT:
		return modify_context(cmd);
	case MLX5_CMD_OP_QUERY_VPORT_STATE:
		MLX5_SET(query_vport_state_out, cmd->out, admin_state, fn->vport_admin);
		MLX5_SET(query_vport_state_out, cmd->out, state, is_up(fn));
		return MLX5_CMD_STAT_OK;
	case MLX5_CMD_OP_MODIFY_VPORT_STATE:
		fn->vport_admin = MLX5_GET(modify_vport_state_in, cmd->in, admin_state);
		if (fn->pf)
			fw_vport_event(fn, is_up(fn));
		return MLX5_CMD_STAT_OK;
	case MLX5_CMD_OP_QUERY_ESW_VPORT_CONTEXT:
	case MLX5_CMD_OP_MODIFY_ESW_VPORT_CONTEXT:
	case MLX5_CMD_OP_SET_L2_TABLE_ENTRY:
	case MLX5_CMD_OP_DELETE_L2_TABLE_ENTRY:
		return MLX5_CMD_STAT_OK;
	case MLX5_CMD_OP_SET_ROCE_ADDRESS:
		index = MLX5_GET(set_roce_address_in, cmd->in, roce_address_index);
		if (index >= ARRAY_SIZE(fn->gid))
			return MLX5_CMD_STAT_BAD_PARAM_ERR;
		memcpy(fn->gid[index], MLX5_ADDR_OF(set_roce_address_in, cmd->in, roce_address),
		       sizeof(fn->gid[index]));
		return MLX5_CMD_STAT_OK;
	case MLX5_CMD_OP_QUERY_ROCE_ADDRESS:
		index = MLX5_GET(query_roce_address_in, cmd->in, roce_address_index);
		if (index >= ARRAY_SIZE(fn->gid))
			return MLX5_CMD_STAT_BAD_PARAM_ERR;
		memcpy(MLX5_ADDR_OF(query_roce_address_out, cmd->out, roce_address),
		       fn->gid[index], sizeof(fn->gid[index]));
		return MLX5_CMD_STAT_OK;
	}
	return -ENOENT;
}
