// SPDX-License-Identifier: GPL-2.0
/* The module, or plug of a copper cable, in the port's cage: its lanes and its memory. */
#include "connectx.h"

/* There is no page but 0. */
#define FLAT_QSFP	0x04
#define FLAT_CMIS	0x80
#define NO_MODULE	2	/* status of MCIA */

/* Bytes of page 0, as SFF-8472, SFF-8636 and CMIS 4 place them. */
static const struct {
	u8 id, flags_at, flags, connector_at, connector, metre_at, metre;
	u8 vendor_at, part_at, serial_at;
	const char *part;
} memories[] = {
	[FW_SFP] = { 0x03, 8, 0x04, 2, 0x21, 18, 1, 20, 40, 68, "MCP2M00-A001E30N" },
	[FW_QSFP28] = { 0x11, 2, FLAT_QSFP, 130, 0x23, 146, 1, 148, 168, 196, "MCP1600-C001E30N" },
	[FW_QSFP_DD] = { 0x18, 2, FLAT_CMIS, 203, 0x23, 202, 0x41, 129, 148, 166,
			 "MCP1660-W001E30" },
};

static void text(u8 *page, u8 at, const char *words)
{
	memset(page + at, ' ', 16);
	memcpy(page + at, words, min_t(size_t, strlen(words), 16));
}

static void fill_page(struct fw_function *fn, u8 *page)
{
	enum fw_module kind = fn->port.module;
	char serial[17];

	memset(page, 0, 256);
	page[0] = memories[kind].id;
	page[memories[kind].flags_at] = memories[kind].flags;
	page[memories[kind].connector_at] = memories[kind].connector;
	page[memories[kind].metre_at] = memories[kind].metre;
	text(page, memories[kind].vendor_at, "Mellanox");
	text(page, memories[kind].part_at, memories[kind].part);
	snprintf(serial, sizeof(serial), "MT2026VS%05u", fn->index);
	text(page, memories[kind].serial_at, serial);
	/* The upper half begins with the identifier, too. */
	if (kind != FW_SFP)
		page[128] = page[0];
	switch (kind) {
	case FW_SFP:
		page[1] = 0x04;		/* defined by this memory alone */
		page[36] = 0x0b;	/* 25GBASE-CR with RS-FEC */
		break;
	case FW_QSFP28:
		page[192] = 0x0b;	/* 100GBASE-CR4 */
		break;
	default:
		page[1] = 0x40;		/* revision */
		page[3] = 3 << 1;	/* ready */
	}
}

static int reg_mcia(struct fw_function *fn, void *in, void *out, bool write)
{
	u16 at = MLX5_GET(mcia_reg, in, device_address), size = MLX5_GET(mcia_reg, in, size);
	bool low = MLX5_GET(mcia_reg, in, i2c_device_address) == MLX5_I2C_ADDR_LOW;
	u8 *data = MLX5_ADDR_OF(mcia_reg, out, dwords);
	u8 page[256];

	memcpy(out, in, MLX5_BYTE_OFF(mcia_reg, dwords));
	if (fn->port.module == FW_NO_MODULE) {
		MLX5_SET(mcia_reg, out, status, NO_MODULE);
		return MLX5_CMD_STAT_OK;
	}
	fill_page(fn, page);
	if (low && !MLX5_GET(mcia_reg, in, page_number) && at < sizeof(page))
		memcpy(data, page + at, min3((int)size, (int)sizeof(page) - at,
					     (int)MLX5_FLD_SZ_BYTES(mcia_reg, dwords)));
	return MLX5_CMD_STAT_OK;
}

static int reg_pmlp(struct fw_function *fn, void *in, void *out, bool write)
{
	u8 lanes = fn->port.mode ? fn->port.mode->lanes : 4, lane;
	__be32 *mapping = MLX5_ADDR_OF(pmlp_reg, out, lane0_module_mapping);

	MLX5_SET(pmlp_reg, out, local_port, 1);
	MLX5_SET(pmlp_reg, out, width, lanes);
	for (lane = 0; lane < lanes; lane++) {
		MLX5_SET(lane_2_module_mapping, mapping + lane, rx_lane, lane);
		MLX5_SET(lane_2_module_mapping, mapping + lane, tx_lane, lane);
		MLX5_SET(lane_2_module_mapping, mapping + lane, module, fn->index % 2);
	}
	return MLX5_CMD_STAT_OK;
}

const struct fw_register fw_module_registers[] = {
	{ MLX5_REG_MCIA, reg_mcia },
	{ MLX5_REG_PMLP, reg_pmlp },
	{}
};
