#include "headroom.h"

static uint32_t at_least(uint32_t least, uint32_t value)
{
	return value < least ? least : value;
}

/*
 * Round up to whole cells. The driver accepts a size in between when it is written and stores it
 * rounded down, and then the next change of PFC or cable length fails.
 */
static uint32_t whole_cells(uint32_t bytes, uint32_t cell)
{
	return (bytes + cell - 1) / cell * cell;
}

struct headroom headroom_of(const struct headroom_link *link)
{
	struct headroom h = {
		.speed_mbps = at_least(HEADROOM_MIN_SPEED_MBPS, link->speed_mbps),
		.bytes_per_gbps = 301 + 216 * link->cable_m / 100,
		.frames_bytes = (uint32_t)(272ull * link->mtu / 100),
		.max_mtu = at_least(HEADROOM_MIN_MAX_MTU, link->max_mtu),
		.cell_bytes = link->cell_bytes ? link->cell_bytes : HEADROOM_CELL_BYTES,
	};

	h.in_flight_bytes = (uint32_t)((uint64_t)h.bytes_per_gbps * h.speed_mbps / 1000);
	h.xoff_bytes = h.in_flight_bytes + h.frames_bytes;
	h.min_buffer_bytes = whole_cells(h.xoff_bytes + h.max_mtu + h.cell_bytes, h.cell_bytes);
	return h;
}
