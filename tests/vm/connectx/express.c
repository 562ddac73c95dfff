// SPDX-License-Identifier: GPL-2.0
/*
 * A tree of PCI Express for two adapters, in place of root buses with adapters alone. The first one
 * has a slot of 8 GT/s and 8 lanes, whose NUMA node the BIOS does not tell. The second one shares a switch with a GPU on
 * node 1. Root ports have ACS, the bridges of the switch have none.
 */
#include "connectx.h"

#include <linux/module.h>

bool express;
module_param(express, bool, 0444);
MODULE_PARM_DESC(express, "bridges of PCI Express, two NUMA nodes and a GPU, with two ports");

#define CAP_EXP		0x40
#define FIRST_EXT	0x100
#define GPU		0x73bf	/* a card of AMD */

const struct fw_root fw_express_roots[FW_ROOTS] = {
	{ 0x3b, 0x3c, NUMA_NO_NODE, 0, 1 },
	{ 0x80, 0x84, 1, 1, 1 },
};

static const u8 function_bus[] = { 0x3c, 0x83 };

#define NO_BAR		~0u

/* Bridges lead to the buses from SECONDARY to LAST, which have the BAR of this number. */
static const struct place {
	u8 bus, slot, type, secondary, last;
	unsigned int bar;
	u16 speed, lanes;
} places[] = {
	{ 0x3b, 0, PCI_EXP_TYPE_ROOT_PORT, 0x3c, 0x3c, 0, PCI_EXP_LNKCAP_SLS_8_0GB, 8 },
	{ 0x80, 0, PCI_EXP_TYPE_ROOT_PORT, 0x81, 0x84, 1, PCI_EXP_LNKCAP_SLS_16_0GB, 16 },
	{ 0x81, 0, PCI_EXP_TYPE_UPSTREAM, 0x82, 0x84, 1, PCI_EXP_LNKCAP_SLS_16_0GB, 16 },
	{ 0x82, 0, PCI_EXP_TYPE_DOWNSTREAM, 0x83, 0x83, 1, PCI_EXP_LNKCAP_SLS_16_0GB, 16 },
	{ 0x82, 1, PCI_EXP_TYPE_DOWNSTREAM, 0x84, 0x84, NO_BAR, PCI_EXP_LNKCAP_SLS_16_0GB, 16 },
	{ 0x84, 0, PCI_EXP_TYPE_ENDPOINT, 0, 0, 0, PCI_EXP_LNKCAP_SLS_16_0GB, 16 },
};

static struct fw_space spaces[ARRAY_SIZE(places)];

static void init_common(struct fw_space *space, const struct place *place)
{
	int at = CAP_EXP;

	fw_set16(space, PCI_COMMAND, 0, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER |
		 PCI_COMMAND_INTX_DISABLE | PCI_COMMAND_SERR | PCI_COMMAND_PARITY);
	fw_set16(space, PCI_STATUS, PCI_STATUS_CAP_LIST, 0);
	fw_set8(space, PCI_CAPABILITY_LIST, at, 0);
	fw_set8(space, at, PCI_CAP_ID_EXP, 0);
	fw_set16(space, at + PCI_EXP_FLAGS, 2 | place->type << 4, 0);
	fw_set32(space, at + PCI_EXP_DEVCAP, PCI_EXP_DEVCAP_RBER | 2, 0);
	fw_set16(space, at + PCI_EXP_DEVCTL, PCI_EXP_DEVCTL_RELAX_EN, 0x7fff);
	fw_set32(space, at + PCI_EXP_LNKCAP, place->speed | place->lanes << 4, 0);
	fw_set16(space, at + PCI_EXP_LNKCTL, 0, 0x01fb);
	fw_set16(space, at + PCI_EXP_LNKSTA, place->speed | place->lanes << 4, 0);
	fw_set32(space, at + PCI_EXP_LNKCAP2, GENMASK(place->speed, 1), 0);
	fw_set16(space, at + PCI_EXP_LNKCTL2, place->speed, 0xffff);
}

static void init_bridge(struct fw_space *space, const struct place *place, phys_addr_t base)
{
	phys_addr_t first = base + place->bar * (phys_addr_t)FW_BAR_SIZE, last = first + FW_BAR_SIZE - 1;

	fw_set16(space, PCI_VENDOR_ID, PCI_VENDOR_ID_MELLANOX, 0);
	fw_set16(space, PCI_DEVICE_ID, 0x1979, 0);	/* the bridge of a ConnectX */
	fw_set16(space, PCI_CLASS_DEVICE, PCI_CLASS_BRIDGE_PCI, 0);
	fw_set8(space, PCI_HEADER_TYPE, PCI_HEADER_TYPE_BRIDGE, 0);
	fw_set8(space, PCI_PRIMARY_BUS, place->bus, 0xff);
	fw_set8(space, PCI_SECONDARY_BUS, place->secondary, 0xff);
	fw_set8(space, PCI_SUBORDINATE_BUS, place->last, 0xff);
	/* No window for ports, none for memory that cannot be prefetched: each ends before it begins. */
	fw_set8(space, PCI_IO_BASE, 0xf0, 0);
	fw_set16(space, PCI_MEMORY_BASE, 0xfff0, 0);
	fw_set16(space, PCI_PREF_MEMORY_BASE, first >> 16 | PCI_PREF_RANGE_TYPE_64, 0xfff0);
	fw_set16(space, PCI_PREF_MEMORY_LIMIT, (last >> 16 & 0xfff0) | PCI_PREF_RANGE_TYPE_64, 0xfff0);
	fw_set32(space, PCI_PREF_BASE_UPPER32, upper_32_bits(first), ~0);
	fw_set32(space, PCI_PREF_LIMIT_UPPER32, upper_32_bits(last), ~0);
	if (place->bar == NO_BAR) {
		fw_set16(space, PCI_PREF_MEMORY_BASE, 0xfff0 | PCI_PREF_RANGE_TYPE_64, 0);
		fw_set16(space, PCI_PREF_MEMORY_LIMIT, PCI_PREF_RANGE_TYPE_64, 0);
	}
	fw_set16(space, PCI_BRIDGE_CONTROL, 0, 0xff);
}

static void init_acs(struct fw_space *space)
{
	u16 all = PCI_ACS_SV | PCI_ACS_TB | PCI_ACS_RR | PCI_ACS_CR | PCI_ACS_UF;

	fw_set32(space, FIRST_EXT, PCI_EXT_CAP_ID_ACS | 1 << 16, 0);
	fw_set16(space, FIRST_EXT + PCI_ACS_CAP, all, 0);
	fw_set16(space, FIRST_EXT + PCI_ACS_CTRL, 0, all);
}

static void init_gpu(struct fw_space *space)
{
	fw_set16(space, PCI_VENDOR_ID, PCI_VENDOR_ID_ATI, 0);
	fw_set16(space, PCI_DEVICE_ID, GPU, 0);
	fw_set16(space, PCI_CLASS_DEVICE, PCI_CLASS_DISPLAY_VGA, 0);
}

void fw_express_init(phys_addr_t base)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		init_common(&spaces[i], &places[i]);
		if (places[i].type == PCI_EXP_TYPE_ENDPOINT)
			init_gpu(&spaces[i]);
		else
			init_bridge(&spaces[i], &places[i], base);
		if (places[i].type == PCI_EXP_TYPE_ROOT_PORT)
			init_acs(&spaces[i]);
	}
}

struct fw_space *fw_express_space(unsigned int bus, unsigned int devfn)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		if (places[i].bus == bus && PCI_DEVFN(places[i].slot, 0) == devfn)
			return &spaces[i];
	}
	return NULL;
}

unsigned int fw_express_bus(const struct fw_function *fn)
{
	return function_bus[fn->index];
}

void fw_express_function(struct fw_function *fn)
{
	if (!fn->index)
		fw_pci_set_link(fn, PCI_EXP_LNKSTA_CLS_8_0GB, 8);
	fw_set32(&fn->space, FIRST_EXT, PCI_EXT_CAP_ID_ATS | 1 << 16, 0);
	fw_set16(&fn->space, FIRST_EXT + PCI_ATS_CAP, PCI_ATS_CAP_PAGE_ALIGNED, 0);
	fw_set16(&fn->space, FIRST_EXT + PCI_ATS_CTRL, 0, PCI_ATS_CTRL_ENABLE | 0x1f);
}
