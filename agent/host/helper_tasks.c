#include "helper_tasks.h"

/* ssh-keygen runs twice; the results of `ready` and a report's name may wait for a disk. */
const unsigned helper_limit_s[HELPER_TASKS] = {
	[TASK_NVCONFIG] = 60,  [TASK_ROCE_ACCL] = 60, [TASK_RDMA_TOPO] = 15, [TASK_MODPROBE] = 60,
	[TASK_SIGNATURE] = 24, [TASK_PERFTEST] = 5,   [TASK_READY_RUN] = 20, [TASK_NAME_FILE] = 110,
};
