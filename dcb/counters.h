/* Counters of a port that need no RDMA device: the driver's and the kernel's. */
#ifndef LOSSLESSCTL_DCB_COUNTERS_H
#define LOSSLESSCTL_DCB_COUNTERS_H

#include "../agent/monitor/sampler.h"

/* The counters that `ethtool -S` prints. */
extern const struct counter_reader counter_reader_ethtool;

/* FEC blocks, as printed by `ethtool -I --show-fec`. */
extern const struct counter_reader counter_reader_fec;

/* Pause statistics, as printed by `ethtool -I -a`. */
extern const struct counter_reader counter_reader_pause;

/* Counters of the network interface in /sys/class/net. */
extern const struct counter_reader counter_reader_netdev;

#endif
