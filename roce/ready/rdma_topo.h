/* rdma_topo, the tool of rdma-core that judges PCIe switches. */
#ifndef LOSSLESSCTL_ROCE_READY_RDMA_TOPO_H
#define LOSSLESSCTL_ROCE_READY_RDMA_TOPO_H

#include "../../agent/engine/ready/ready_reader.h"

/* Its judgement. Plain data. */
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
