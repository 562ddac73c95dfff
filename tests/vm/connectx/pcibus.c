// SPDX-License-Identifier: GPL-2.0
/*
 * PCI root buses of our own with the functions on them: their configuration space, and an interrupt
 * domain whose interrupts we raise ourselves. The driver's MSI-X messages go nowhere.
 */
#include "connectx.h"

#include <linux/iommu.h>
#include <linux/irq.h>
#include <linux/irqdomain.h>
#include <linux/module.h>
#include <linux/msi.h>
#include <linux/version.h>
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
#include <linux/irqchip/irq-msi-lib.h>
#endif

#define CAP_PM		0x40
#define CAP_MSIX	0x9c
#define CAP_SRIOV	0x180

/*
 * Two functions on each of a bus's 32 cards: 3b:00.0, 3b:00.1, 3b:01.0, ... The virtual ones of
 * 3b:00.0 are 3b:00.2, .4 and .6, those of 3b:00.1 are 3b:00.3, .5 and .7. In a tree each port
 * has a bus of its own, and the virtual ones of 3c:00.0 are 3c:00.1, .2 and .3.
 */
#define FIRST_BUS	0x3b
#define PER_BUS		64

static_assert(FW_ROOTS * PER_BUS >= FW_MAX_FUNCTIONS);

static const struct fw_root flat_roots[FW_ROOTS] = {
	{ FIRST_BUS, FIRST_BUS, NUMA_NO_NODE, 0, PER_BUS },
	{ FIRST_BUS + 1, FIRST_BUS + 1, NUMA_NO_NODE, PER_BUS, PER_BUS },
};

static struct pci_bus *roots[FW_ROOTS];
static struct pci_sysdata sysdata[FW_ROOTS];
static struct resource windows[FW_ROOTS];
static struct fwnode_handle *fwnode;
static struct irq_domain *domain;

void fw_set8(struct fw_space *space, int at, u8 value, u8 writable)
{
	space->config[at] = value;
	space->writable[at] = writable;
}

void fw_set16(struct fw_space *space, int at, u16 value, u16 writable)
{
	fw_set8(space, at, value, writable);
	fw_set8(space, at + 1, value >> 8, writable >> 8);
}

void fw_set32(struct fw_space *space, int at, u32 value, u32 writable)
{
	fw_set16(space, at, value, writable);
	fw_set16(space, at + 2, value >> 16, writable >> 16);
}

void fw_pci_add_ext(struct fw_space *space, int at, u16 id)
{
	int last = FW_FIRST_EXT, next;
	u32 header;

	for (;;) {
		header = get_unaligned_le32(&space->config[last]);
		next = PCI_EXT_CAP_NEXT(header);
		if (!next)
			break;
		last = next;
	}
	if (last != at)
		fw_set32(space, last, header | at << 20, 0);
	fw_set32(space, at, id | 1 << 16, 0);
}

static void set_bar(struct fw_function *fn, int at, phys_addr_t bar)
{
	fw_set32(&fn->space, at, lower_32_bits(bar) | PCI_BASE_ADDRESS_MEM_TYPE_64 |
	      PCI_BASE_ADDRESS_MEM_PREFETCH, ~(FW_BAR_SIZE - 1));
	fw_set32(&fn->space, at + 4, upper_32_bits(bar), ~0);
}

void fw_pci_set_link(struct fw_function *fn, u16 speed, u16 lanes)
{
	fw_set16(&fn->space, FW_CAP_EXP + PCI_EXP_LNKSTA, speed | lanes << 4, 0);
}

static void init_express(struct fw_function *fn)
{
	int at = FW_CAP_EXP;

	fw_set8(&fn->space, at, PCI_CAP_ID_EXP, 0);
	fw_set8(&fn->space, at + 1, CAP_MSIX, 0);
	fw_set16(&fn->space, at + PCI_EXP_FLAGS, 2 | PCI_EXP_TYPE_ENDPOINT << 4, 0);
	fw_set32(&fn->space, at + PCI_EXP_DEVCAP, PCI_EXP_DEVCAP_RBER | PCI_EXP_DEVCAP_FLR |
	      PCI_EXP_DEVCAP_EXT_TAG | 2, 0);
	fw_set16(&fn->space, at + PCI_EXP_DEVCTL, PCI_EXP_DEVCTL_RELAX_EN | PCI_EXP_DEVCTL_EXT_TAG |
	      PCI_EXP_DEVCTL_NOSNOOP_EN | PCI_EXP_DEVCTL_READRQ_512B, 0x7fff);
	fw_set32(&fn->space, at + PCI_EXP_LNKCAP, PCI_EXP_LNKCAP_SLS_16_0GB | 16 << 4, 0);
	fw_set16(&fn->space, at + PCI_EXP_LNKCTL, 0, 0x01fb);
	/* That of a virtual function is reserved: pcie_print_link_status() is for others alone. */
	if (!fn->pf)
		fw_pci_set_link(fn, PCI_EXP_LNKSTA_CLS_16_0GB, 16);
	fw_set32(&fn->space, at + PCI_EXP_DEVCAP2, PCI_EXP_DEVCAP2_COMP_TMOUT_DIS, 0);
	fw_set16(&fn->space, at + PCI_EXP_DEVCTL2, 0, 0xffff);
	fw_set32(&fn->space, at + PCI_EXP_LNKCAP2, PCI_EXP_LNKCAP2_SLS_2_5GB | PCI_EXP_LNKCAP2_SLS_5_0GB |
	      PCI_EXP_LNKCAP2_SLS_8_0GB | PCI_EXP_LNKCAP2_SLS_16_0GB, 0);
	fw_set16(&fn->space, at + PCI_EXP_LNKCTL2, PCI_EXP_LNKCTL2_TLS_16_0GT, 0xffff);
}

/* A virtual function's reads as ones: the kernel takes what its physical function says. */
void fw_pci_set_device(struct fw_function *fn)
{
	fw_set16(&fn->space, PCI_DEVICE_ID, fn->pf ? 0xffff : fn->model->device, 0);
	fw_set16(&fn->space, CAP_SRIOV + PCI_SRIOV_VF_DID, fn->model->vf_device, 0);
}

void fw_pci_set_class(struct fw_function *fn, u16 class)
{
	fw_set16(&fn->space, PCI_CLASS_DEVICE, class, 0);
}

static u16 stride(void)
{
	return express ? 1 : 2;
}

void fw_pci_init_sriov(struct fw_function *fn)
{
	int at = CAP_SRIOV;

	fw_pci_add_ext(&fn->space, at, PCI_EXT_CAP_ID_SRIOV);
	fw_set16(&fn->space, at + PCI_SRIOV_CTRL, 0, PCI_SRIOV_CTRL_VFE | PCI_SRIOV_CTRL_MSE);
	fw_set16(&fn->space, at + PCI_SRIOV_INITIAL_VF, FW_VFS, 0);
	fw_set16(&fn->space, at + PCI_SRIOV_TOTAL_VF, FW_VFS, 0);
	fw_set16(&fn->space, at + PCI_SRIOV_NUM_VF, 0, 0xffff);
	fw_set16(&fn->space, at + PCI_SRIOV_VF_OFFSET, stride(), 0);
	fw_set16(&fn->space, at + PCI_SRIOV_VF_STRIDE, stride(), 0);
	fw_set32(&fn->space, at + PCI_SRIOV_SUP_PGSIZE, 1, 0);
	fw_set32(&fn->space, at + PCI_SRIOV_SYS_PGSIZE, 1, ~0);
	set_bar(fn, at + PCI_SRIOV_BAR, fn->vf[0]->bar);
}

void fw_function_init_config(struct fw_function *fn)
{
	fw_set16(&fn->space, PCI_VENDOR_ID, fn->pf ? 0xffff : PCI_VENDOR_ID_MELLANOX, 0);
	fw_pci_set_device(fn);
	fw_set16(&fn->space, PCI_COMMAND, 0, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER |
	      PCI_COMMAND_INTX_DISABLE | PCI_COMMAND_SERR | PCI_COMMAND_PARITY);
	fw_set16(&fn->space, PCI_STATUS, PCI_STATUS_CAP_LIST, 0);
	fw_set16(&fn->space, PCI_CLASS_DEVICE, PCI_CLASS_NETWORK_ETHERNET, 0);
	fw_set8(&fn->space, PCI_CACHE_LINE_SIZE, 16, 0xff);
	fw_set8(&fn->space, PCI_HEADER_TYPE, 0x80, 0);
	if (!fn->pf)
		set_bar(fn, PCI_BASE_ADDRESS_0, fn->bar);
	fw_set16(&fn->space, PCI_SUBSYSTEM_VENDOR_ID, PCI_VENDOR_ID_MELLANOX, 0);
	fw_set16(&fn->space, PCI_SUBSYSTEM_ID, 0x0008, 0);
	fw_set8(&fn->space, PCI_CAPABILITY_LIST, CAP_PM, 0);
	fw_set8(&fn->space, PCI_INTERRUPT_LINE, 0, 0xff);

	fw_set8(&fn->space, CAP_PM, PCI_CAP_ID_PM, 0);
	fw_set8(&fn->space, CAP_PM + 1, FW_CAP_EXP, 0);
	fw_set16(&fn->space, CAP_PM + PCI_PM_PMC, 3, 0);
	init_express(fn);
	fw_set8(&fn->space, CAP_MSIX, PCI_CAP_ID_MSIX, 0);
	fw_set16(&fn->space, CAP_MSIX + PCI_MSIX_FLAGS, FW_MSIX_VECTORS - 1,
	      PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL);
	fw_set32(&fn->space, CAP_MSIX + PCI_MSIX_TABLE, FW_MSIX_TABLE, 0);
	fw_set32(&fn->space, CAP_MSIX + PCI_MSIX_PBA, FW_MSIX_PBA, 0);
	if (express)
		fw_express_function(fn);
}

static const struct fw_root *root_of(unsigned int i)
{
	return express ? &fw_express_roots[i] : &flat_roots[i];
}

static struct fw_function *flat_function_at(struct pci_bus *bus, unsigned int devfn)
{
	unsigned int index = (bus->number - FIRST_BUS) * PER_BUS + PCI_SLOT(devfn) * 2 +
			     PCI_FUNC(devfn) % 2;

	if (index >= fw_function_count)
		return NULL;
	return PCI_FUNC(devfn) < 2 ? fw_functions[index] :
		fw_functions[index]->vf[PCI_FUNC(devfn) / 2 - 1];
}

static struct fw_function *function_at(struct pci_bus *bus, unsigned int devfn)
{
	unsigned int i;

	if (!express)
		return flat_function_at(bus, devfn);
	for (i = 0; i < fw_function_count; i++) {
		if (bus->number == fw_express_bus(fw_functions[i]) && devfn <= FW_VFS)
			return devfn ? fw_functions[i]->vf[devfn - 1] : fw_functions[i];
	}
	return NULL;
}

static struct fw_space *space_at(struct pci_bus *bus, unsigned int devfn)
{
	struct fw_function *fn = function_at(bus, devfn);

	if (fn)
		return &fn->space;
	return express ? fw_express_space(bus->number, devfn) : NULL;
}

static int config_read(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 *value)
{
	struct fw_space *space = space_at(bus, devfn);

	*value = ~0;
	if (!space || where + size > FW_CONFIG_SIZE)
		return PCIBIOS_DEVICE_NOT_FOUND;
	*value = 0;
	memcpy(value, space->config + where, size);
	return PCIBIOS_SUCCESSFUL;
}

/* After an error of the bus the driver takes nothing down before it cuts the function off. */
static void cut_off(struct fw_function *fn)
{
	if (!fn)
		return;
	WRITE_ONCE(fn->cut_off, true);
	fw_wake();
}

static int config_write(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 value)
{
	struct fw_space *space = space_at(bus, devfn);
	bool master;
	int i;

	if (!space || where + size > FW_CONFIG_SIZE)
		return PCIBIOS_DEVICE_NOT_FOUND;
	master = space->config[PCI_COMMAND] & PCI_COMMAND_MASTER;
	for (i = 0; i < size; i++) {
		u8 mask = space->writable[where + i], *byte = &space->config[where + i];

		*byte &= ~(space->cleared[where + i] & value >> 8 * i);
		*byte = (*byte & ~mask) | (value >> 8 * i & mask);
	}
	if (master && !(space->config[PCI_COMMAND] & PCI_COMMAND_MASTER))
		cut_off(function_at(bus, devfn));
	return PCIBIOS_SUCCESSFUL;
}

static struct pci_ops bus_ops = { .read = config_read, .write = config_write };

static void chip_ack(struct irq_data *data)
{
}

static void chip_compose(struct irq_data *data, struct msi_msg *msg)
{
	memset(msg, 0, sizeof(*msg));
}

static int chip_affinity(struct irq_data *data, const struct cpumask *mask, bool force)
{
	irq_data_update_effective_affinity(data, cpumask_of(cpumask_first(mask)));
	return IRQ_SET_MASK_OK_DONE;
}

static struct irq_chip chip = {
	.name = "connectx-msi",
	.irq_ack = chip_ack,
	.irq_compose_msi_msg = chip_compose,
	.irq_set_affinity = chip_affinity,
};

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
static int domain_init_irq(struct irq_domain *d, struct msi_domain_info *info, unsigned int virq,
			   irq_hw_number_t hwirq, msi_alloc_info_t *arg)
{
	irq_domain_set_info(d, virq, hwirq, info->chip, NULL, handle_edge_irq, NULL, "edge");
	return 0;
}

static struct msi_domain_ops domain_ops = { .msi_init = domain_init_irq };

static struct msi_domain_info domain_info = {
	.flags = MSI_FLAG_USE_DEF_DOM_OPS | MSI_FLAG_USE_DEF_CHIP_OPS | MSI_FLAG_PCI_MSIX,
	.ops = &domain_ops,
	.chip = &chip,
};

static struct irq_domain *domain_create(void)
{
	return pci_msi_create_irq_domain(fwnode, &domain_info, NULL);
}
#else
/* The kernel makes a domain of each device upon this one. */
static int domain_alloc(struct irq_domain *d, unsigned int virq, unsigned int n, void *unused)
{
	for (; n--; virq++)
		irq_domain_set_info(d, virq, virq, &chip, NULL, handle_edge_irq, NULL, "edge");
	return 0;
}

static const struct irq_domain_ops domain_ops = {
	.alloc = domain_alloc,
	.free = irq_domain_free_irqs_common,
};

static const struct msi_parent_ops parent_ops = {
	.supported_flags = MSI_GENERIC_FLAGS_MASK | MSI_FLAG_PCI_MSIX | MSI_FLAG_PCI_MSIX_ALLOC_DYN,
	.required_flags = MSI_FLAG_USE_DEF_DOM_OPS | MSI_FLAG_USE_DEF_CHIP_OPS,
	.chip_flags = MSI_CHIP_FLAG_SET_ACK,
	.init_dev_msi_info = msi_lib_init_dev_msi_info,
};

static struct irq_domain *domain_create(void)
{
	struct irq_domain_info info = { .fwnode = fwnode, .ops = &domain_ops };

	return msi_create_parent_irq_domain(&info, &parent_ops);
}
#endif

static unsigned int bus_of(struct fw_function *fn)
{
	return express ? fw_express_bus(fw_uplink(fn)) : FIRST_BUS + fw_uplink(fn)->index / PER_BUS;
}

static unsigned int devfn_of(struct fw_function *fn)
{
	unsigned int index = fw_uplink(fn)->index % PER_BUS, number = 0;

	while (fn->pf && fn->pf->vf[number++] != fn)
		;
	if (express)
		return number;
	return PCI_DEVFN(index / 2, index % 2 + 2 * number);
}

/* The device may have been removed and found again. The caller puts it. */
struct pci_dev *fw_pci_device(struct fw_function *fn)
{
	return pci_get_domain_bus_and_slot(0, bus_of(fn), devfn_of(fn));
}

/* The driver's buffers are at most a page, or mapped in one piece that is contiguous in memory. */
u64 fw_physical(struct fw_function *fn, u64 dma)
{
	struct iommu_domain *iommu = NULL;
	struct pci_dev *pdev;

	if (!express)
		return dma;
	pdev = fw_pci_device(fn);
	if (pdev)
		iommu = iommu_get_domain_for_dev(&pdev->dev);
	pci_dev_put(pdev);
	return iommu ? iommu_iova_to_phys(iommu, dma) : dma;
}

void fw_pci_address(struct fw_function *fn, char *text, size_t size)
{
	unsigned int devfn = devfn_of(fn);

	snprintf(text, size, "0000:%02x:%02x.%u", bus_of(fn), PCI_SLOT(devfn), PCI_FUNC(devfn));
}

/* Returns the number of root buses that the functions need. */
static unsigned int buses(void)
{
	return express ? FW_ROOTS : DIV_ROUND_UP(fw_function_count, PER_BUS);
}

static int root_create(unsigned int i)
{
	LIST_HEAD(resources);
	struct pci_bus *root;

	sysdata[i].node = root_of(i)->node;
	pci_add_resource(&resources, &windows[i]);
	root = pci_create_root_bus(NULL, root_of(i)->bus, &bus_ops, &sysdata[i], &resources);
	if (!root) {
		pci_free_resource_list(&resources);
		return -ENOMEM;
	}
	roots[i] = root;
	root->busn_res.end = root_of(i)->last;	/* virtual functions are not put beyond it */
	dev_set_msi_domain(&root->dev, domain);
	pci_scan_child_bus(root);
	pci_bus_claim_resources(root);
	pci_bus_add_devices(root);
	return 0;
}

static void roots_remove(void)
{
	unsigned int i;

	pci_lock_rescan_remove();
	for (i = 0; i < FW_ROOTS; i++) {
		if (!roots[i])
			continue;
		pci_stop_root_bus(roots[i]);
		pci_remove_root_bus(roots[i]);
		roots[i] = NULL;
	}
	pci_unlock_rescan_remove();
}

static int roots_create(void)
{
	unsigned int i;
	int err = 0;

	pci_lock_rescan_remove();
	for (i = 0; i < buses() && !err; i++)
		err = root_create(i);
	pci_unlock_rescan_remove();
	if (err)
		roots_remove();
	return err;
}

static void windows_remove(unsigned int n)
{
	while (n--)
		remove_resource(&windows[n]);
}

/* Each bus has its part of the hole in memory. */
static int windows_insert(phys_addr_t base)
{
	unsigned int i;
	int err;

	for (i = 0; i < buses(); i++) {
		windows[i].name = "connectx";
		windows[i].flags = IORESOURCE_MEM | IORESOURCE_MEM_64;
		windows[i].start = base + root_of(i)->first_bar * FW_BAR_SIZE;
		windows[i].end = windows[i].start + root_of(i)->bars * FW_BAR_SIZE - 1;
		err = insert_resource(&iomem_resource, &windows[i]);
		if (err) {
			windows_remove(i);
			return err;
		}
	}
	return 0;
}

int fw_bus_create(phys_addr_t base)
{
	int err;

	if (express)
		fw_express_init(base);
	err = windows_insert(base);
	if (err)
		return err;
	err = -ENOMEM;
	fwnode = irq_domain_alloc_named_fwnode("connectx-msi");
	if (!fwnode)
		goto no_fwnode;
	domain = domain_create();
	if (!domain)
		goto no_domain;
	err = roots_create();
	if (!err)
		return 0;
	irq_domain_remove(domain);
no_domain:
	irq_domain_free_fwnode(fwnode);
no_fwnode:
	windows_remove(buses());
	return err;
}

void fw_bus_destroy(void)
{
	roots_remove();
	irq_domain_remove(domain);
	irq_domain_free_fwnode(fwnode);
	windows_remove(buses());
}
