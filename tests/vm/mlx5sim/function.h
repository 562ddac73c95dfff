/* SPDX-License-Identifier: GPL-2.0 */
/* A PCI function: it keeps its devlink instance while a reload replaces the port. */
#ifndef MLX5SIM_FUNCTION_H
#define MLX5SIM_FUNCTION_H

#include <linux/if.h>
#include <linux/types.h>

#include "fault.h"

struct devlink;
struct pci_bus;
struct pci_dev;
struct sim_port;
struct sim_slot;

struct sim_function {
	struct pci_dev *pdev;
	struct sim_slot *slot;
	struct devlink *devlink;
	struct sim_port *port;		/* NULL: removed, and not created again */
	bool roce;			/* enable_roce at the last initialisation */
	bool has_param;
	int up_error;			/* makes the second half of a reload fail */
	char name[IFNAMSIZ];		/* the removed netdev's */
	bool up;
	bool carrier_held;
	struct sim_fault faults[SIM_OP_COUNT];
};

/* main.c */
struct sim_slot *sim_slot_get(const struct pci_dev *pdev);
struct sim_slot *sim_slot_find(struct pci_bus *bus, unsigned int devfn);

/* pcie.c */
void sim_pcie_add(struct pci_dev *pdev, struct sim_slot *slot);
void sim_pcie_remove(struct pci_dev *pdev);
int sim_pcie_register(struct sim_port *p, int argc, char **argv);

/* function.c; callers hold sim_ports_lock */
int sim_function_load(struct sim_function *fn);
void sim_function_unload(struct sim_function *fn);
struct sim_port *sim_function_second(const struct sim_port *p); /* the card's other port */
bool sim_function_bonded(struct sim_function *fn);

/* devlink.c; never under RTNL or the devlink lock */
int sim_devlink_add(struct sim_function *fn);
void sim_devlink_remove(struct sim_function *fn);
int sim_devlink_update(struct sim_function *fn);

#endif
