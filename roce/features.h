/* The features and guards of this room; cli/features.c lists them. */
#ifndef LOSSLESSCTL_ROCE_FEATURES_H
#define LOSSLESSCTL_ROCE_FEATURES_H

#include "../agent/feature.h"
#include "../agent/guard.h"

extern const struct feature feature_roce_mode, feature_roce_tos;
extern const struct guard guard_queue_pairs;

#endif
