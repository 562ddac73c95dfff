/* The features and guards of this room; cli/backends.c lists them. */
#ifndef LOSSLESSCTL_ROCE_REGISTRY_H
#define LOSSLESSCTL_ROCE_REGISTRY_H

#include "../agent/engine/guard.h"

extern const struct feature feature_ecn, feature_cnp_debugfs, feature_cnp_ofed,
	feature_dcqcn_debugfs, feature_dcqcn_ofed, feature_nvconfig, feature_roce_accl,
	feature_roce_enabled, feature_roce_gid, feature_roce_mode, feature_roce_tos,
	feature_traffic_class;
extern const struct guard guard_bluefield, guard_queue_pairs;

#endif
