#include <errno.h>
#include <string.h>

#include "../policy/knob.h"
#include "features.h"
#include "wire.h"

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

bool hint_at_headroom(struct err *err)
{
	err->hint[0] = '\0';
	return err_hint(err,
			"a lossless buffer is smaller than its headroom at this speed, MTU and "
			"cable: `losslessctl headroom` tells how large it must be");
}

/* The driver says EINVAL and ENOMEM where it means sizes: what they mean is told here. */
static bool set(struct host *h, const struct port *port, const struct dcbnl_buffer *k,
		struct err *err)
{
	if (dcb_set(h, port->id.name, DCB_ATTR_DCB_BUFFER, k, sizeof(*k), err))
		return true;
	if (err->code == ENOMEM)
		return hint_at_headroom(err);
	if (err->code != EINVAL)
		return false;
	err->hint[0] = '\0';
	return err_hint(err, "a lossless buffer has size 0, or the sizes exceed the port's total");
}

static bool is_lossless(const struct config *c, int buffer)
{
	for (int p = 0; p < PRIOS; p++)
		if ((c->pfc.priorities & (1u << p)) && c->buffer.prio_buffer[p] == buffer)
			return true;
	return false;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static bool is_mapped(const struct config *c, int buffer)
{
	return memchr(c->buffer.prio_buffer, buffer, sizeof(c->buffer.prio_buffer));
}

/* With global pause every buffer that a priority has is lossless. */
static bool takes_headroom(const struct config *c, int buffer)
{
	return is_lossless(c, buffer) || ((c->pause.rx || c->pause.tx) && is_mapped(c, buffer));
}

/* The largest size of those buffers that `which` is true of. */
static uint32_t largest(const struct config *c, bool (*which)(const struct config *c, int buffer))
{
	uint32_t size = 0;

	for (int b = 0; b < PRIOS; b++)
		if (which(c, b))
			size = larger(size, c->buffer.size_bytes[b]);
	return size;
}

/*
 * No buffer smaller than before and after, so that either map finds its room;
 * and every priority has as much where it is as where it goes to, since the
 * MTU and the cable are the new ones already. Of all priorities, since after
 * global pause the driver takes their buffers for lossless until the map
 * changes, and PFC comes later.
 */
static void grow(struct dcbnl_buffer *k, const struct config *from, const struct config *to)
{
	for (int b = 0; b < PRIOS; b++) {
		uint32_t room = is_mapped(from, b) ? largest(to, is_mapped) : 0;

		k->buffer_size[b] = larger(from->buffer.size_bytes[b], to->buffer.size_bytes[b]);
		k->buffer_size[b] = larger(k->buffer_size[b], room);
	}
}

/* Where that is more than there is, only what must not drop is spared. */
static void grow_lossless(struct dcbnl_buffer *k, const struct config *from,
			  const struct config *to)
{
	for (int b = 0; b < PRIOS; b++)
		if (!is_lossless(from, b) && !is_lossless(to, b))
			k->buffer_size[b] = to->buffer.size_bytes[b];
}

static bool exceeds(const struct dcbnl_buffer *k)
{
	uint64_t sum = 0;

	for (int b = 0; b < PRIOS; b++)
		sum += k->buffer_size[b];
	return k->total_size && sum > k->total_size;
}

/*
 * mlx5 judges a map by the sizes in force before it looks at new ones, even in
 * the same message. So: the larger of both sizes, the map, the final sizes. No
 * change is no message: the first one that changes something makes the port's
 * buffers manual for good.
 */
static bool buffer_write(struct host *h, const struct port *port, const struct config *from,
			 const struct config *to, struct err *err)
{
	struct dcbnl_buffer k;
	bool same_map = memcmp(from->buffer.prio_buffer, to->buffer.prio_buffer,
			       sizeof(to->buffer.prio_buffer)) == 0;

	if (!dcb_get(h, port->id.name, DCB_ATTR_DCB_BUFFER, &k, sizeof(k), err))
		return false;
	grow(&k, from, to);
	if (exceeds(&k))
		grow_lossless(&k, from, to);
	if (same_map)
		memcpy(k.buffer_size, to->buffer.size_bytes, sizeof(k.buffer_size));
	if (!set(h, port, &k, err))
		return false;
	if (same_map)
		return true;
	memcpy(k.prio2buffer, to->buffer.prio_buffer, sizeof(k.prio2buffer));
	if (!set(h, port, &k, err))
		return false;
	memcpy(k.buffer_size, to->buffer.size_bytes, sizeof(k.buffer_size));
	return set(h, port, &k, err);
}

/*
 * The driver judges a new cable length by the sizes in force: room is made
 * before, as much as the new setup has for what is lossless.
 */
static bool buffer_meet(const struct config *from, const struct config *to, struct config *mid)
{
	bool grows = false;

	for (int b = 0; b < PRIOS; b++) {
		uint32_t room = takes_headroom(from, b) ? largest(to, takes_headroom) : 0;
		uint32_t *size = &mid->buffer.size_bytes[b];

		if (room <= *size)
			continue;
		/* A smaller difference would be none. */
		*size = larger(room, *size + knobs[KNOB_BUFFER_SIZE_BYTES].slack);
		grows = true;
	}
	return grows && (config_diff(to, from) & KNOB(KNOB_PFC_CABLE_M));
}

static const char *buffer_residue(const struct config *from, const struct config *to)
{
	(void)from;
	(void)to;
	return "buffers that were written stay manual, and no longer follow PFC, until the driver "
	       "starts again";
}

const struct feature feature_buffer = {
	.name = "buffer",
	.phase = PHASE_ROOM,
	.owns = KNOB(KNOB_BUFFER_SIZE_BYTES) | KNOB(KNOB_BUFFER_PRIO_BUFFER),
	.source = "dcbnl buffer",
	.read = buffer_read,
	.write = buffer_write,
	.meet = buffer_meet,
	.residue = buffer_residue,
};
