/* The features and guards of this room; cli/write_order.h and cli/backends.c list them. */
#ifndef LOSSLESSCTL_ROCE_REGISTRY_H
#define LOSSLESSCTL_ROCE_REGISTRY_H

#include "../agent/engine/backends.h"
#include "../agent/host/host.h"
#include "../agent/monitor/sampler.h"

extern const struct feature feature_ecn, feature_cnp_debugfs, feature_cnp_ofed,
	feature_dcqcn_debugfs, feature_dcqcn_ofed, feature_nvconfig, feature_roce_accl,
	feature_roce_enabled, feature_roce_gid, feature_roce_mode, feature_roce_tos,
	feature_traffic_class;
extern const struct guard guard_bluefield, guard_queue_pairs;

/* ---- rdma_cm ---- */

/* The configfs files of rdma_cm: defaults for connections that do not choose themselves. */

/* Creates the directory, and loads the module if needed. Does nothing for a port without RDMA. */
bool rdma_cm_prepare(struct host *h, const struct port *port, struct err *err) must_check;

/* ---- counters ---- */

/* Counters of a port's RDMA device. */

extern const struct counter_reader counter_reader_rdma;

#endif
