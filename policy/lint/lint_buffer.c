#include <stdio.h>

#include "headroom.h"
#include "lint_list.h"

#define NO_BUFFER (-1)

/* The known properties of the link; 0, the smallest possible value, for unknown ones. */
static struct headroom_link link_of(const struct config *c, const struct capabilities *f)
{
	return (struct headroom_link){
		.speed_mbps = f->speed_mbps,
		.mtu = HAS(c, SETTING_MTU) ? c->mtu : 0,
		.cable_m = HAS(c, SETTING_PFC_CABLE_M) ? c->pfc.cable_m : 0,
		.max_mtu = f->max_mtu,
		.cell_bytes = f->cell_bytes,
	};
}

static uint32_t size_for(const struct config *c, int prio)
{
	return c->buffer.size_bytes[c->buffer.prio_buffer[prio]];
}

static bool lossless_has_buffer(const struct config *c)
{
	for (int p = 0; p < PRIOS; p++)
		if (is_lossless(c, p) && size_for(c, p) == 0)
			return false;
	return true;
}

/* The first lossless priority with a nonzero but too small buffer; NO_BUFFER if there is none. */
static int first_short(const struct config *c, const struct capabilities *f)
{
	struct headroom_link link = link_of(c, f);
	uint32_t needs = headroom_of(&link).min_buffer_bytes;

	for (int p = 0; p < PRIOS; p++)
		if (is_lossless(c, p) && size_for(c, p) && size_for(c, p) < needs)
			return p;
	return NO_BUFFER;
}

/* MLNX_OFED's driver has another formula, and sizes the buffers itself. */
static bool lossless_has_headroom(const struct config *c, const struct capabilities *f)
{
	return f->maker == MAKER_NVIDIA || first_short(c, f) == NO_BUFFER;
}

static void describe_headroom(const struct config *c, const struct capabilities *f,
			      char text[LINT_TEXT_MAX])
{
	struct headroom_link link = link_of(c, f);
	struct headroom h = headroom_of(&link);
	int prio = first_short(c, f), used;

	used = snprintf(text, LINT_TEXT_MAX,
			"buffer %u of lossless priority %d has %u bytes and needs %u%s at %g Gb/s",
			c->buffer.prio_buffer[prio], prio, size_for(c, prio), h.min_buffer_bytes,
			f->speed_mbps ? "" : " even", h.speed_mbps / 1000.0);
	if (h.cell_bytes != HEADROOM_CELL_BYTES)
		snprintf(text + used, (size_t)(LINT_TEXT_MAX - used), " (headroom --cell %u)",
			 h.cell_bytes);
}

static bool lossless_has_own_buffer(const struct config *c)
{
	for (int p = 0; p < PRIOS; p++)
		for (int q = 0; q < PRIOS; q++)
			if (is_lossless(c, p) && !is_lossless(c, q) &&
			    c->buffer.prio_buffer[p] == c->buffer.prio_buffer[q])
				return false;
	return true;
}

#define BUFFERS (SETTING(SETTING_BUFFER_SIZE_BYTES) | SETTING(SETTING_BUFFER_PRIO_BUFFER))

/* clang-format off: one block per lint, aligned by hand */
const struct lint lints_buffer[] = {
	{ "lossless-buffer-size-zero", SEVERITY_CRITICAL, SETTING(SETTING_PFC_PRIORITIES) | BUFFERS,
	  "a lossless priority has a receive buffer of size 0",
	  "map it to a buffer with a size in buffer.prio_buffer, or give its buffer one",
	  "The driver refuses it (EINVAL): frames that arrive after a pause would have no room.",
	  .passes = lossless_has_buffer },
	{ "lossless-headroom-too-small", SEVERITY_CRITICAL,
	  SETTING(SETTING_PFC_PRIORITIES) | BUFFERS,
	  "the buffer of a lossless priority is too small for the data that arrives after a pause",
	  "raise buffer.size_bytes to the size that losslessctl headroom prints",
	  "The driver refuses it (ENOMEM). If the cable, the MTU or the speed grew later, the "
	  "port drops frames.",
	  .passes_on = lossless_has_headroom,
	  .also_reads = SETTING(SETTING_MTU) | SETTING(SETTING_PFC_CABLE_M),
	  .describe = describe_headroom },
	{ "lossless-buffer-shared", SEVERITY_WARNING,
	  SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_BUFFER_PRIO_BUFFER),
	  "a lossless priority shares its receive buffer with a lossy one",
	  "give it a buffer of its own in buffer.prio_buffer, and a size in buffer.size_bytes; if "
	  "the policy is to set neither, a cold start of the adapter lets the firmware set both",
	  "The lossy priority fills the buffer, and the lossless one is paused for it.",
	  .passes = lossless_has_own_buffer },
	{ .name = NULL }
};
/* clang-format on */
