/* The priority of the DSCPs that a text does not name. */
#ifndef LOSSLESSCTL_POLICY_MODEL_DSCP_REST_H
#define LOSSLESSCTL_POLICY_MODEL_DSCP_REST_H

#include "config.h"

/* Returns the priority that most DSCPs have, and sets *ret_others to the number of the others. */
int dscp_most_common(const int8_t prio[DSCPS], int *ret_others);

#endif
