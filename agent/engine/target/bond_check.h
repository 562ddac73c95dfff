/* Members of one bond carry the same traffic, so they must be set up alike. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_TARGET_BOND_CHECK_H
#define LOSSLESSCTL_AGENT_ENGINE_TARGET_BOND_CHECK_H

#include "target.h"

/* Refuses the members of a bond that the policy would make different. */
void bonds_check(struct targets *all);

#endif
