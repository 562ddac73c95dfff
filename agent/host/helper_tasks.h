/*
 * Tasks of the helpers that keep rights (helper_line.h), and the limit of each. The rights and the
 * sizes of questions are in cli/sandbox/helper.c.
 */
#ifndef LOSSLESSCTL_AGENT_HOST_HELPER_TASKS_H
#define LOSSLESSCTL_AGENT_HOST_HELPER_TASKS_H

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

/* The longest time until a helper ends the tools of a task, or gives it up. */
extern const unsigned helper_limit_s[HELPER_TASKS];

#endif
