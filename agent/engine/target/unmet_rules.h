/* Rules of a policy without their ports. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_TARGET_UNMET_RULES_H
#define LOSSLESSCTL_AGENT_ENGINE_TARGET_UNMET_RULES_H

#include "../../../policy/document/policy.h"
#include "../engine.h"
#include "inventory.h"

/* The number of rules without their ports, and the error of the first one. */
struct unmet {
	size_t count;
	size_t required; /* those with a count or "required": true */
	struct err first;
};

/*
 * Finds rules without their ports: a required rule that matches none, a rule whose count differs, a
 * policy without a matching rule; these not for an inventory of selected ports. Finds as well, if
 * it `needs_settings`, that no rule has a setting for any port, and warns of ports without one.
 * Warns of rules that match no port and need none.
 */
struct unmet unmet_find(const struct engine *e, const struct policy *p, const struct inventory *inv,
			bool needs_settings);

#endif
