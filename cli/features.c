/* The composition root: the only list of what this program can set, in phase order. */
#include "../dcb/features.h"
#include "../dcb/guards.h"
#include "../roce/features.h"
#include "cli.h"

static const struct feature *const features[] = {
	&feature_dcbx, &feature_mtu,  &feature_pause,	  &feature_cable,    &feature_pfc,
	&feature_ets,  &feature_dscp, &feature_roce_mode, &feature_roce_tos,
};

const struct features all_features = { features, sizeof(features) / sizeof(features[0]) };

static const struct guard *const guards[] = {
	&guard_lldpad,
	&guard_default_route,
	&guard_session,
	&guard_queue_pairs,
};

const struct guards all_guards = { guards, sizeof(guards) / sizeof(guards[0]) };
