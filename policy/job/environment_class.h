/* Judges the traffic classes that an environment sets. */
#ifndef LOSSLESSCTL_POLICY_JOB_ENVIRONMENT_CLASS_H
#define LOSSLESSCTL_POLICY_JOB_ENVIRONMENT_CLASS_H

#include "environment_report.h"

/* Judges the class of NCCL's data, also if no source sets it. */
void judge_data_class(struct judging *j, enum variable_id id, const struct found *f);

/* Judges the class of the queue pairs that GPUs drive themselves. */
void judge_gin_class(struct judging *j, enum variable_id id, const struct found *f);

/* Judges the class of UCX. */
void judge_ucx_class(struct judging *j, enum variable_id id, const struct found *f);

#endif
