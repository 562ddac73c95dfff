/* The kind of an adapter of NVIDIA, by its PCI device id. */
#ifndef LOSSLESSCTL_AGENT_HOST_PCI_DEVICE_H
#define LOSSLESSCTL_AGENT_HOST_PCI_DEVICE_H

#include "host.h"

struct pci_device {
	uint16_t id;
	bool is_vf;
	bool is_bluefield;
};

/*
 * The device of a network interface, by the PCI ids in sysfs. Only virtual functions and BlueFields
 * have rows; NULL: neither of them, or unknown.
 * Source: mlx5_core_pci_table in drivers/net/ethernet/mellanox/mlx5/core/main.c.
 */
const struct pci_device *pci_device_of(struct host *h, const char *netdev);

#endif
