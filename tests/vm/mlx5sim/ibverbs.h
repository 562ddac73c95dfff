/* SPDX-License-Identifier: GPL-2.0 */
/* Stub verbs: the simulated RDMA device has no data path. */
#ifndef MLX5SIM_IBVERBS_H
#define MLX5SIM_IBVERBS_H

#include <rdma/ib_verbs.h>

extern const struct ib_device_ops sim_ib_verbs;

#endif
