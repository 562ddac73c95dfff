// SPDX-License-Identifier: GPL-2.0
/* Receive buffers: of the host once it has written PBMC, else of the firmware; shared buffers. */
#include "connectx.h"

#define PORT_CELLS	8192	/* 1 MiB */
#define INTERNAL_CELLS	256
#define WHOLE_CELLS	2047	/* buffer 0 when it is alone */
#define HALF_CELLS	1023

/* Bytes, as the driver computes them: calculate_xoff(). */
u32 fw_buffer_headroom(const struct fw_port *port, u32 mbps, u32 cable_m)
{
	return (301 + 216 * cable_m / 100) * mbps / 1000 + 272 * port->mtu / 100;
}

static void lay(struct fw_port *port, int i, u16 size, bool lossy)
{
	u16 headroom = DIV_ROUND_UP(fw_buffer_headroom(port, 100000, FW_CABLE_M), FW_CELL);
	u16 frame = DIV_ROUND_UP(FW_LONGEST_FRAME, FW_CELL);

	port->buffer[i].size = size;
	port->buffer[i].lossy = lossy;
	port->buffer[i].xoff = lossy ? 0 : size - headroom;
	port->buffer[i].xon = lossy ? 0 : port->buffer[i].xoff - frame;
}

/*
 * While the host has never written PBMC, the firmware sizes the buffers: what PFC protects gets
 * buffer 1; with global pause buffer 0 is lossless. The sizes are invented.
 */
void fw_buffer_lay(struct fw_port *port)
{
	u8 lossless = port->pfctx | port->pfcrx;
	u32 shared;
	int i;

	if (port->buffers_of_host)
		return;
	for (i = 0; i < 8; i++) {
		lay(port, i, 0, true);
		port->prio_buffer &= ~(0xf << 4 * i);
		port->prio_buffer |= (lossless >> i & 1) << 4 * i;
	}
	if (lossless) {
		lay(port, 0, HALF_CELLS, true);
		lay(port, 1, HALF_CELLS, false);
	} else {
		lay(port, 0, WHOLE_CELLS, !port->pptx && !port->pprx);
	}
	shared = PORT_CELLS - INTERNAL_CELLS - port->buffer[0].size - port->buffer[1].size;
	port->pool_size[0][1] = shared / 4;
	port->pool_size[1][0] = shared - shared / 4;
}

void fw_buffer_init(struct fw_port *port)
{
	port->xoff_timer = 0xffff;
	port->xoff_refresh = 0xffff;
	port->buffer_total = PORT_CELLS;
	port->buffer[8].size = INTERNAL_CELLS;
	fw_buffer_lay(port);
}

static int reg_pbmc(struct fw_function *fn, void *in, void *out, bool write)
{
	struct fw_port *port = &fn->port;
	int i;

	if (write)
		port->buffers_of_host = true;
	MLX5_SET(pbmc_reg, out, local_port, 1);
	MLX5_SET(pbmc_reg, out, xoff_timer_value, port->xoff_timer);
	MLX5_SET(pbmc_reg, out, xoff_refresh, port->xoff_refresh);
	MLX5_SET(pbmc_reg, out, port_buffer_size, port->buffer_total);
	for (i = 0; i < ARRAY_SIZE(port->buffer); i++) {
		void *from = MLX5_ADDR_OF(pbmc_reg, in, buffer[i]);
		void *to = MLX5_ADDR_OF(pbmc_reg, out, buffer[i]);

		if (write && i < 8) {
			port->buffer[i].lossy = MLX5_GET(bufferx_reg, from, lossy);
			port->buffer[i].epsb = MLX5_GET(bufferx_reg, from, epsb);
			port->buffer[i].size = MLX5_GET(bufferx_reg, from, size);
			port->buffer[i].xoff = MLX5_GET(bufferx_reg, from, xoff_threshold);
			port->buffer[i].xon = MLX5_GET(bufferx_reg, from, xon_threshold);
		}
		MLX5_SET(bufferx_reg, to, lossy, port->buffer[i].lossy);
		MLX5_SET(bufferx_reg, to, epsb, port->buffer[i].epsb);
		MLX5_SET(bufferx_reg, to, size, port->buffer[i].size);
		MLX5_SET(bufferx_reg, to, xoff_threshold, port->buffer[i].xoff);
		MLX5_SET(bufferx_reg, to, xon_threshold, port->buffer[i].xon);
	}
	return MLX5_CMD_STAT_OK;
}

static int reg_pptb(struct fw_function *fn, void *in, void *out, bool write)
{
	if (write) {
		u8 changed = MLX5_GET(pptb_reg, in, pm);
		u32 value = MLX5_GET(pptb_reg, in, prio_x_buff);
		int i;

		for (i = 0; i < FW_PRIOS; i++) {
			u32 mask = 0xf << 4 * i;

			if (changed & BIT(i))
				fn->port.prio_buffer = (fn->port.prio_buffer & ~mask) | (value & mask);
		}
	}
	MLX5_SET(pptb_reg, out, local_port, 1);
	MLX5_SET(pptb_reg, out, prio_x_buff, fn->port.prio_buffer);
	return MLX5_CMD_STAT_OK;
}

static int reg_sbcam(struct fw_function *fn, void *in, void *out, bool write)
{
	MLX5_SET(sbcam_reg, out, cap_total_buffer_size, 20480);
	MLX5_SET(sbcam_reg, out, cap_cell_size, FW_CELL);
	MLX5_SET(sbcam_reg, out, cap_max_pg_buffers, 8);
	MLX5_SET(sbcam_reg, out, cap_num_pool_supported, 2);
	MLX5_SET(sbcam_reg, out, cap_max_tclass_data, 8);
	return MLX5_CMD_STAT_OK;
}

static int reg_sbpr(struct fw_function *fn, void *in, void *out, bool write)
{
	u8 dir = MLX5_GET(sbpr_reg, in, dir) & 1, pool = MLX5_GET(sbpr_reg, in, pool) & 1;

	if (write)
		fn->port.pool_size[dir][pool] = MLX5_GET(sbpr_reg, in, size);
	MLX5_SET(sbpr_reg, out, dir, dir);
	MLX5_SET(sbpr_reg, out, pool, pool);
	MLX5_SET(sbpr_reg, out, size, fn->port.pool_size[dir][pool]);
	return MLX5_CMD_STAT_OK;
}

static int reg_sbcm(struct fw_function *fn, void *in, void *out, bool write)
{
	u8 dir = MLX5_GET(sbcm_reg, in, dir) & 1, buffer = MLX5_GET(sbcm_reg, in, pg_buff) & 15;
	u8 *kept = fn->port.sbcm[dir][buffer];

	if (write)
		memcpy(kept, in, MLX5_ST_SZ_BYTES(sbcm_reg));
	memcpy(out, kept, MLX5_ST_SZ_BYTES(sbcm_reg));
	return MLX5_CMD_STAT_OK;
}

const struct fw_register fw_buffer_registers[] = {
	{ MLX5_REG_PBMC, reg_pbmc },
	{ MLX5_REG_PPTB, reg_pptb },
	{ MLX5_REG_SBCAM, reg_sbcam },
	{ MLX5_REG_SBPR, reg_sbpr },
	{ MLX5_REG_SBCM, reg_sbcm },
	{}
};
