/* The ports of this host that a probe may use, and what they count. */
#ifndef LOSSLESSCTL_CLI_PROBE_PROBE_HOST_H
#define LOSSLESSCTL_CLI_PROBE_PROBE_HOST_H

#include "../../agent/engine/probe/probe_port.h"
#include "../../agent/engine/probe/probe_verdict.h"
#include "../cli.h"

/* Owned by the caller; probe_host_free() frees. */
struct probe_host {
	const struct engine *e;		  /* borrowed */
	const struct probe_policy *asked; /* the policy's; borrowed */
	struct inventory inventory;
	struct targets targets;
	struct job job;
	struct probe_port *ports; /* one per target */
	struct scratch *scratch;
};

/* Frees what a host owns. */
void probe_host_free(struct probe_host *h);

/* Reads the selected ports that the policy covers. */
bool probe_host_read(const struct engine *e, const struct policy *p, struct probe_host *ret,
		     struct err *err) must_check;

/* The index of a port by its name; false: there is none. */
bool probe_host_find(const struct probe_host *h, const char *name, size_t *ret);

/* Samples a port. Errors are those of sample_read(). */
bool probe_host_count(const struct probe_host *h, size_t port, struct probe_counts *ret,
		      struct err *err) must_check;

#endif
