/* The counters of a port's RDMA device. */
#ifndef LOSSLESSCTL_ROCE_COUNTERS_H
#define LOSSLESSCTL_ROCE_COUNTERS_H

#include "../agent/watch.h"

extern const struct meter meter_rdma;

#endif
