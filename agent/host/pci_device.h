/* The kind of an adapter of NVIDIA, by its PCI device id. */
#ifndef LOSSLESSCTL_AGENT_HOST_PCI_DEVICE_H
#define LOSSLESSCTL_AGENT_HOST_PCI_DEVICE_H

#include "host.h"

struct pci_device {
	uint16_t id;
	bool is_vf;
	bool is_bluefield;
	bool is_connectx4; /* or ConnectX-4 Lx */
};

/*
 * The device of this sysfs directory (/sys/class/net/ens1f0np0/device), by its PCI ids. Only
 * virtual functions, BlueFields and ConnectX-4 have rows; NULL: none of them, or unknown.
 * Source: mlx5_core_pci_table in drivers/net/ethernet/mellanox/mlx5/core/main.c.
 */
const struct pci_device *pci_device_of(struct host *h, const char *device);

#endif
