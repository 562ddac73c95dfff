/*
 * The minimum size of a lossless receive buffer: everything that still arrives after the port has
 * sent a pause. Computed in whole bytes and rounded like the mlx5 driver does (en/port_buffer.c),
 * so that the driver accepts any size that passes here.
 */
#ifndef LOSSLESSCTL_POLICY_LINT_HEADROOM_H
#define LOSSLESSCTL_POLICY_LINT_HEADROOM_H

#include <stdint.h>

#define HEADROOM_FORMULA \
	"xoff = (301 + 2.16 * cable) * speed + 2.72 * MTU; " \
	"smallest buffer = xoff + largest frame + one cell, in whole cells"

#define HEADROOM_MIN_SPEED_MBPS 40000u /* the driver assumes the same while the link is down */
#define HEADROOM_MIN_MAX_MTU	9216u
#define HEADROOM_CELL_BYTES	128u /* the smallest; of adapters whose buffers do not tell */
#define HEADROOM_CELL_MAX_BYTES 1024u

/* The inputs of the formula. 0 is unknown; the smallest possible value is assumed. */
struct headroom_link {
	uint32_t speed_mbps;
	uint32_t mtu;
	uint32_t cable_m;
	uint32_t max_mtu; /* the largest MTU that the port supports */
	uint32_t cell_bytes;
};

/* The terms of the formula and their sum. */
struct headroom {
	uint32_t speed_mbps;	  /* the speed used, at least 40 Gb/s */
	uint32_t bytes_per_gbps;  /* 301 + 2.16 * cable */
	uint32_t in_flight_bytes; /* bytes_per_gbps times the speed in Gb/s */
	uint32_t frames_bytes;	  /* 2.72 * MTU: frames already started at both ends */
	uint32_t xoff_bytes;	  /* in_flight_bytes + frames_bytes: arrives after the pause */
	uint32_t max_mtu;	  /* the largest MTU used, at least 9216 */
	uint32_t cell_bytes;
	uint32_t min_buffer_bytes; /* the driver refuses a smaller lossless buffer (ENOMEM) */
};

/* The headroom that the driver computes for this link. */
struct headroom headroom_of(const struct headroom_link *link);

#endif
