/* Members of a bond carry the same traffic, so they need the same settings. */
#ifndef LOSSLESSCTL_AGENT_ENGINE_TARGET_BOND_CHECK_H
#define LOSSLESSCTL_AGENT_ENGINE_TARGET_BOND_CHECK_H

#include "target.h"

/* Refuses bond members whose desired settings differ. */
void bonds_check(struct targets *all);

#endif
