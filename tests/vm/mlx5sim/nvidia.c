// SPDX-License-Identifier: GPL-2.0
/*
 * NVIDIA's own driver (DOCA, MLNX_OFED) where its dcbnl differs: the adapter keeps the cable
 * length. The driver overwrites the size of every lossless buffer with a computed one, rounds
 * up, leaves lossy buffers unchanged, and fails without link
 * (github.com/Mellanox/nic-kernel, en/port_buffer.c, en_dcbnl.c).
 */
#include "buffer.h"
#include "mlx5sim.h"

enum {
	MOST_CABLE = 1000,		/* MLX5_MAX_CABLE_LENGTH is in no public file: invented */
	HARD_MTU = 22,			/* bytes of a frame besides the MTU */
	QUANTUM = 64,
	CABLE_FACTOR = 1262,		/* bits on a metre of fibre and back, in thousandths */
};

struct sizes {
	u32 xoff;
	u32 xon;
	u32 lossless;
	u32 mtu;
};

static u32 quanta(u32 mbps)
{
	static const struct { u32 mbps, quanta; } table[] = {
		{ 25000, 80 }, { 40000, 118 }, { 100000, 394 }, { 200000, 453 }, { 400000, 905 },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(table) - 1; i++)
		if (mbps <= table[i].mbps)
			break;
	return table[i].quanta;
}

/* A port without link has no known speed, and a toggle takes the link down. */
static int compute(const struct sim_port *p, struct sizes *s)
{
	u32 mbps = p->hw->speed;
	u32 cell_percent = SIM_CELL * 100 / (20 + 64);
	u32 rest;

	if (!netif_carrier_ok(p->dev))
		return -EINVAL;
	s->mtu = p->dev->mtu + HARD_MTU;
	rest = p->hw->cable_m * (mbps / 1000) * CABLE_FACTOR / 1000 +
	       2 * quanta(mbps) * QUANTUM + s->mtu;
	rest = rest * cell_percent / 100 + s->mtu;
	s->xon = rest - s->mtu + mbps / 8;
	s->xoff = s->xon + 2 * s->mtu;
	s->lossless = rest + s->xoff;
	return 0;
}

/* The driver subtracts bytes from cells. */
static u32 most_cells(const struct sim_port *p, const struct sim_bufs *b)
{
	u32 most = p->hw->port_cells;
	int i, lossless = 0;

	for (i = 0; i < SIM_BUFFERS; i++)
		if (b->lossy[i])
			most -= b->size[i];
		else
			lossless++;
	return lossless ? most / lossless : 0;
}

static int size_one(const struct sim_port *p, struct sim_bufs *b, int i, u32 size,
		    const struct sizes *s)
{
	u32 most = most_cells(p, b);

	b->xoff[i] = b->xon[i] = 0;
	if (b->lossy[i])
		return 0;
	if (b->size[i] < s->xoff + s->mtu + SIM_CELL)
		return -ENOMEM;
	b->size[i] = size;
	b->xoff[i] = s->xoff;
	b->xon[i] = s->xon;
	if (size > most * SIM_CELL) {
		b->size[i] = most;
		b->xoff[i] = most / 2;
		b->xon[i] = b->xoff[i] > s->mtu / 2 ? b->xoff[i] - s->mtu * 2 : 0;
	}
	return 0;
}

static int size_all(const struct sim_port *p, struct sim_bufs *b, const u32 *size,
		    const struct sizes *s)
{
	int err = 0, i;

	for (i = 0; i < SIM_BUFFERS && !err; i++)
		err = size_one(p, b, i, size ? size[i] : s->lossless, s);
	return err;
}

static int follow_pfc(const struct sim_port *p, struct sim_bufs *b, u8 pfc, const u8 *map,
		      const struct sizes *s, bool *update)
{
	if (!sim_bufs_follow_pfc(b, pfc, map))
		return 0;
	*update = true;
	return size_all(p, b, NULL, s);
}

static int write_sizes(const struct sim_port *p, struct sim_bufs *b, const u32 *size,
		       const struct sizes *s)
{
	u32 total = 0;
	int i;

	for (i = 0; i < SIM_BUFFERS; i++) {
		if (!b->lossy[i] && !size[i])
			return -EINVAL;
		if (!b->lossy[i] && size[i] < s->xoff + s->mtu + SIM_CELL)
			return -ENOMEM;
		total += size[i];
	}
	if (total > b->headroom && total - b->headroom > b->spare)
		return -EINVAL;
	return size_all(p, b, size, s);
}

int sim_nvidia_config(struct sim_port *p, u32 change, u8 pfc, const u32 *size, const u8 *map)
{
	bool update = change & (SIM_BUF_CABLE | SIM_BUF_SIZE);
	struct sim_bufs b;
	struct sizes s;
	int err = compute(p, &s);

	if (err)
		return err;
	sim_bufs_load(p->hw, &b);
	if (change & SIM_BUF_CABLE)
		err = size_all(p, &b, NULL, &s);
	if (!err && (change & SIM_BUF_PFC))
		err = follow_pfc(p, &b, pfc, p->hw->prio2buf, &s, &update);
	if (!err && (change & SIM_BUF_MAP))
		err = follow_pfc(p, &b, sim_bufs_lossless_prios(p->hw), map, &s, &update);
	if (!err && (change & SIM_BUF_SIZE))
		err = write_sizes(p, &b, size, &s);
	if (!err && !update && s.xoff != p->xoff) {
		update = true;
		err = size_all(p, &b, NULL, &s);
	}
	if (!err && update)
		err = sim_bufs_store(p, &b);
	if (!err)
		p->xoff = s.xoff;
	return err;
}

/* PFC is already written. An error of the buffers undoes a new cable length and is then lost. */
int sim_nvidia_set_cable(struct sim_port *p, u16 metres, u32 changed)
{
	bool owned = sim_has(p, SIM_CAP_OWNERSHIP) && p->hw->sw_owned;
	u16 old = p->hw->cable_m;
	int err;

	if (metres > MOST_CABLE)
		return -EINVAL;
	if (metres != old && owned)
		changed |= SIM_BUF_CABLE;
	p->hw->cable_m = metres;
	if (!sim_has(p, SIM_CAP_BUFFER))
		return 0;
	err = sim_verdict(sim_enter(p, SIM_OP_SETPFC_BUFFER));
	if (!err && changed && owned)
		err = sim_buffer_config(p, changed, p->hw->pfc, NULL, NULL);
	if (!err || !(changed & SIM_BUF_CABLE))
		return err;
	p->hw->cable_m = old;
	return 0;
}
