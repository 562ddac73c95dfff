/* The counters of a port that need no RDMA device: the driver's, and the kernel's own. */
#ifndef LOSSLESSCTL_DCB_STATS_ETHTOOL_STATS_H
#define LOSSLESSCTL_DCB_STATS_ETHTOOL_STATS_H

#include "../../agent/monitor/sampler.h"

/* As `ethtool -S` reads them. */
extern const struct meter meter_ethtool;

/* FEC's blocks, as `ethtool -I --show-fec` reads them (fec_stats.c). */
extern const struct meter meter_fec;

/* Those of the network interface itself, in /sys/class/net (netdev_stats.c). */
extern const struct meter meter_netdev;

#endif
