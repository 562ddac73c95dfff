/* Whether network namespaces share the host's RDMA devices. */
#ifndef LOSSLESSCTL_ROCE_RDMA_NETNS_H
#define LOSSLESSCTL_ROCE_RDMA_NETNS_H

#include "../agent/host/host.h"

/*
 * "shared": every namespace sees every RDMA device; "exclusive": a device is in one namespace
 * (`rdma system show`). `ret` NULL: a kernel without RDMA, or too old to say. ERR_SYSTEM
 * (ETIMEDOUT): the kernel does not answer.
 */
bool rdma_netns_mode(struct host *h, const char **ret, struct err *err) must_check;

#endif
