/* A page of metrics about a host with ports. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_METRICS_PAGE_H
#define LOSSLESSCTL_TESTS_SUPPORT_METRICS_PAGE_H

#include "agent/daemon/metrics/metrics.h"
#include "agent/host/links.h"

#define PAGE_MAX  (1u << 21)
#define PORTS_MAX 16

/* The page that was written last. */
extern char page[PAGE_MAX];

/* Ports with values in all counters, and their host. */
struct stage {
	struct metered_host host;
	struct metered ports[PORTS_MAX];
	struct sample samples[PORTS_MAX];
	char names[PORTS_MAX][LINK_NAME_MAX];
	size_t count;
};

/* A host with this many ports. */
void set_stage(struct stage *g, size_t ports);

/* Writes the page, which must succeed. */
void write_page(const struct stage *g);

/* Tests every line of the page. */
void each_line_is_well_formed(void);

#endif
