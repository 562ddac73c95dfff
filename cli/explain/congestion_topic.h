/* The topic of `explain` about congestion controls that a policy can name. */
#ifndef LOSSLESSCTL_CLI_EXPLAIN_CONGESTION_TOPIC_H
#define LOSSLESSCTL_CLI_EXPLAIN_CONGESTION_TOPIC_H

#include <stddef.h>

#include "page.h"

/* Describes the i-th value of `congestion_control`. False: there are fewer. */
bool topic_congestion_entry(size_t i, struct entry *ret);

/* Adds what it asserts, and who owns which settings. */
void topic_congestion_fields(struct explain_page *p, size_t i);

#endif
