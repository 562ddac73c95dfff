/* Rules of a policy that want ports which the host does not have. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_TARGET_UNMET_H
#define LOSSLESSCTL_AGENT_ENGINE_TARGET_UNMET_H

#include "../../../policy/document/policy.h"
#include "inventory.h"

/* How many rules lack ports, and the reason of the first one. */
struct unmet {
	size_t count;
	struct err first;
};

/*
 * Looks for rules without their ports: a required rule that matches none, a rule whose count
 * differs, and a policy without a rule that matches. Selected ports narrow the
 * inventory, and nothing is judged. Warns of rules that match no port and need none.
 */
struct unmet unmet_find(const struct engine *e, const struct policy *p,
			const struct inventory *inv);

#endif
