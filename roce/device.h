/* Finds the RDMA devices of network ports. */
#ifndef LOSSLESSCTL_ROCE_DEVICE_H
#define LOSSLESSCTL_ROCE_DEVICE_H

#include "../agent/host/host.h"

/*
 * Fills id.rdma, rdma_index and rdma_port of every port with an RDMA device; among several, the one
 * of the same PCI function. Finds none on a kernel without RDMA, which is not an error. Source:
 * rdma netlink (include/uapi/rdma/rdma_netlink.h), which names the netdev only within the caller's
 * network namespace: a pod's RDMA device is here without one. *others lists those that are RoCE,
 * with all that sysfs tells; the caller frees its list. *infiniband lists those in InfiniBand mode.
 */
bool rdma_find(struct host *h, struct port *ports, size_t count, struct port_list *others,
	       struct rdma_names *infiniband, struct err *err) must_check;

/*
 * False if the port has no RDMA device: ERR_UNSUPPORTED, or ERR_ELSEWHERE if its bond has one on
 * another member.
 */
bool rdma_is_there(const struct port *port, struct err *err) must_check;

/*
 * False also for the uplink of a switch, whose RDMA device is for raw packets: it has no GIDs, and
 * cma_supported() excludes it, so that mkdir fails with ENODEV.
 */
bool rdma_has_roce(const struct port *port, struct err *err) must_check;

/*
 * The number of connected queue pairs of applications on all RDMA devices of this port and of its
 * VFs and SFs, and on its bond's if that has fewer of them than members. Those of DEVX (NCCL's GIN,
 * DOCA) are not listed by the kernel: 0 does not mean idle.
 */
bool rdma_count_active(struct host *h, const struct port *port, unsigned *ret,
		       struct err *err) must_check;

/* Whether network namespaces share the host's RDMA devices. */

/*
 * "shared": every namespace sees every RDMA device; "exclusive": a device is in one namespace
 * (`rdma system show`). `ret` NULL: a kernel without RDMA, or too old to say. ERR_SYSTEM
 * (ETIMEDOUT): the kernel does not answer.
 */
bool rdma_netns_mode(struct host *h, const char **ret, struct err *err) must_check;

#endif
