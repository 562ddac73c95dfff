// SPDX-License-Identifier: GPL-2.0
/* Receive buffers as the driver sizes them, with its order of checks. */
#include "buffer.h"
#include "mlx5sim.h"

/* The register counts cells in 16 bits. NVIDIA's own driver rounds up. */
static u16 cells(const struct sim_hw *hw, u32 bytes)
{
	return (hw->nvidia ? bytes + SIM_CELL - 1 : bytes) / SIM_CELL;
}

void sim_bufs_load(const struct sim_hw *hw, struct sim_bufs *b)
{
	int i;

	b->headroom = 0;
	for (i = 0; i < SIM_BUFFERS; i++) {
		b->size[i] = hw->buf[i].size * SIM_CELL;
		b->xoff[i] = hw->buf[i].xoff * SIM_CELL;
		b->xon[i] = hw->buf[i].xon * SIM_CELL;
		b->lossy[i] = hw->buf[i].lossy;
		b->headroom += b->size[i];
	}
	b->spare = (hw->port_cells - hw->internal_cells) * SIM_CELL - b->headroom;
}

/* Split the cells besides headroom 3:1 between the lossy and the lossless pool. */
static int share(struct sim_hw *hw, u32 old_cells, u32 new_cells)
{
	u32 shared = old_cells + hw->epool_cells + hw->ipool_cells - new_cells;

	if (shared < 4)
		return -EINVAL;
	hw->ipool_cells = shared / 4;
	hw->epool_cells = shared - hw->ipool_cells;
	return 0;
}

int sim_bufs_store(struct sim_port *p, const struct sim_bufs *b)
{
	struct sim_hw *hw = p->hw;
	u32 old_cells = 0, new_cells = 0;
	int err, i;

	for (i = 0; i < SIM_BUFFERS; i++) {
		old_cells += hw->buf[i].size;
		new_cells += cells(hw, b->size[i]);
	}
	if (sim_has(p, SIM_CAP_SBCAM)) {
		err = share(hw, old_cells, new_cells);
		if (err)
			return err;
	}
	for (i = 0; i < SIM_BUFFERS; i++) {
		hw->buf[i].size = cells(hw, b->size[i]);
		hw->buf[i].xoff = cells(hw, b->xoff[i]);
		hw->buf[i].xon = cells(hw, b->xon[i]);
		hw->buf[i].lossy = b->lossy[i];
	}
	hw->sw_owned = true;
	return 0;
}

/* mlx5 assumes at least 40G, and 40G for a port without link. */
u32 sim_buffer_xoff(const struct sim_port *p)
{
	u32 speed = netif_carrier_ok(p->dev) ? p->hw->speed : SPEED_40000;

	speed = max_t(u32, speed, SPEED_40000);
	return (301 + 216 * p->cable_len / 100) * speed / 1000 + 272 * p->dev->mtu / 100;
}

unsigned int sim_buffer_max_mtu(const struct sim_port *p)
{
	return max_t(unsigned int, p->dev->max_mtu, 9216);
}

static int update_xoff(const struct sim_port *p, struct sim_bufs *b, u32 xoff)
{
	unsigned int max_mtu = sim_buffer_max_mtu(p);
	int i;

	for (i = 0; i < SIM_BUFFERS; i++) {
		if (b->lossy[i]) {
			b->xoff[i] = 0;
			b->xon[i] = 0;
			continue;
		}
		if (b->size[i] < xoff + max_mtu + SIM_CELL)
			return -ENOMEM;
		b->xoff[i] = b->size[i] - xoff;
		b->xon[i] = b->xoff[i] - max_mtu;
	}
	return 0;
}

static bool is_lossy(const u8 *map, u8 pfc, int buf)
{
	int prio;

	for (prio = 0; prio < SIM_PRIOS; prio++)
		if (map[prio] == buf && (pfc & BIT(prio)))
			return false;
	return true;
}

bool sim_bufs_follow_pfc(struct sim_bufs *b, u8 pfc, const u8 *map)
{
	bool changed = false;
	int i;

	for (i = 0; i < SIM_BUFFERS; i++) {
		bool lossy = is_lossy(map, pfc, i);

		changed |= lossy != b->lossy[i];
		b->lossy[i] = lossy;
	}
	return changed;
}

/* Check sizes only if some buffer changed between lossy and lossless. */
static int update_lossy(const struct sim_port *p, struct sim_bufs *b, u8 pfc, const u8 *map, u32 xoff,
			bool *update)
{
	int err;

	if (!sim_bufs_follow_pfc(b, pfc, map))
		return 0;
	err = update_xoff(p, b, xoff);
	if (err)
		return err;
	*update = true;
	return 0;
}

static int update_sizes(const struct sim_port *p, struct sim_bufs *b, const u32 *size, u32 xoff)
{
	u32 total = 0;
	int i;

	for (i = 0; i < SIM_BUFFERS; i++) {
		if (!b->lossy[i] && !size[i])
			return -EINVAL;
		b->size[i] = size[i];
		total += size[i];
	}
	if (total > b->headroom && total - b->headroom > b->spare)
		return -EINVAL;
	return update_xoff(p, b, xoff);
}

/* With global pause on, every mapped buffer counts as lossless. */
u8 sim_bufs_lossless_prios(const struct sim_hw *hw)
{
	return hw->rx_pause || hw->tx_pause ? 0xff : hw->pfc;
}

/* The map comes last: a failure leaves the sizes written. */
static int write_map(struct sim_port *p, const u8 *map)
{
	int err = sim_verdict(sim_enter(p, SIM_OP_SETBUFFER_MAP));

	if (err)
		return err;
	memcpy(p->hw->prio2buf, map, SIM_PRIOS);
	p->hw->sw_owned = true;
	return 0;
}

static int config_inbox(struct sim_port *p, u32 change, u8 pfc, const u32 *size, const u8 *map)
{
	u32 xoff = sim_buffer_xoff(p);
	bool update = false;
	struct sim_bufs b;
	int err = 0;

	sim_bufs_load(p->hw, &b);
	if (change & SIM_BUF_CABLE) {
		update = true;
		err = update_xoff(p, &b, xoff);
	}
	if (!err && (change & SIM_BUF_PFC))
		err = update_lossy(p, &b, pfc, p->hw->prio2buf, xoff, &update);
	if (!err && (change & SIM_BUF_MAP))
		err = update_lossy(p, &b, sim_bufs_lossless_prios(p->hw), map, xoff, &update);
	if (!err && (change & SIM_BUF_SIZE)) {
		update = true;
		err = update_sizes(p, &b, size, xoff);
	}
	if (!err && !update && xoff != p->xoff) {
		update = true;
		err = update_xoff(p, &b, xoff);
	}
	if (!err && update)
		err = sim_bufs_store(p, &b);
	if (!err)
		p->xoff = xoff;
	return err;
}

int sim_buffer_config(struct sim_port *p, u32 change, u8 pfc, const u32 *size, const u8 *map)
{
	int err = p->hw->nvidia ? sim_nvidia_config(p, change, pfc, size, map)
				: config_inbox(p, change, pfc, size, map);

	return err ?: change & SIM_BUF_MAP ? write_map(p, map) : 0;
}

int sim_buffer_get(struct sim_port *p, struct dcbnl_buffer *out)
{
	const struct sim_hw *hw = p->hw;
	int i;

	if (!sim_has(p, SIM_CAP_BUFFER))
		return -EOPNOTSUPP;

	for (i = 0; i < SIM_BUFFERS; i++) {
		out->prio2buffer[i] = hw->prio2buf[i];
		out->buffer_size[i] = hw->buf[i].size * SIM_CELL;
	}
	out->total_size = (hw->port_cells - (sim_legacy ? 0 : hw->internal_cells)) * SIM_CELL;
	return 0;
}

int sim_buffer_set(struct sim_port *p, const struct dcbnl_buffer *in)
{
	const struct sim_hw *hw = p->hw;
	u32 change = 0;
	int i;

	if (!sim_has(p, SIM_CAP_BUFFER))
		return -EOPNOTSUPP;

	for (i = 0; i < SIM_BUFFERS; i++) {
		if (in->prio2buffer[i] != hw->prio2buf[i])
			change |= SIM_BUF_MAP;
		if (in->buffer_size[i] != hw->buf[i].size * SIM_CELL)
			change |= SIM_BUF_SIZE;
	}
	if (!change)
		return 0;

	/* Even a refused set makes the driver believe it owns the buffers. */
	p->manual_buffer = true;
	return sim_buffer_config(p, change, 0, in->buffer_size, in->prio2buffer);
}
