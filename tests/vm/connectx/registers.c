// SPDX-License-Identifier: GPL-2.0
/* ACCESS_REG: finds the register's handler; tables of them stand where their subject is. */
#include "connectx.h"

#include <linux/slab.h>

static const struct fw_register *const tables[] = {
	fw_infiniband_registers, fw_link_registers, fw_qos_registers, fw_buffer_registers,
	fw_counter_registers, fw_firmware_registers, fw_module_registers,
};

/* A register without a meaning here reads as it was written. */
static int remember(struct fw_command *cmd, u16 id, void *in, void *out, u32 size, bool write)
{
	struct xarray *other = &cmd->fn->port.other;
	u8 *kept = xa_load(other, id);

	if (!kept) {
		fw_say(cmd->fn, "register 0x%x, %u bytes, %s: only remembered\n", id, size,
		       write ? "write" : "read");
		kept = kzalloc(SZ_2K, GFP_KERNEL);
		if (!kept)
			return MLX5_CMD_STAT_NO_RES_ERR;
		xa_store(other, id, kept, GFP_KERNEL);
	}
	if (write)
		memcpy(kept, in, min_t(u32, size, SZ_2K));
	memcpy(out, kept, min_t(u32, size, SZ_2K));
	return MLX5_CMD_STAT_OK;
}

int fw_access_register(struct fw_command *cmd)
{
	u16 id = MLX5_GET(access_register_in, cmd->in, register_id);
	void *in = MLX5_ADDR_OF(access_register_in, cmd->in, register_data);
	void *out = MLX5_ADDR_OF(access_register_out, cmd->out, register_data);
	u32 size = cmd->inlen - MLX5_ST_SZ_BYTES(access_register_in);
	const struct fw_register *reg;
	bool write = !cmd->op_mod;
	int i;

	for (i = !cmd->fn->infiniband; i < ARRAY_SIZE(tables); i++) {
		for (reg = tables[i]; reg->id; reg++) {
			if (reg->id == id)
				return reg->handler(cmd->fn, in, out, write);
		}
	}
	return remember(cmd, id, in, out, size, write);
}
