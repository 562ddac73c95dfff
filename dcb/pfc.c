#include "../policy/knob.h"
#include "features.h"
#include "wire.h"

static bool pfc_read(struct host *h, const struct port *port, struct config *out, struct err *err)
{
	struct ieee_pfc k;

	if (!dcb_get(h, port->id.name, DCB_ATTR_IEEE_PFC, &k, sizeof(k), err))
		return false;

	out->pfc.priorities = k.pfc_en;
	out->has |= feature_pfc.owns;
	return true;
}

/* Keeps what drivers other than mlx5 mean by delay: it goes back as it came. */
static bool pfc_write(struct host *h, const struct port *port, const struct config *from,
		      const struct config *to, struct err *err)
{
	struct ieee_pfc k;

	(void)from;
	if (!dcb_get(h, port->id.name, DCB_ATTR_IEEE_PFC, &k, sizeof(k), err))
		return false;

	k.pfc_en = to->pfc.priorities;
	return dcb_set(h, port->id.name, DCB_ATTR_IEEE_PFC, &k, sizeof(k), err);
}

/*
 * mlx5 computed headroom while the link was down, for 40 Gb/s. The same mask
 * again makes it compute at the real speed, and does not flap.
 */
static bool pfc_settle(struct host *h, const struct port *port, const struct config *to,
		       struct err *err)
{
	return pfc_write(h, port, to, to, err);
}

/* mlx5 writes "no global pause" in the register that holds the PFC mask. */
static void pfc_disturb(const struct config *from, const struct config *to, struct config *after)
{
	(void)from;
	(void)to;
	after->pause.rx = false;
	after->pause.tx = false;
}

/*
 * A buffer that is written cannot take a priority's room away while the
 * priority is lossless: one that is to lose PFC loses it before.
 */
static bool pfc_meet(const struct config *from, const struct config *to, struct config *mid)
{
	knobset buffers = KNOB(KNOB_BUFFER_SIZE_BYTES) | KNOB(KNOB_BUFFER_PRIO_BUFFER);

	mid->pfc.priorities = from->pfc.priorities & to->pfc.priorities;
	return mid->pfc.priorities != from->pfc.priorities &&
	       (config_diff(to, from) & buffers & from->has);
}

static enum disruption pfc_disrupts(const struct config *from, const struct config *to)
{
	(void)from;
	(void)to;
	return DISRUPTS_LINK;
}

const struct feature feature_pfc = {
	.name = "pfc",
	.phase = PHASE_LOSSLESS,
	.owns = KNOB(KNOB_PFC_PRIORITIES),
	.source = "dcbnl IEEE PFC",
	.read = pfc_read,
	.write = pfc_write,
	.settle = pfc_settle,
	.disturb = pfc_disturb,
	.meet = pfc_meet,
	.disrupts = pfc_disrupts,
};
