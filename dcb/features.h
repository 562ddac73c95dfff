/* The features of this room; cli/features.c lists them. */
#ifndef LOSSLESSCTL_DCB_FEATURES_H
#define LOSSLESSCTL_DCB_FEATURES_H

#include "../agent/feature.h"

extern const struct feature feature_dcbx, feature_mtu, feature_pause, feature_cable, feature_pfc,
	feature_ets, feature_dscp;

#endif
