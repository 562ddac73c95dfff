/* Whether network namespaces share the host's RDMA devices. */
#ifndef LOSSLESSCTL_ROCE_RDMA_NETNS_H
#define LOSSLESSCTL_ROCE_RDMA_NETNS_H

#include "../agent/host/host.h"

/*
 * "shared": every namespace sees every RDMA device; "exclusive": a device is in one namespace
 * (`rdma system show`). NULL: unknown, or a kernel without RDMA.
 */
const char *rdma_netns_mode(struct host *h);

#endif
