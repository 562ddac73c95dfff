/*
 * What a lossless receive buffer must hold at least: all that still arrives
 * after its pause was sent. In whole bytes and rounded as the mlx5 driver
 * rounds (en/port_buffer.c), so that what is enough here is enough there.
 */
#ifndef LOSSLESSCTL_POLICY_LINT_HEADROOM_H
#define LOSSLESSCTL_POLICY_LINT_HEADROOM_H

#include <stdint.h>

#define HEADROOM_FORMULA \
	"xoff = (301 + 2.16 * cable) * speed + 2.72 * MTU; " \
	"smallest buffer = xoff + largest frame + one cell, in whole cells"

#define HEADROOM_MIN_SPEED_MBPS 40000u /* also what the driver takes while the link is down */
#define HEADROOM_MIN_MAX_MTU	9216u
#define HEADROOM_CELL_BYTES	128u /* of adapters that do not report theirs */

/* What headroom depends on. A 0 is unknown, and counts as the least there can be. */
struct headroom_link {
	uint32_t speed_mbps;
	uint32_t mtu;
	uint32_t cable_m;
	uint32_t max_mtu; /* the largest that the port would take */
	uint32_t cell_bytes;
};

/* The terms, and what they add up to. */
struct headroom {
	uint32_t speed_mbps;	  /* as it counts, at least 40 Gb/s */
	uint32_t bytes_per_gbps;  /* 301 + 2.16 * cable */
	uint32_t in_flight_bytes; /* that, times the speed in Gb/s */
	uint32_t frames_bytes;	  /* 2.72 * MTU: the frames that had begun at both ends */
	uint32_t xoff_bytes;	  /* both together: what arrives after a pause was sent */
	uint32_t max_mtu;	  /* as it counts, at least 9216 */
	uint32_t cell_bytes;
	uint32_t min_buffer_bytes; /* the driver refuses a smaller lossless buffer (ENOMEM) */
};

/* What the driver would compute for this link. */
struct headroom headroom_of(const struct headroom_link *link);

#endif
