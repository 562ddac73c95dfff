// SPDX-License-Identifier: GPL-2.0
/* Registers of the firmware itself: components, reset, capabilities of registers. */
#include "connectx.h"

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
	{ MLX5_REG_PCAM, reg_pcam },
	{ MLX5_REG_MCAM, reg_mcam },
	{ MLX5_REG_QCAM, reg_qcam },
	{}
};
