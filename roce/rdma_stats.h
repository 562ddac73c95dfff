/* Counters of a port's RDMA device. */
#ifndef LOSSLESSCTL_ROCE_RDMA_STATS_H
#define LOSSLESSCTL_ROCE_RDMA_STATS_H

#include "../agent/monitor/sampler.h"

extern const struct counter_reader counter_reader_rdma;

#endif
