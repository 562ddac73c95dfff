/* The directions of a probe that are not in class, each with its reason. */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_FAULT_LIST_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_FAULT_LIST_H

#include <stdio.h>

#include "probe_plan.h"

/*
 * Prints each outcome that occurs, the worst first, with its fix and its directions. A host that
 * does not take part has one line in place of all its pairs.
 */
void probe_faults_list(FILE *to, const struct style *s, const struct probe_plan *p);

#endif
