#include <errno.h>
#include <string.h>

#include "../agent/host/host_facts.h"
#include "../policy/lint/headroom.h"
#include "../policy/model/setting.h"
#include "capabilities.h"
#include "dcbnl.h"
#include "driver.h"
#include "registry.h"

static bool buffer_read(struct host *h, const struct port *port, struct config *out,
			struct err *err)
{
	struct dcbnl_buffer k;

	if (!dcb_get(h, port->id.name, DCB_ATTR_DCB_BUFFER, &k, sizeof(k), err))
		return false;

	memcpy(out->buffer.size_bytes, k.buffer_size, sizeof(out->buffer.size_bytes));
	memcpy(out->buffer.prio_buffer, k.prio2buffer, sizeof(out->buffer.prio_buffer));
	out->has |= feature_buffer.owns;
	return true;
}

bool err_fix_headroom(struct err *err)
{
	err->fix[0] = '\0';
	return err_fix(err, "a lossless buffer is smaller than its headroom at this speed, MTU and "
			    "cable; run `losslessctl headroom --speed 400G --mtu 9000 --cable 30` "
			    "with those of this port; --cell takes cell_bytes of show --json");
}

/* Replaces the driver's EINVAL and ENOMEM, which mean invalid sizes, by an explanation. */
static bool set_buffer(struct host *h, const struct port *port, const struct dcbnl_buffer *k,
		       struct err *err)
{
	if (dcb_set(h, port->id.name, DCB_ATTR_DCB_BUFFER, k, sizeof(*k), err))
		return true;
	if (err->code == ENOMEM)
		return err_fix_headroom(err);
	if (err->code != EINVAL)
		return false;
	err->fix[0] = '\0';
	return err_fix(err, "a lossless buffer has size 0, or the sizes exceed the port's total");
}

/* With global pause, mlx5 treats every buffer that a priority maps to as lossless. */
static bool buffer_is_lossless(const struct config *c, int buffer)
{
	unsigned priorities = c->pause.rx || c->pause.tx ? 0xff : c->pfc.priorities;

	for (int p = 0; p < PRIOS; p++)
		if ((priorities & (1u << p)) && c->buffer.prio_buffer[p] == buffer)
			return true;
	return false;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static bool buffer_is_mapped(const struct config *c, int buffer)
{
	return memchr(c->buffer.prio_buffer, buffer, sizeof(c->buffer.prio_buffer));
}

/* The largest of the buffers that a priority maps to. */
static uint32_t largest(const struct config *c)
{
	uint32_t size = 0;

	for (int b = 0; b < PRIOS; b++)
		if (buffer_is_mapped(c, b))
			size = larger(size, c->buffer.size_bytes[b]);
	return size;
}

/*
 * Sizes that suit both maps: no buffer is smaller than before or after the change. Each priority
 * has as much room in its old buffer as in its new one, because the new MTU is in force already.
 */
static void grow(struct dcbnl_buffer *k, const struct config *from, const struct config *to)
{
	for (int b = 0; b < PRIOS; b++) {
		uint32_t room = buffer_is_mapped(from, b) ? largest(to) : 0;

		k->buffer_size[b] = larger(from->buffer.size_bytes[b], to->buffer.size_bytes[b]);
		k->buffer_size[b] = larger(k->buffer_size[b], room);
	}
}

/*
 * The minimum size of a lossless buffer during the change: the new MTU is in force already, and the
 * shorter of the two cable lengths.
 */
static uint32_t least_lossless(struct host *h, const struct port *port, const struct config *from,
			       const struct config *to)
{
	uint32_t shorter =
		from->pfc.cable_m < to->pfc.cable_m ? from->pfc.cable_m : to->pfc.cable_m;
	struct capabilities capabilities = { .max_mtu = 0 };
	struct headroom_link link = { .speed_mbps = port->speed_mbps,
				      .mtu = to->mtu,
				      .cable_m = shorter };

	capabilities_read(h, port, &capabilities);
	link.max_mtu = capabilities.max_mtu;
	return headroom_of(&link).min_buffer_bytes + HEADROOM_CELL_MAX_BYTES;
}

/* If the total is exceeded, only lossless buffers keep at least their old size. */
static void grow_lossless(struct dcbnl_buffer *k, const struct config *from,
			  const struct config *to, uint32_t least)
{
	for (int b = 0; b < PRIOS; b++) {
		uint32_t before =
			buffer_is_lossless(from, b) ? larger(from->buffer.size_bytes[b], least) : 0;

		k->buffer_size[b] = larger(before, to->buffer.size_bytes[b]);
	}
}

/* If the total is still exceeded, lossless buffers get just the minimum. */
static void grow_least(struct dcbnl_buffer *k, const struct config *from, const struct config *to,
		       uint32_t least)
{
	for (int b = 0; b < PRIOS; b++)
		k->buffer_size[b] = buffer_is_lossless(from, b) || buffer_is_lossless(to, b)
					    ? least
					    : to->buffer.size_bytes[b];
}

static bool exceeds(const struct dcbnl_buffer *k)
{
	uint64_t sum = 0;

	for (int b = 0; b < PRIOS; b++)
		sum += k->buffer_size[b];
	return k->total_size && sum > k->total_size;
}

static bool maps_alike(const uint8_t *a, const uint8_t *b)
{
	return memcmp(a, b, PRIOS) == 0;
}

/*
 * Moves a priority that may lose frames to another buffer, to one in use if there is one. Where all
 * are lossless, the other buffer gets the size of theirs.
 */
static void park_lossy_priority(struct dcbnl_buffer *k, uint8_t lossless)
{
	uint8_t *map = k->prio2buffer, other, from;
	unsigned p = 0;

	while (p < PRIOS - 1 && (lossless & (1u << p)))
		p++;
	from = map[p];
	other = (uint8_t)((from + 1) % PRIOS);
	for (unsigned i = 0; i < PRIOS; i++)
		if (map[i] != from)
			other = map[i];
	map[p] = other;
	if ((lossless & (1u << p)) && k->buffer_size[other] < k->buffer_size[from])
		k->buffer_size[other] = k->buffer_size[from];
}

/*
 * Writes the map first, if no priority is lossless. mlx5 still treats buffers as lossless that were
 * so under global pause, and enforces minimum sizes for them, until the map changes.
 */
static bool write_lossy(struct host *h, const struct port *port, struct dcbnl_buffer *k,
			const struct config *to, struct err *err)
{
	if (maps_alike(k->prio2buffer, to->buffer.prio_buffer)) {
		park_lossy_priority(k, 0);
		if (!set_buffer(h, port, k, err))
			return false;
	}
	memcpy(k->prio2buffer, to->buffer.prio_buffer, sizeof(k->prio2buffer));
	if (!set_buffer(h, port, k, err))
		return false;
	memcpy(k->buffer_size, to->buffer.size_bytes, sizeof(k->buffer_size));
	return set_buffer(h, port, k, err);
}

/*
 * Writes in three steps: the larger of both sizes, the map, the final sizes. mlx5 checks a new map
 * against the current sizes, even if the same message has new sizes.
 */
static bool write_lossless(struct host *h, const struct port *port, struct dcbnl_buffer *k,
			   const struct config *from, const struct config *to, struct err *err)
{
	bool same_map = maps_alike(k->prio2buffer, to->buffer.prio_buffer);
	uint32_t least = least_lossless(h, port, from, to);

	grow(k, from, to);
	if (exceeds(k))
		grow_lossless(k, from, to, least);
	if (exceeds(k))
		grow_lossless(k, from, to, 0);
	if (exceeds(k))
		grow_least(k, from, to, least);
	if (same_map)
		memcpy(k->buffer_size, to->buffer.size_bytes, sizeof(k->buffer_size));
	if (!set_buffer(h, port, k, err))
		return false;
	if (same_map)
		return true;
	memcpy(k->prio2buffer, to->buffer.prio_buffer, sizeof(k->prio2buffer));
	if (!set_buffer(h, port, k, err))
		return false;
	memcpy(k->buffer_size, to->buffer.size_bytes, sizeof(k->buffer_size));
	return set_buffer(h, port, k, err);
}

static bool is_any_lossless(const struct config *c)
{
	return c->pfc.priorities || c->pause.rx || c->pause.tx;
}

/* The first change makes the port's buffers manual: no write gives them back. */
static bool buffer_write(struct host *h, const struct port *port, const struct config *from,
			 const struct config *to, struct err *err)
{
	struct config now = *from; /* but for buffers that the adapter has sized since */
	struct dcbnl_buffer k;

	if (!dcb_get(h, port->id.name, DCB_ATTR_DCB_BUFFER, &k, sizeof(k), err))
		return false;
	memcpy(now.buffer.size_bytes, k.buffer_size, sizeof(now.buffer.size_bytes));
	memcpy(now.buffer.prio_buffer, k.prio2buffer, sizeof(now.buffer.prio_buffer));
	return is_any_lossless(from) ? write_lossless(h, port, &k, &now, to, err)
				     : write_lossy(h, port, &k, to, err);
}

/* Sizes come before the map, which mlx5 checks against those in force. */
static bool set_parked(struct host *h, const struct port *port, const struct dcbnl_buffer *now,
		       const struct dcbnl_buffer *parked, struct err *err)
{
	struct dcbnl_buffer sizes = *parked;

	memcpy(sizes.prio2buffer, now->prio2buffer, sizeof(sizes.prio2buffer));
	if (memcmp(sizes.buffer_size, now->buffer_size, sizeof(sizes.buffer_size)) != 0 &&
	    !set_buffer(h, port, &sizes, err))
		return false;
	return set_buffer(h, port, parked, err);
}

/*
 * Newer mlx5 drivers ask the firmware who owns the buffers, and leave them alone if it does not
 * say (mlx5_query_port_buffer_ownership()): a buffer that was written while PFC was off stays lossy
 * under PFC, and nothing shows it. A change of the map makes the driver look at PFC again.
 */
static bool buffer_reapply(struct host *h, const struct port *port, const struct config *to,
			   struct err *err)
{
	struct dcbnl_buffer k, parked;

	if (!to->pfc.priorities || !is_mlx5(port) || host_has_nvidia_driver(h))
		return true;
	if (!dcb_get(h, port->id.name, DCB_ATTR_DCB_BUFFER, &k, sizeof(k), err))
		return false;
	parked = k;
	park_lossy_priority(&parked, to->pfc.priorities);
	if (!set_parked(h, port, &k, &parked, err))
		return false;
	memcpy(k.prio2buffer, to->buffer.prio_buffer, sizeof(k.prio2buffer));
	return set_buffer(h, port, &k, err);
}

static bool buffer_accepts(const struct port *port, const struct capabilities *capabilities,
			   const struct config *from, const struct config *to, struct err *err)
{
	uint64_t sum = 0;

	(void)port;
	(void)from;
	for (int b = 0; b < PRIOS; b++)
		sum += to->buffer.size_bytes[b];
	if (!capabilities->buffer_bytes || sum <= capabilities->buffer_bytes)
		return true;
	err_record(err, ERR_REFUSED, EINVAL,
		   "the receive buffers need %llu bytes together, and the port has %u (dcbnl "
		   "total_size)",
		   (unsigned long long)sum, capabilities->buffer_bytes);
	return err_fix(err, "lower buffer.size_bytes by %llu bytes in total",
		       (unsigned long long)(sum - capabilities->buffer_bytes));
}

/* Both are at risk whichever one changes: sizes grow and the map moves during the write. */
static setting_set buffer_risks(const struct config *from, const struct config *to)
{
	(void)from;
	(void)to;
	return feature_buffer.owns;
}

/* The driver moves all buffers to pools that it sizes (port_update_pool_cfg()). */
static const char *buffer_irreversible(const struct port *port, const struct config *from,
				       const struct config *to)
{
	(void)port;
	(void)from;
	(void)to;
	return "until a cold start of the adapter, written buffers stay manual and do not follow "
	       "PFC, and all buffers use the driver's shared pools: on a multi-host adapter the "
	       "host or the BMC may lose traffic";
}

#define FOLLOWED \
	(SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_PFC_CABLE_M) | SETTING(SETTING_MTU))

/*
 * MLNX_OFED's driver (github.com/Mellanox/nic-kernel, en/port_buffer.c) writes its own size over
 * that of each lossless buffer when PFC, the map or the cable changes, and leaves the size of the
 * others as it is: a write could not be rolled back. So it is only verified.
 */
const struct feature feature_buffer_nvidia = {
	.name = "buffer",
	.owns = SETTING(SETTING_BUFFER_SIZE_BYTES) | SETTING(SETTING_BUFFER_PRIO_BUFFER),
	.source = "dcbnl buffer of MLNX_OFED's driver",
	.follows = FOLLOWED,
	.in_charge = host_has_nvidia_driver,
	.readonly_hint = "MLNX_OFED's driver sizes the buffers from speed, MTU and cable; set "
			 "pfc.cable_m, and remove buffer.* from the policy",
	.read = buffer_read,
};

const struct feature feature_buffer = {
	.name = "buffer",
	.owns = SETTING(SETTING_BUFFER_SIZE_BYTES) | SETTING(SETTING_BUFFER_PRIO_BUFFER),
	.source = "dcbnl buffer",
	.read = buffer_read,
	.write = buffer_write,
	.accepts = buffer_accepts,
	.risks = buffer_risks,
	.irreversible = buffer_irreversible,
	.reapply = buffer_reapply,
	.follows = FOLLOWED,
	.rests_on = FOLLOWED,
	.reapply_if_desired = true,
};
