/* The table of metric families, in the order of the page: name, type and help text. */
#ifndef LOSSLESSCTL_AGENT_DAEMON_METRICS_METRIC_FAMILY_H
#define LOSSLESSCTL_AGENT_DAEMON_METRICS_METRIC_FAMILY_H

#include <stddef.h>

struct metric_family {
	const char *name; /* without the prefix "losslessctl_" */
	const char *type; /* "gauge" or "counter" */
	const char *help;
};

extern const struct metric_family metric_families[];
extern const size_t metric_families_count;

/* Returns the family of this name, or NULL. */
const struct metric_family *metric_family_by_name(const char *name);

#endif
