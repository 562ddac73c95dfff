/* Every feature of this program, in the order of writes. A table that backends.c alone includes. */
#ifndef LOSSLESSCTL_CLI_WRITE_ORDER_H
#define LOSSLESSCTL_CLI_WRITE_ORDER_H

#include "../dcb/registry.h"
#include "../roce/registry.h"

/*
 * Phase by phase: traffic is marked and steered last, when all
 * else is in effect. If several read the same settings, the first one that the port supports wins.
 */

/* clang-format off */
static const struct feature *const features_in_write_order[] = {
	&feature_link_up, &feature_link_speed, &feature_link_fec, &feature_dcbx,
	&feature_mtu,
	&feature_pause,
	&feature_buffer_nvidia, &feature_buffer, &feature_cable,
	&feature_pfc_lldpad, &feature_pfc,
	&feature_ets_lldpad, &feature_ets, &feature_reco, &feature_maxrate,
	&feature_storm, &feature_dcqcn_debugfs, &feature_dcqcn_ofed, &feature_cnp_debugfs,
	&feature_cnp_ofed, &feature_ecn,
	&feature_dscp, &feature_app, &feature_app_trust, &feature_vlan,
	&feature_nvconfig, &feature_roce_accl, &feature_roce_enabled, &feature_roce_gid,
	&feature_roce_mode, &feature_roce_tos, &feature_traffic_class, &feature_tcp_ecn,
	&feature_advertise,
};
/* clang-format on */

#endif
