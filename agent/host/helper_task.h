/*
 * The tasks of helper processes (cli/sandbox/helper.c), which do for this process what it may not:
 * it may start no program. The list is closed; the line to a helper is that of helper_line.h.
 */
#ifndef LOSSLESSCTL_AGENT_HOST_HELPER_TASK_H
#define LOSSLESSCTL_AGENT_HOST_HELPER_TASK_H

#include <stdbool.h>

#define TOOL_OUTPUT_MAX (512u << 10) /* the largest output of one tool */

/* Places of rdma-core's rdma_topo. */
#define RDMA_TOPO_PATH	 "/usr/sbin/rdma_topo"
#define RDMA_TOPO_PATH_2 "/usr/bin/rdma_topo"

enum helper_task {
	TASK_NVCONFIG,	/* mstconfig -e q, of the adapter at a PCI address */
	TASK_ROCE_ACCL, /* mstreg --reg_name ROCE_ACCL --get, of the same */
	TASK_RDMA_TOPO, /* rdma_topo check, of the whole host */
	TASK_MODPROBE,	/* load a module */
	TASK_SIGNATURE, /* verify a policy's signature */
	TASK_PERFTEST,	/* run one end of a probe */
	TASK_READY_RUN, /* record a result of `ready` */
	TASK_NAME_FILE, /* give the complete report its name */
	HELPER_TASKS
};

/* The output of a vendor's tool (host_run_tool()). */
struct tool_output {
	bool failed; /* the tool reported an error: a part may be missing */
	char text[TOOL_OUTPUT_MAX];
};

#endif
