/* The faults of a process that its log of NCCL shows. */
#ifndef LOSSLESSCTL_POLICY_JOB_NCCL_LOG_FAULT_H
#define LOSSLESSCTL_POLICY_JOB_NCCL_LOG_FAULT_H

#include "environment_check.h"

struct log_judging {
	const struct environment_check *c;
	const struct nccl_log *log;
	const struct environment_source *source;
	struct environment_report *ret;
};

/* Returns the line that shows the fault; 0: the process does not have it. */
typedef unsigned find_fault(const struct log_judging *j, const struct log_process *p);

/* Adds the message and the fix of a fault that the process has. */
typedef void say_fault(const struct log_judging *j, const struct log_process *p,
		       struct environment_item *item);

/* Devices and their GIDs (nccl_log_devices.c). */
find_fault find_foreign;
find_fault find_left_out;
find_fault find_infiniband;
find_fault find_index;
say_fault say_foreign;
say_fault say_left_out;
say_fault say_infiniband;
say_fault say_index;

#endif
