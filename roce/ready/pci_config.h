/* PCI devices in sysfs: their configuration space, and the bridges above them. */
#ifndef LOSSLESSCTL_ROCE_READY_PCI_CONFIG_H
#define LOSSLESSCTL_ROCE_READY_PCI_CONFIG_H

#include "../../agent/host/host.h"

#define PCI_DEPTH_MAX 16 /* bridges above a device */
#define PCI_NAME_MAX  16 /* "0000:3b:00.0" */
#define PCI_PATH_MAX  128

/*
 * The configuration space of a device. Without CAP_SYS_ADMIN the kernel gives the first 64 bytes
 * (pci_read_config() of drivers/pci/pci-sysfs.c).
 */
struct pci_config {
	uint8_t bytes[4096 + 2];
	bool is_whole; /* capabilities can be read */
};

/*
 * Writes the sysfs directory of the device that is `up` bridges above an address; 0: its own.
 * sysfs's links lead to the tree of devices, where the parent is the bridge.
 */
char *pci_path(const char *address, unsigned up, char path[PCI_PATH_MAX]);

/* Errors are those of host_read_file(). */
bool pci_config_read(struct host *h, const char *path, struct pci_config *ret,
		     struct err *err) must_check;

/* The offset of a capability, as PCI_CAP_ID_EXP; 0: the device has none. */
unsigned pci_capability(const struct pci_config *c, uint8_t id);

/* The offset of an extended capability, as PCI_EXT_CAP_ID_ACS; 0: the device has none. */
unsigned pci_extended_capability(const struct pci_config *c, uint16_t id);

/* The register of 16 bits at an offset. */
uint16_t pci_word(const struct pci_config *c, unsigned at);

/* The address of the device in this directory; false: there is none, as above a root port. */
bool pci_name(struct host *h, const char *path, char ret[PCI_NAME_MAX]);

/* The devices above an address, the nearest first; returns their number. */
size_t pci_bridges(struct host *h, const char *address, char ret[PCI_DEPTH_MAX][PCI_NAME_MAX]);

#endif
