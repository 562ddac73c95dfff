// SPDX-License-Identifier: GPL-2.0
/*
 * Link aggregation of the two ports of a card, which the driver asks of the first one. Frames go on
 * leaving by the port that sends them: the bond chooses it.
 */
#include "connectx.h"

/* Which port the transmit queues of each port use. */
static void take_map(struct fw_function *fn, const void *in)
{
	MLX5_SET(lagc, fn->lag, tx_remap_affinity_1, MLX5_GET(lagc, in, tx_remap_affinity_1));
	MLX5_SET(lagc, fn->lag, tx_remap_affinity_2, MLX5_GET(lagc, in, tx_remap_affinity_2));
}

int fw_lag_command(struct fw_command *cmd)
{
	struct fw_function *fn = cmd->fn;

	switch (cmd->opcode) {
	case MLX5_CMD_OP_CREATE_LAG:
		if (fn->in_lag)
			return MLX5_CMD_STAT_BAD_SYS_STATE_ERR;
		fn->in_lag = true;
		memcpy(fn->lag, MLX5_ADDR_OF(create_lag_in, cmd->in, ctx), sizeof(fn->lag));
		return MLX5_CMD_STAT_OK;
	case MLX5_CMD_OP_MODIFY_LAG:
		if (!fn->in_lag)
			return MLX5_CMD_STAT_BAD_SYS_STATE_ERR;
		take_map(fn, MLX5_ADDR_OF(modify_lag_in, cmd->in, ctx));
		return MLX5_CMD_STAT_OK;
	case MLX5_CMD_OP_QUERY_LAG:
		memcpy(MLX5_ADDR_OF(query_lag_out, cmd->out, ctx), fn->lag, sizeof(fn->lag));
		MLX5_SET(query_lag_out, cmd->out, ctx.lag_state, fn->in_lag);
		return MLX5_CMD_STAT_OK;
	case MLX5_CMD_OP_DESTROY_LAG:
		if (!fn->in_lag)
			return MLX5_CMD_STAT_BAD_SYS_STATE_ERR;
		fn->in_lag = false;
		return MLX5_CMD_STAT_OK;
	case MLX5_CMD_OP_CREATE_VPORT_LAG:
	case MLX5_CMD_OP_DESTROY_VPORT_LAG:
		return MLX5_CMD_STAT_OK;
	}
	return -ENOENT;
}
