/* Judges the environment that a job has: nccl.conf, a process, or a file, against the ports. */
#ifndef LOSSLESSCTL_POLICY_JOB_ENVIRONMENT_CHECK_H
#define LOSSLESSCTL_POLICY_JOB_ENVIRONMENT_CHECK_H

#include "environment_report.h"
#include "nccl_log.h"

/* Judges all variables. Adds to *ret, whose items borrow from the sources. */
void environment_judge(const struct environment_check *c, struct environment_report *ret);

/* Judges what NCCL really used; `source` names the log. Adds to *ret. */
void nccl_log_judge(const struct environment_check *c, const struct nccl_log *log,
		    const struct environment_source *source, struct environment_report *ret);

#endif
