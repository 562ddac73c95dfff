/* An RDMA device as sysfs shows it, which needs no network interface. */
#ifndef LOSSLESSCTL_ROCE_DEVICE_SYSFS_H
#define LOSSLESSCTL_ROCE_DEVICE_SYSFS_H

#include "../agent/host/host.h"

/* True if the RDMA device is that of the PCI function; false also if that cannot be read. */
bool rdma_is_function(struct host *h, const char *rdma, const char *pci);

/*
 * Describes a port that has id.rdma and rdma_port, and no interface in this network namespace:
 * name, PCI address, driver, firmware, speed, link. A subfunction has no PCI address of its own.
 */
void rdma_describe(struct host *h, struct port *port);

#endif
