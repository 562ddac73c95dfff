/* Which RDMA device belongs to which network port. */
#ifndef LOSSLESSCTL_ROCE_DEVICE_H
#define LOSSLESSCTL_ROCE_DEVICE_H

#include "../agent/host/host.h"

/*
 * Fills id.rdma, rdma_index and rdma_port of every port that has an RDMA
 * device; where several sit on one port, the one of the same PCI function.
 * A kernel without RDMA has none, which is not an error. Source: rdma netlink
 * (include/uapi/rdma/rdma_netlink.h), which names the netdev only within the
 * caller's network namespace.
 */
bool rdma_find(struct host *h, struct port *ports, size_t count, struct err *err) must_check;

/* Lists the RDMA devices in InfiniBand mode; a kernel without RDMA has none. */
bool rdma_list_infiniband(struct host *h, struct rdma_names *ret, struct err *err) must_check;

/* How many queue pairs of applications are connected on any RDMA device of this port. */
bool rdma_count_active(struct host *h, const struct port *port, unsigned *ret,
		       struct err *err) must_check;

#endif
