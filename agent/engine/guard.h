/*
 * A guard speaks against writing to a port at all: somebody else would
 * overwrite us, or somebody would lose what the port carries.
 */
#ifndef LOSSLESSCTL_AGENT_ENGINE_GUARD_H
#define LOSSLESSCTL_AGENT_ENGINE_GUARD_H

#include "../../policy/model/config.h"
#include "feature.h"

#define GUARD_WHY_MAX 256

struct guard {
	const char *name;
	setting_set over;     /* it is asked when a plan touches any of these */
	enum disruption from; /* and disrupts at least this much */
	bool may_override;    /* --disruptive silences it */
	bool (*objects)(struct host *h, const struct port *port, char why[GUARD_WHY_MAX]);
	bool (*waived)(const struct config *desired); /* a wish that makes it pointless; or NULL */
	const char *fix;
};

struct guards {
	const struct guard *const *list;
	size_t count;
};

#endif
