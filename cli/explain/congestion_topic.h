/* The topic of `explain` about congestion controls that a policy can name. */
#ifndef LOSSLESSCTL_CLI_EXPLAIN_CONGESTION_TOPIC_H
#define LOSSLESSCTL_CLI_EXPLAIN_CONGESTION_TOPIC_H

#include <stddef.h>

#include "page.h"

bool topic_congestion_entry(size_t i, struct entry *ret);
void topic_congestion_fields(struct page *p, size_t i);

#endif
