/* The features of this room; cli/features.c lists them. */
#ifndef LOSSLESSCTL_DCB_FEATURES_H
#define LOSSLESSCTL_DCB_FEATURES_H

#include "../agent/feature.h"

extern const struct feature feature_link_up, feature_link_speed, feature_link_fec, feature_dcbx,
	feature_mtu, feature_pause, feature_cable, feature_buffer, feature_pfc, feature_ets,
	feature_reco, feature_maxrate, feature_storm, feature_dscp, feature_app, feature_app_trust,
	feature_vlan, feature_tcp_ecn, feature_speech, feature_pfc_lldpad, feature_ets_lldpad;

/* What mlx5 means by ENOMEM, where buffers were set by hand; always false. */
bool hint_at_headroom(struct err *err);

#endif
