/*
 * The judgement of `rdma_topo check` (rdma-core, kernel-boot/rdma_topo). NVIDIA's platforms where
 * adapter and GPU share a switch want some bits of ACS on and others off; it knows which.
 */
#ifndef LOSSLESSCTL_ROCE_READY_RDMA_TOPO_H
#define LOSSLESSCTL_ROCE_READY_RDMA_TOPO_H

#include "../../agent/engine/ready/ready_probe.h"

/* Plain data. */
struct rdma_topo {
	enum ready_status status; /* READY_MET: it has judged; NOT_APPLICABLE or UNKNOWN */
	bool passed;
	bool judges_acs; /* it knows the platform, and its bridges */
	bool needs_root;
	char text[READY_TEXT_MAX]; /* the first failure, or why there is no judgement */
};

/* Reads its output, of any bytes. The text is printable. */
struct rdma_topo rdma_topo_from_text(const struct tool_output *output);

/* Asks it, once a run. */
struct rdma_topo rdma_topo_judgement(struct host *h);

#endif
