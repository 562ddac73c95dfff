/* SPDX-License-Identifier: GPL-2.0 */
/* The verbs nobody may use: there is no RDMA data path behind the stub device. */
#ifndef MLX5SIM_IBVERBS_H
#define MLX5SIM_IBVERBS_H

#include <rdma/ib_verbs.h>

extern const struct ib_device_ops sim_ib_verbs;

#endif
