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
#define CAP_MSI		0x80
#define CAP_AER		FW_FIRST_EXT
#define CAP_ACS		0x150	/* bridges have it */
#define CAP_ATS		0x150	/* functions have it in the same place */
#define GPU		0x73bf	/* a card of AMD */

/* Those of a port and of its virtual functions. */
#define BARS		(1 + FW_VFS)

const struct fw_root fw_express_roots[FW_ROOTS] = {
	{ 0x3b, 0x3c, NUMA_NO_NODE, 0, BARS },
	{ 0x80, 0x84, 1, BARS, BARS },
};

static const u8 function_bus[] = { 0x3c, 0x83 };

#define NO_BAR		~0u

/* Bridges lead to the buses from SECONDARY to LAST, which have BARS from this number on. */
static const struct bus_place {
	u8 bus, slot, type, secondary, last;
	unsigned int bar;
	u16 speed, lanes;
} places[] = {
	{ 0x3b, 0, PCI_EXP_TYPE_ROOT_PORT, 0x3c, 0x3c, 0, PCI_EXP_LNKCAP_SLS_8_0GB, 8 },
	{ 0x80, 0, PCI_EXP_TYPE_ROOT_PORT, 0x81, 0x84, BARS, PCI_EXP_LNKCAP_SLS_16_0GB, 16 },
	{ 0x81, 0, PCI_EXP_TYPE_UPSTREAM, 0x82, 0x84, BARS, PCI_EXP_LNKCAP_SLS_16_0GB, 16 },
	{ 0x82, 0, PCI_EXP_TYPE_DOWNSTREAM, 0x83, 0x83, BARS, PCI_EXP_LNKCAP_SLS_16_0GB, 16 },
	{ 0x82, 1, PCI_EXP_TYPE_DOWNSTREAM, 0x84, 0x84, NO_BAR, PCI_EXP_LNKCAP_SLS_16_0GB, 16 },
	{ 0x84, 0, PCI_EXP_TYPE_ENDPOINT, 0, 0, 0, PCI_EXP_LNKCAP_SLS_16_0GB, 16 },
};

static struct fw_space spaces[ARRAY_SIZE(places)];

static void init_common(struct fw_space *space, const struct bus_place *place)
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

static void init_bridge(struct fw_space *space, const struct bus_place *place, phys_addr_t base)
{
	phys_addr_t first = base + place->bar * (phys_addr_t)FW_BAR_SIZE, last = first + BARS * FW_BAR_SIZE - 1;

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

	fw_pci_add_ext(space, CAP_ACS, PCI_EXT_CAP_ID_ACS);
	fw_set16(space, CAP_ACS + PCI_ACS_CAP, all, 0);
	fw_set16(space, CAP_ACS + PCI_ACS_CTRL, 0, all);
}

static void add_bits(struct fw_space *space, int at, u32 bits)
{
	put_unaligned_le32(get_unaligned_le32(&space->config[at]) | bits, &space->config[at]);
}

static void set_cleared(struct fw_space *space, int at, u32 bits)
{
	put_unaligned_le32(bits, &space->cleared[at]);
}

/* Severities are those of PCI Express at power on. */
static void init_aer(struct fw_space *space)
{
	u32 fatal = PCI_ERR_UNC_DLP | PCI_ERR_UNC_SURPDN | PCI_ERR_UNC_FCP | PCI_ERR_UNC_RX_OVER |
		PCI_ERR_UNC_MALF_TLP | PCI_ERR_UNC_INTN;

	fw_pci_add_ext(space, CAP_AER, PCI_EXT_CAP_ID_ERR);
	set_cleared(space, CAP_AER + PCI_ERR_UNCOR_STATUS, ~0);
	fw_set32(space, CAP_AER + PCI_ERR_UNCOR_MASK, PCI_ERR_UNC_INTN, ~0);
	fw_set32(space, CAP_AER + PCI_ERR_UNCOR_SEVER, fatal, ~0);
	set_cleared(space, CAP_AER + PCI_ERR_COR_STATUS, ~0);
	fw_set32(space, CAP_AER + PCI_ERR_COR_MASK, PCI_ERR_COR_ADV_NFAT | PCI_ERR_COR_INTERNAL, ~0);
}

/* A root port interrupts for the errors that arrive at it. */
static void init_root_port(struct fw_space *space)
{
	fw_set8(space, CAP_EXP + 1, CAP_MSI, 0);
	fw_set8(space, CAP_MSI, PCI_CAP_ID_MSI, 0);
	fw_set16(space, CAP_MSI + PCI_MSI_FLAGS, PCI_MSI_FLAGS_64BIT, PCI_MSI_FLAGS_ENABLE);
	fw_set32(space, CAP_MSI + PCI_MSI_ADDRESS_LO, 0, ~3);
	fw_set32(space, CAP_MSI + PCI_MSI_ADDRESS_HI, 0, ~0);
	fw_set16(space, CAP_MSI + PCI_MSI_DATA_64, 0, ~0);
	fw_set32(space, CAP_AER + PCI_ERR_ROOT_COMMAND, 0, PCI_ERR_ROOT_CMD_COR_EN |
		 PCI_ERR_ROOT_CMD_NONFATAL_EN | PCI_ERR_ROOT_CMD_FATAL_EN);
	set_cleared(space, CAP_AER + PCI_ERR_ROOT_STATUS, 0x7f);
	init_acs(space);
}

/* The first error of a kind leaves its source, which is in the upper half for those not corrected. */
static void error_arrives(struct fw_space *root, bool correctable, u16 source)
{
	u32 first = correctable ? PCI_ERR_ROOT_COR_RCV : PCI_ERR_ROOT_UNCOR_RCV;
	u32 status = get_unaligned_le32(&root->config[CAP_AER + PCI_ERR_ROOT_STATUS]);

	if (status & first)
		first <<= 1;	/* the bit of several */
	else
		put_unaligned_le16(source, &root->config[CAP_AER + PCI_ERR_ROOT_ERR_SRC +
							 2 * !correctable]);
	add_bits(root, CAP_AER + PCI_ERR_ROOT_STATUS,
		 first | (correctable ? 0 : PCI_ERR_ROOT_NONFATAL_RCV));
}

static void interrupt(unsigned int bus)
{
	struct pci_dev *port = pci_get_domain_bus_and_slot(0, bus, 0);

	if (port && port->msi_enabled)
		fw_irq_raise(port->irq);
	pci_dev_put(port);
}

int fw_express_error(struct fw_function *fn, bool correctable)
{
	unsigned int bus = fw_express_roots[fn->index].bus;
	struct fw_space *root = fw_express_space(bus, 0);

	if (!express)
		return -EINVAL;
	if (correctable)
		add_bits(&fn->space, CAP_AER + PCI_ERR_COR_STATUS, PCI_ERR_COR_BAD_TLP);
	else
		add_bits(&fn->space, CAP_AER + PCI_ERR_UNCOR_STATUS, PCI_ERR_UNC_COMP_TIME);
	error_arrives(root, correctable, function_bus[fn->index] << 8);
	interrupt(bus);
	return 0;
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
		init_aer(&spaces[i]);
		if (places[i].type == PCI_EXP_TYPE_ROOT_PORT)
			init_root_port(&spaces[i]);
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
	if (fn->pf)
		return;
	if (!fn->index)
		fw_pci_set_link(fn, PCI_EXP_LNKSTA_CLS_8_0GB, 8);
	init_aer(&fn->space);
	fw_pci_add_ext(&fn->space, CAP_ATS, PCI_EXT_CAP_ID_ATS);
	fw_set16(&fn->space, CAP_ATS + PCI_ATS_CAP, PCI_ATS_CAP_PAGE_ALIGNED, 0);
	fw_set16(&fn->space, CAP_ATS + PCI_ATS_CTRL, 0, PCI_ATS_CTRL_ENABLE | 0x1f);
}
