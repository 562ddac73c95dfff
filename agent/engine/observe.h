/* What a port has now, and why the rest of it is not known. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_OBSERVE_H
#define LOSSLESSCTL_AGENT_ENGINE_OBSERVE_H

#include "feature.h"

/* Why some settings could not be read. */
struct reason {
	setting_set of;
	enum err_kind kind; /* ERR_UNSUPPORTED, ERR_MISSING, else unknown */
	const struct feature *from;
	char text[192], fix[160];
};

struct observation {
	struct config actual;
	setting_set unsupported; /* the port, driver or kernel has no such thing */
	setting_set missing;	 /* not there yet; apply makes it */
	setting_set unknown;	 /* it could not be read */
	/* Features that answered, or will once apply has prepared; of several back ends one. */
	const struct feature *speaking[FEATURES_MAX];
	size_t speaking_count;
	struct reason reasons[2 * FEATURES_MAX];
	size_t reasons_count;
};

/*
 * Reads everything once. Of features that own the same settings, the first that
 * can be read speaks for them. One that cannot is noted, not fatal; fails only
 * when the port is gone (ERR_GONE), or the link itself cannot be looked at.
 */
bool observe(struct host *h, struct features all, const struct port *port, struct observation *ret,
	     struct err *err) must_check;

/* The features to plan with: those that speak. Borrows from the observation. */
struct features observation_features(const struct observation *o);

/* Why this setting is not in o->have, or NULL. */
const struct reason *observation_reason(const struct observation *o, unsigned setting);

/* The feature that speaks for a setting, or else the one whose reason counts, or NULL. */
const struct feature *observation_speaker(const struct observation *o, struct features all,
					  unsigned setting);

#endif
