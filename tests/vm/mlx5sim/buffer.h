/* SPDX-License-Identifier: GPL-2.0 */
/* The receive buffers as both drivers compute them. */
#ifndef MLX5SIM_BUFFER_H
#define MLX5SIM_BUFFER_H

#include "hw.h"

struct sim_port;

struct sim_bufs {
	u32 size[SIM_BUFFERS];		/* bytes */
	u32 xoff[SIM_BUFFERS];
	u32 xon[SIM_BUFFERS];
	bool lossy[SIM_BUFFERS];
	u32 headroom;
	u32 spare;
};

void sim_bufs_load(const struct sim_hw *hw, struct sim_bufs *b);
int sim_bufs_store(struct sim_port *p, const struct sim_bufs *b);

/* Make buffers of PFC priorities lossless, the others lossy; true if any changed. */
bool sim_bufs_follow_pfc(struct sim_bufs *b, u8 pfc, const u8 *map);

u8 sim_bufs_lossless_prios(const struct sim_hw *hw);

/* nvidia.c: sim_buffer_config() except for writing the map */
int sim_nvidia_config(struct sim_port *p, u32 change, u8 pfc, const u32 *size, const u8 *map);

#endif
