/* The VFs and SFs of a port: functions of its adapter that have no wire but the port's. */
#ifndef LOSSLESSCTL_AGENT_HOST_PCI_FUNCTIONS_H
#define LOSSLESSCTL_AGENT_HOST_PCI_FUNCTIONS_H

#include "host.h"

/*
 * True if this device of a class, "net" or "infiniband", is of a VF or SF of the port: a VF names
 * its PF, and the device above an SF, of the auxiliary bus, is the port's.
 */
bool function_has(struct host *h, const struct port *port, const char *class, const char *name);

/* Sets the port as the device below the interfaces of its VFs and SFs. */
void links_under_functions(struct host *h, const struct port *port, struct link_list *links);

/*
 * Takes each device without a kind and without hardware for a tunnel: the kernel does not tell how
 * its packets leave. That of an L2TP session is one (l2tp_eth_dev_setup()).
 */
void links_without_device(struct host *h, struct link_list *links);

#define UEVENT_MAX 1024 /* a device's file "uevent" in sysfs */

/* Copies the value of "KEY=" up to one of `ends`; false, and *ret is left alone, without it. */
bool uevent_value(const char *uevent, const char *key, const char *ends, char ret[ID_MAX]);

/*
 * Calls `each` for the interfaces of the port's VFs and SFs in this network namespace. A port
 * without a PCI device has none. Errors are those of host_list_dir().
 */
bool functions_here(struct host *h, const struct port *port,
		    void (*each)(const char *interface, void *arg), void *arg,
		    struct err *err) must_check;

/* VFs and SFs whose traffic cannot be seen here: a virtual machine or a container has them. */
struct functions_elsewhere {
	unsigned count;
	char first[ID_MAX], driver[ID_MAX]; /* one's PCI address, or an SF's device; its driver */
};

/* A port without a PCI device has none. Errors are those of host_list_dir(). */
bool functions_elsewhere(struct host *h, const struct port *port, struct functions_elsewhere *ret,
			 struct err *err) must_check;

/* The kind of an adapter of NVIDIA, by its PCI device id. */

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
