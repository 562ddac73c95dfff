/* Judges the devices and the transports that an environment selects. */
#ifndef LOSSLESSCTL_POLICY_JOB_ENVIRONMENT_DEVICES_H
#define LOSSLESSCTL_POLICY_JOB_ENVIRONMENT_DEVICES_H

#include "environment_report.h"

/* Judges NCCL_IB_HCA. */
void judge_hca(struct judging *j, enum variable_id id, const struct found *f);

/* Judges UCX_NET_DEVICES. */
void judge_ucx_devices(struct judging *j, enum variable_id id, const struct found *f);

/* Judges UCX_TLS. */
void judge_ucx_transports(struct judging *j, enum variable_id id, const struct found *f);

#endif
