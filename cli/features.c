/* The composition root: the only list of what this program can set and count, in phase order. */
#include "../dcb/counters.h"
#include "../dcb/features.h"
#include "../dcb/guards.h"
#include "../roce/counters.h"
#include "../roce/features.h"
#include "cli.h"

/* Of several back ends for the same settings the first that answers speaks. */
static const struct feature *const features[] = {
	&feature_link_up,	&feature_link_speed,  &feature_link_fec,   &feature_dcbx,
	&feature_mtu,		&feature_pause,	      &feature_buffer,	   &feature_cable,
	&feature_pfc_lldpad,	&feature_pfc,	      &feature_ets_lldpad, &feature_ets,
	&feature_reco,		&feature_maxrate,     &feature_storm,	   &feature_dcqcn_debugfs,
	&feature_dcqcn_ofed,	&feature_cnp_debugfs, &feature_cnp_ofed,   &feature_ecn,
	&feature_dscp,		&feature_app,	      &feature_app_trust,  &feature_vlan,
	&feature_roce_enabled,	&feature_roce_gid,    &feature_roce_mode,  &feature_roce_tos,
	&feature_traffic_class, &feature_tcp_ecn,     &feature_speech,
};

const struct features all_features = { features, sizeof(features) / sizeof(features[0]) };

static const struct guard *const guards[] = {
	&guard_lldpad,	      &guard_network_manager, &guard_speaker,	  &guard_follower,
	&guard_default_route, &guard_session,	      &guard_queue_pairs,
};

const struct guards all_guards = { guards, sizeof(guards) / sizeof(guards[0]) };

static const struct meter *const meters[] = { &meter_ethtool, &meter_rdma, &meter_fec,
					      &meter_netdev };

const struct meters all_meters = { meters, sizeof(meters) / sizeof(meters[0]) };
