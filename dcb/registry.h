/* The features and guards of this room; cli/write_order.h and cli/backends.c list them. */
#ifndef LOSSLESSCTL_DCB_REGISTRY_H
#define LOSSLESSCTL_DCB_REGISTRY_H

#include "../agent/engine/backends.h"
#include "../agent/monitor/sampler.h"

extern const struct feature feature_link_up, feature_link_speed, feature_link_fec, feature_dcbx,
	feature_mtu, feature_pause, feature_cable, feature_buffer_nvidia, feature_buffer,
	feature_pfc, feature_ets, feature_reco, feature_maxrate, feature_storm, feature_dscp,
	feature_app, feature_app_trust, feature_vlan, feature_tcp_ecn, feature_advertise,
	feature_pfc_lldpad, feature_ets_lldpad;
extern const struct guard guard_driver, guard_shared_function, guard_traffic, guard_lldpad,
	guard_network_manager, guard_advertiser, guard_follower, guard_default_route, guard_session,
	guard_functions;

/* Explains mlx5's ENOMEM for buffers of manual size; always false. */
bool err_fix_headroom(struct err *err);

/* ---- counters ---- */

/* Counters of a port that need no RDMA device: the driver's and the kernel's. */

/* The counters that `ethtool -S` prints. */
extern const struct counter_reader counter_reader_ethtool;

/* FEC blocks, as printed by `ethtool -I --show-fec`. */
extern const struct counter_reader counter_reader_fec;

/* Pause statistics, as printed by `ethtool -I -a`. */
extern const struct counter_reader counter_reader_pause;

/* Counters of the network interface in /sys/class/net. */
extern const struct counter_reader counter_reader_netdev;

#endif
