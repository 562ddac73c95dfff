/* The opening of a verb that reads: its policy, its host, live or captured, and its ports. */
#ifndef LOSSLESSCTL_CLI_VERBS_SCOPE_H
#define LOSSLESSCTL_CLI_VERBS_SCOPE_H

#include "../../agent/engine/target/inventory.h"
#include "../../agent/engine/target/target.h"
#include "../cli.h"

/* Owned by the caller; scope_free() frees. */
struct scope {
	struct policy *policy; /* NULL: there is none */
	struct inventory inventory;
	struct targets targets; /* the ports that the policy covers; all without one */
};

void scope_free(struct scope *r);
#define _scope_ __attribute__((cleanup(scope_free)))

enum scope_policy { POLICY_NONE, POLICY_IF_ANY, POLICY_REQUIRED };

/* First step: opens the policy and the host. */
bool scope_open(struct cli *c, enum scope_policy need, struct scope *ret,
		struct err *err) must_check;

/* Second step: finds the ports. `all_rules`: fails if a rule does not find its ports. */
bool scope_find(struct cli *c, bool all_rules, struct scope *r, struct err *err) must_check;

/* Third step: reads the settings of ports. */
bool targets_observe(struct cli *c, struct targets *all, struct err *err) must_check;

#endif
