// SPDX-License-Identifier: GPL-2.0
/*
 * Registers of the firmware itself: components, reset, capabilities of registers, and what it knows
 * of its host.
 */
#include "connectx.h"

/* Levels of MFRL, as the driver's devlink.c has them: live patch, reset with the drivers' help. */
#define LIVE_PATCH	BIT(0)
#define DRIVER_RESET	BIT(3)
#define FULL_CHIP	BIT(0)

enum { ACK = 1, NACK = 2 };

/* The one component of the firmware is its boot image, at index 0. */
static int reg_mcqs(struct fw_function *fn, void *in, void *out, bool write)
{
	MLX5_SET(mcqs_reg, out, last_index_flag, 1);
	MLX5_SET(mcqs_reg, out, identifier, 1);
	return MLX5_CMD_STAT_OK;
}

static int reg_mcqi(struct fw_function *fn, void *in, void *out, bool write)
{
	void *data = MLX5_ADDR_OF(mcqi_reg, out, data);

	MLX5_SET(mcqi_reg, out, info_type, MLX5_GET(mcqi_reg, in, info_type));
	MLX5_SET(mcqi_version, data, version, FW_VERSION(fn->model));
	return MLX5_CMD_STAT_OK;
}

static void general_event(struct fw_function *fn, u8 sub_type, u8 state)
{
	struct mlx5_eqe_sync_fw_update update = { .sync_rst_state = state };

	fw_event(fn, MLX5_EVENT_TYPE_GENERAL_EVENT, sub_type, &update, sizeof(update));
}

static void sync_event(struct fw_function *fn, u8 state)
{
	general_event(fn, MLX5_GENERAL_SUBTYPE_PCI_SYNC_FOR_FW_UPDATE_EVENT, state);
}

/* A card has two functions. */
#define for_each_function_of_card(fn, other, i) \
	for (i = (fn)->index & ~1; i < fw_function_count && i <= ((fn)->index | 1); i++) \
		if ((other = fw_functions[i]))

/* Each driver that runs is asked; the reset comes when all have answered yes. */
static void ask_for_reset(struct fw_function *fn)
{
	struct fw_function *other;
	unsigned int i;

	for_each_function_of_card(fn, other, i) {
		other->reset_asked = other->command_eqn;
		if (other->reset_asked)
			sync_event(other, MLX5_SYNC_RST_STATE_RESET_REQUEST);
	}
}

static void answer_to_reset(struct fw_function *fn, u8 answer)
{
	struct fw_function *other;
	bool waits = false;
	unsigned int i;

	fn->reset_asked = false;
	for_each_function_of_card(fn, other, i)
		waits |= other->reset_asked;
	if (waits && answer == ACK)
		return;
	for_each_function_of_card(fn, other, i) {
		other->reset_asked = false;
		if (answer == ACK)
			other->reset_now = true;
		else
			sync_event(other, MLX5_SYNC_RST_STATE_RESET_ABORT);
	}
}

static int reg_mfrl(struct fw_function *fn, void *in, void *out, bool write)
{
	u8 answer = MLX5_GET(mfrl_reg, in, pci_sync_for_fw_update_resp);

	if (write && MLX5_GET(mfrl_reg, in, pci_sync_for_fw_update_start))
		ask_for_reset(fn);
	else if (write && answer)
		answer_to_reset(fn, answer);
	else if (write && MLX5_GET(mfrl_reg, in, reset_level) == LIVE_PATCH)
		general_event(fn, MLX5_GENERAL_SUBTYPE_FW_LIVE_PATCH_EVENT, 0);
	MLX5_SET(mfrl_reg, out, reset_level, LIVE_PATCH | DRIVER_RESET);
	MLX5_SET(mfrl_reg, out, reset_type, FULL_CHIP);
	/* Not by the link of the bridge, which these functions do not have; 6.12 looks for one. */
	fw_set_bits(out, 0x28, 3, 1);
	return MLX5_CMD_STAT_OK;
}

/* Whether the FCS of frames is checked; frames here have none. */
static int reg_pcmr(struct fw_function *fn, void *in, void *out, bool write)
{
	if (write)
		fn->port.fcs_unchecked = !MLX5_GET(pcmr_reg, in, fcs_chk);
	MLX5_SET(pcmr_reg, out, local_port, 1);
	MLX5_SET(pcmr_reg, out, fcs_cap, 1);
	MLX5_SET(pcmr_reg, out, fcs_chk, !fn->port.fcs_unchecked);
	return MLX5_CMD_STAT_OK;
}

/* Guests are little-endian, as the driver says once. */
static int reg_host_endianness(struct fw_function *fn, void *in, void *out, bool write)
{
	if (write && MLX5_GET(register_host_endianness, in, he))
		return MLX5_CMD_STAT_BAD_PARAM_ERR;
	return MLX5_CMD_STAT_OK;
}

static int reg_node_desc(struct fw_function *fn, void *in, void *out, bool write)
{
	char *desc = fn->port.node_desc;

	if (write)
		memcpy(desc, in, sizeof(fn->port.node_desc));
	else if (!*desc)
		snprintf(desc, sizeof(fn->port.node_desc), "MT%u %s   Mellanox Technologies",
			 fn->model->device, fn->model->name);
	memcpy(out, desc, sizeof(fn->port.node_desc));
	return MLX5_CMD_STAT_OK;
}

static int reg_pcam(struct fw_function *fn, void *in, void *out, bool write)
{
	return fw_reg_pcam(fn, out);
}

static int reg_mcam(struct fw_function *fn, void *in, void *out, bool write)
{
	return fw_reg_mcam(fn, MLX5_GET(mcam_reg, in, access_reg_group), out);
}

static int reg_qcam(struct fw_function *fn, void *in, void *out, bool write)
{
	return fw_reg_qcam(fn, out);
}

const struct fw_register fw_firmware_registers[] = {
	{ MLX5_REG_MCQS, reg_mcqs },
	{ MLX5_REG_MCQI, reg_mcqi },
	{ MLX5_REG_MFRL, reg_mfrl },
	{ MLX5_REG_PCMR, reg_pcmr },
	{ MLX5_REG_HOST_ENDIANNESS, reg_host_endianness },
	{ MLX5_REG_NODE_DESC, reg_node_desc },
	{ MLX5_REG_PCAM, reg_pcam },
	{ MLX5_REG_MCAM, reg_mcam },
	{ MLX5_REG_QCAM, reg_qcam },
	{}
};
