// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual functions, and what a physical function does on their behalf. There are as many BARs as
 * functions: those of the virtual ones follow all of the physical ones, or their own below a bridge.
 */
#include "connectx.h"

/* Commands that name another function or virtual port: a bit at 0x40, its number at 0x50. */
static const u16 for_others[] = {
	MLX5_CMD_OP_QUERY_HCA_CAP, MLX5_CMD_OP_SET_HCA_CAP, MLX5_CMD_OP_QUERY_NIC_VPORT_CONTEXT,
	MLX5_CMD_OP_MODIFY_NIC_VPORT_CONTEXT, MLX5_CMD_OP_QUERY_VPORT_STATE,
	MLX5_CMD_OP_MODIFY_VPORT_STATE, MLX5_CMD_OP_QUERY_VPORT_COUNTER,
	MLX5_CMD_OP_QUERY_VNIC_ENV,
};

static int create_virtual(struct fw_function *fn)
{
	struct fw_function *vf;
	int i;

	for (i = 0; i < FW_VFS; i++) {
		vf = fw_function_create(fw_function_count + fn->index * FW_VFS + i, fn);
		if (IS_ERR(vf))
			return PTR_ERR(vf);
		fn->vf[i] = vf;
	}
	fw_pci_init_sriov(fn);
	return 0;
}

int fw_sriov_init(void)
{
	unsigned int i;
	int err = 0;

	if (fw_function_count > FW_MAX_WITH_VFS)
		return 0;
	for (i = 0; i < fw_function_count && !err; i++)
		err = create_virtual(fw_functions[i]);
	return err;
}

static u16 number_of(const struct fw_command *cmd)
{
	return MLX5_GET(query_nic_vport_context_in, cmd->in, vport_number);
}

/* The virtual function by its number, from 1; NULL if there is none. */
static struct fw_function *virtual_function(const struct fw_command *cmd)
{
	u16 number = number_of(cmd);

	return number && number <= FW_VFS ? cmd->fn->vf[number - 1] : NULL;
}

bool fw_sriov_redirect(struct fw_command *cmd, int *status)
{
	struct fw_function *other;
	int i;

	if (fw_is_virtual(cmd->fn) && cmd->opcode == MLX5_CMD_OP_ACCESS_REG) {
		cmd->fn = fw_uplink(cmd->fn);
		if (!cmd->op_mod)
			*status = MLX5_CMD_STAT_OK;
		return !cmd->op_mod;
	}
	for (i = 0; i < ARRAY_SIZE(for_others) && for_others[i] != cmd->opcode; i++)
		;
	if (i == ARRAY_SIZE(for_others) ||
	    !MLX5_GET(query_nic_vport_context_in, cmd->in, other_vport))
		return false;
	other = virtual_function(cmd);
	if (other)
		cmd->fn = other;
	return false;
}

/* The driver of the physical function lets a virtual one live. */
static int enable(struct fw_command *cmd, bool on)
{
	struct fw_function *vf = virtual_function(cmd);

	if (!vf)
		return MLX5_CMD_STAT_BAD_PARAM_ERR;
	if (!on) {
		fw_objects_drop(vf, false);
		fw_caps_reset(vf);
	}
	vf->enabled = on;
	return MLX5_CMD_STAT_OK;
}

static u16 enabled_functions(const struct fw_function *fn)
{
	u16 n = 0;
	int i;

	for (i = 0; i < FW_VFS; i++)
		n += fn->vf[i] && fn->vf[i]->enabled;
	return n;
}

int fw_sriov_command(struct fw_command *cmd)
{
	void *host;

	switch (cmd->opcode) {
	case MLX5_CMD_OP_ENABLE_HCA:
	case MLX5_CMD_OP_DISABLE_HCA:
		return number_of(cmd) ? enable(cmd, cmd->opcode == MLX5_CMD_OP_ENABLE_HCA) : -ENOENT;
	case MLX5_CMD_OP_QUERY_ESW_FUNCTIONS:
		host = cmd->out + 0x10;	/* the first of net_function_params in newer drivers */
		MLX5_SET(host_params_context, host, host_num_of_vfs, enabled_functions(cmd->fn));
		MLX5_SET(host_params_context, host, host_total_vfs, FW_VFS);
		return MLX5_CMD_STAT_OK;
	}
	return -ENOENT;
}
