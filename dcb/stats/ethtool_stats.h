/* Counters of a port that need no RDMA device: the driver's and the kernel's. */
#ifndef LOSSLESSCTL_DCB_STATS_ETHTOOL_STATS_H
#define LOSSLESSCTL_DCB_STATS_ETHTOOL_STATS_H

#include "../../agent/monitor/sampler.h"

/* The counters that `ethtool -S` prints. */
extern const struct counter_reader counter_reader_ethtool;

/* FEC blocks, as printed by `ethtool -I --show-fec` (fec_stats.c). */
extern const struct counter_reader counter_reader_fec;

/* Pause statistics, as printed by `ethtool -I -a` (pause_stats.c). */
extern const struct counter_reader counter_reader_pause;

/* Counters of the network interface in /sys/class/net (netdev_stats.c). */
extern const struct counter_reader counter_reader_netdev;

#endif
