// SPDX-License-Identifier: GPL-2.0
/*
 * A model of the adapter's firmware: power-on registers, the PFCC register and
 * the buffer layout it keeps while it owns the buffers. Real firmware decides on
 * its own: conclude nothing from the sizes chosen here.
 */
#include "mlx5sim.h"

enum {
	PORT_CELLS = 8192,		/* 1 MiB */
	INTERNAL_CELLS = 256,
	WHOLE_CELLS = 2047,		/* buffer 0 when it is alone */
	HALF_CELLS = 1023,
};

void fw_power_on(struct sim_hw *hw)
{
	int i;

	hw->pfc = 0;
	hw->rx_pause = true;
	hw->tx_pause = true;
	hw->stall_critical = SIM_STALL_MS;
	hw->stall_minor = SIM_STALL_MS * 85 / 100;
	hw->trust = SIM_TRUST_PCP;
	for (i = 0; i < SIM_DSCPS; i++)
		hw->dscp2prio[i] = i >> 3;
	for (i = 0; i < SIM_TCS; i++) {
		hw->prio_tc[i] = i;
		hw->group[i] = SIM_GROUP_VENDOR;
		hw->bw[i] = 100;
		hw->rate[i] = 0;
		hw->rate_unit[i] = SIM_RATE_NONE;
	}
	memset(hw->buf, 0, sizeof(hw->buf));
	hw->buffers_laid = false;
	memset(hw->prio2buf, 0, sizeof(hw->prio2buf));
	hw->port_cells = PORT_CELLS;
	hw->internal_cells = INTERNAL_CELLS;
	hw->cable_m = 0;
	hw->sw_owned = sim_sw_buffer_ownership;
	hw->dcbx_host = true;
	hw->willing = true;
	sim_cc_defaults(hw->cc);
	hw->ecn_rp = 0xff;
	hw->ecn_np = 1;
	for (i = 0; i < SIM_CTR_COUNT; i++)
		atomic64_set(&hw->counter[i], 0);
	for (i = 0; i < SIM_RDMA_COUNT; i++)
		atomic64_set(&hw->rdma[i], 0);
	for (i = 0; i < SIM_FEC_COUNT; i++)
		atomic64_set(&hw->fec_blocks[i], 0);
}

static void lay(struct sim_bufreg *buf, u32 cells, bool lossy, u32 xoff_cells, u32 mtu_cells)
{
	buf->size = cells;
	buf->lossy = lossy;
	buf->xoff = lossy ? 0 : cells - xoff_cells;
	buf->xon = lossy ? 0 : buf->xoff - mtu_cells;
}

/* PFC priorities move to buffer 1; with global pause buffer 0 is lossless. */
void fw_resize_buffers(struct sim_port *p)
{
	struct sim_hw *hw = p->hw;
	u32 speed = max_t(u32, hw->speed, SPEED_40000);
	u32 xoff = DIV_ROUND_UP((301 + 216 * SIM_CABLE_M / 100) * speed / 1000 +
				272 * p->dev->mtu / 100, SIM_CELL);
	u32 mtu = DIV_ROUND_UP(sim_buffer_max_mtu(p), SIM_CELL);
	u32 used, shared;
	int i;

	if ((hw->sw_owned && hw->buffers_laid) || !sim_has(p, SIM_CAP_BUFFER))
		return;

	hw->buffers_laid = true;
	for (i = 0; i < SIM_BUFFERS; i++) {
		lay(&hw->buf[i], 0, true, 0, 0);
		hw->prio2buf[i] = (hw->pfc >> i) & 1;
	}
	if (hw->pfc) {
		lay(&hw->buf[0], HALF_CELLS, true, 0, 0);
		lay(&hw->buf[1], max_t(u32, HALF_CELLS, xoff + mtu + 1), false, xoff, mtu);
	} else {
		lay(&hw->buf[0], WHOLE_CELLS, !(hw->rx_pause || hw->tx_pause), xoff, mtu);
	}
	used = hw->buf[0].size + hw->buf[1].size;
	shared = hw->port_cells - hw->internal_cells - used;
	hw->ipool_cells = shared / 4;
	hw->epool_cells = shared - hw->ipool_cells;
}

/* The driver's PFC write carries pptx = pprx = 0 unmasked: global pause goes off with it. */
int fw_set_pfc(struct sim_port *p, u8 mask)
{
	if (!sim_has(p, SIM_CAP_PFC))
		return -EINVAL;
	p->hw->pfc = mask;
	p->hw->rx_pause = p->hw->rx_pause && p->hw->keep_pause;
	p->hw->tx_pause = p->hw->tx_pause && p->hw->keep_pause;
	fw_resize_buffers(p);
	return 0;
}

/* The pause write masks the PFC bits out: the firmware decides whether PFC stays on. */
int fw_set_pause(struct sim_port *p, bool rx, bool tx)
{
	struct sim_hw *hw = p->hw;

	if ((rx || tx) && hw->pfc) {
		if (hw->pause_policy == SIM_PAUSE_REFUSE)
			return -EINVAL;
		if (hw->pause_policy == SIM_PAUSE_CLEAR_PFC)
			hw->pfc = 0;
	}
	hw->rx_pause = rx;
	hw->tx_pause = tx;
	fw_resize_buffers(p);
	return 0;
}
