// SPDX-License-Identifier: GPL-2.0
/*
 * Registers of the PCI Express capability that are read-only in QEMU's devices. This file keeps
 * their values; the kernel, and with it setpci and sysfs, finds them in configuration space.
 */
#include <linux/pci.h>
#include <linux/version.h>

#include "mlx5sim.h"

static const struct {
	const char *name;
	u8 at;
	u8 size;
} registers[] = {
	{ "devctl", PCI_EXP_DEVCTL, 2 },
	{ "lnkcap", PCI_EXP_LNKCAP, 4 },
	{ "lnksta", PCI_EXP_LNKSTA, 2 },
	{ "lnkcap2", PCI_EXP_LNKCAP2, 4 },	/* holds all speeds above 5 GT/s */
};

/* Writable bits of Device Control: relaxed ordering; no snoop and the largest read request. */
static const u8 writable[SIM_PCIE_BYTES] = {
	[PCI_EXP_DEVCTL] = PCI_EXP_DEVCTL_RELAX_EN,
	[PCI_EXP_DEVCTL + 1] = (PCI_EXP_DEVCTL_NOSNOOP_EN | PCI_EXP_DEVCTL_READRQ) >> 8,
};

static struct pci_ops *real;	/* x86 has one for all buses */

/* Index of the kept byte at this offset, or -1. Under the kernel's lock of configuration space. */
static int index_of(const struct sim_slot *slot, int where)
{
	int i = slot && slot->pcie.at ? where - slot->pcie.at : -1;

	return i < SIM_PCIE_BYTES ? i : -1;
}

static void merge(u8 *byte, u8 other, u8 mask)
{
	*byte = (*byte & ~mask) | (other & mask);
}

static int read_config(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 *val)
{
	const struct sim_slot *slot = sim_slot_find(bus, devfn);
	int err = real->read(bus, devfn, where, size, val);
	u8 *bytes = (u8 *)val;	/* little-endian, as the registers are */
	int b, i;

	for (b = 0; b < size; b++) {
		i = index_of(slot, where + b);
		if (i >= 0)
			merge(&bytes[b], slot->pcie.value[i], slot->pcie.mask[i]);
	}
	return err;
}

static int write_config(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 val)
{
	struct sim_slot *slot = sim_slot_find(bus, devfn);
	int b, i;

	for (b = 0; b < size; b++) {
		i = index_of(slot, where + b);
		if (i >= 0)
			merge(&slot->pcie.value[i], val >> (8 * b), writable[i]);
	}
	return real->write(bus, devfn, where, size, val);
}

static struct pci_ops own = { .read = read_config, .write = write_config };

static void set_register(struct sim_pcie *pcie, u8 at, u8 size, u32 value)
{
	int b;

	for (b = 0; b < size; b++) {
		pcie->value[at + b] = value >> (8 * b);
		pcie->mask[at + b] = 0xff;
	}
}

/* Since 6.12 the kernel reads the speeds only when it finds the device: update its copy. */
static void know_speeds(struct pci_dev *pdev)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	u32 speeds;

	pcie_capability_read_dword(pdev, PCI_EXP_LNKCAP2, &speeds);
	if (speeds & PCI_EXP_LNKCAP2_SLS)
		pdev->supported_speeds = speeds & PCI_EXP_LNKCAP2_SLS;
#endif
}

/* The base specification's defaults: reads of 512 bytes, and relaxed ordering on. */
void sim_pcie_add(struct pci_dev *pdev, struct sim_slot *slot)
{
	if (!pci_is_pcie(pdev))
		return;
	if (!slot->pcie.at) {
		memcpy(slot->pcie.mask, writable, sizeof(writable));
		slot->pcie.value[PCI_EXP_DEVCTL] = PCI_EXP_DEVCTL_RELAX_EN;
		slot->pcie.value[PCI_EXP_DEVCTL + 1] = PCI_EXP_DEVCTL_READRQ_512B >> 8;
		slot->pcie.at = pdev->pcie_cap;
	}
	real = pci_bus_set_ops(pdev->bus, &own);
}

void sim_pcie_remove(struct pci_dev *pdev)
{
	if (pci_is_pcie(pdev))
		pci_bus_set_ops(pdev->bus, real);
}

int sim_pcie_register(struct sim_port *p, int argc, char **argv)
{
	struct sim_pcie *pcie = &p->fn->slot->pcie;
	u32 value;
	int i;

	if (!pcie->at)
		return -EOPNOTSUPP;
	if (kstrtou32(argv[1], 0, &value))
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(registers); i++)
		if (!strcmp(registers[i].name, argv[0])) {
			set_register(pcie, registers[i].at, registers[i].size, value);
			know_speeds(p->pdev);
			return 0;
		}
	return -EINVAL;
}
