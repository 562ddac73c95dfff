/* Members of one bond carry the same traffic, so they must be set up alike. */
#ifndef LOSSLESSCTL_CLI_BOND_H
#define LOSSLESSCTL_CLI_BOND_H

#include "target.h"

/* Refuses the members of a bond that the policy would make different. */
void bonds_judge(struct targets *all);

#endif
