/* What a port has now, and why the rest of it is not known. */
#ifndef LOSSLESSCTL_AGENT_OBSERVE_H
#define LOSSLESSCTL_AGENT_OBSERVE_H

#include "feature.h"

/* Why some knobs could not be read. */
struct reason {
	const struct feature *feature;
	enum err_kind kind; /* ERR_UNSUPPORTED, ERR_MISSING, else unknown */
	char text[192], hint[160];
};

struct observation {
	struct config have;
	knobset unsupported; /* the port, driver or kernel has no such thing */
	knobset missing;     /* not there yet; apply makes it */
	knobset unknown;     /* it could not be read */
	struct reason reasons[FEATURES_MAX];
	size_t reasons_count;
};

/*
 * Reads everything once. A feature that cannot be read is noted, not fatal;
 * fails only when the port is gone (ERR_GONE).
 */
bool observe(struct host *h, struct features all, const struct port *port, struct observation *ret,
	     struct err *err) must_check;

/* Why this knob is not in o->have, or NULL. */
const struct reason *observation_reason(const struct observation *o, unsigned knob);

/* The feature that owns a knob, or NULL. */
const struct feature *feature_of(struct features all, unsigned knob);

#endif
