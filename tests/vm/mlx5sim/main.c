// SPDX-License-Identifier: GPL-2.0
/*
 * mlx5sim: ports that look like ConnectX to user space. Every QEMU pci-testdev
 * function, and every device that driver_override gives it, becomes one port with
 * a PCI address, a netdev and an RDMA device.
 */
#include <linux/module.h>
#include <linux/version.h>

#include "mlx5sim.h"

unsigned int sim_carrier_ms = 20;
module_param_named(carrier_ms, sim_carrier_ms, uint, 0644);
MODULE_PARM_DESC(carrier_ms, "Time for the link to come up after open or toggle, ms");

bool sim_legacy;
module_param_named(legacy, sim_legacy, bool, 0644);
MODULE_PARM_DESC(legacy, "Behave as drivers before the 2025/26 stable fixes did");

bool sim_ownership_query = LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0);
module_param_named(ownership_query, sim_ownership_query, bool, 0644);
MODULE_PARM_DESC(ownership_query, "Driver asks firmware who owns the buffers (6.12) instead of keeping a flag (6.1)");

bool sim_sw_buffer_ownership;
module_param_named(sw_buffer_ownership, sim_sw_buffer_ownership, bool, 0644);
MODULE_PARM_DESC(sw_buffer_ownership, "Firmware reports software-owned buffers at power on");

static bool sim_dcbx_fw;
module_param_named(dcbx_fw, sim_dcbx_fw, bool, 0644);
MODULE_PARM_DESC(dcbx_fw, "Firmware runs DCBX at power on");

DEFINE_MUTEX(sim_ports_lock);
LIST_HEAD(sim_ports);
struct dentry *sim_dbg_mlx5;
struct proc_dir_entry *sim_proc_root;

static LIST_HEAD(slots);

struct sim_slot *sim_slot_find(struct pci_bus *bus, unsigned int devfn)
{
	struct sim_slot *slot;

	list_for_each_entry(slot, &slots, node)
		if (slot->domain == pci_domain_nr(bus) && slot->bus == bus->number &&
		    slot->devfn == devfn)
			return slot;
	return NULL;
}

static u32 default_caps(void)
{
	u32 caps = BIT(SIM_CAP_COUNT) - 1;

	caps &= ~BIT(SIM_CAP_MAXRATE16) & ~BIT(SIM_CAP_PCIE_CONG);
	if (LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0))
		caps &= ~BIT(SIM_CAP_RTT);
	return caps;
}

/* Probe order gives the index; a port that is probed again keeps its registers. */
struct sim_slot *sim_slot_get(const struct pci_dev *pdev)
{
	struct sim_slot *slot = sim_slot_find(pdev->bus, pdev->devfn);
	static unsigned int next;

	if (slot)
		return slot;
	slot = kzalloc(sizeof(*slot), GFP_KERNEL);
	if (!slot)
		return NULL;
	slot->domain = pci_domain_nr(pdev->bus);
	slot->bus = pdev->bus->number;
	slot->devfn = pdev->devfn;
	slot->index = next++;
	slot->hw.caps = default_caps();
	slot->hw.max_tc = SIM_TCS - 1;
	slot->hw.autoneg = true;
	sim_speed_set(&slot->hw, SPEED_100000);
	slot->hw.fec = ETHTOOL_FEC_RS;
	fw_power_on(&slot->hw);
	if (sim_dcbx_fw)
		slot->hw.dcbx_host = false;
	list_add_tail(&slot->node, &slots);
	return slot;
}

static int load(struct sim_function *fn)
{
	int err;

	mutex_lock(&sim_ports_lock);
	fn->slot = sim_slot_get(fn->pdev);
	err = fn->slot ? sim_function_load(fn) : -ENOMEM;
	mutex_unlock(&sim_ports_lock);
	return err;
}

static void unload(struct sim_function *fn)
{
	mutex_lock(&sim_ports_lock);
	sim_function_unload(fn);
	mutex_unlock(&sim_ports_lock);
}

/* Set the ids in sysfs. An unbind restores QEMU's own, by which the kernel finds the driver. */
void sim_pci_show(struct pci_dev *pdev, const struct sim_hw *hw)
{
	pci_read_config_word(pdev, PCI_VENDOR_ID, &pdev->vendor);
	pci_read_config_word(pdev, PCI_DEVICE_ID, &pdev->device);
	if (!hw || !hw->pci_device)
		return;
	pdev->vendor = PCI_VENDOR_ID_MELLANOX;
	pdev->device = hw->pci_device;
}

static int sim_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct sim_function *fn;
	int err;

	err = pcim_enable_device(pdev);
	if (err)
		return err;
	fn = devm_kzalloc(&pdev->dev, sizeof(*fn), GFP_KERNEL);
	if (!fn)
		return -ENOMEM;
	fn->pdev = pdev;
	fn->roce = true;
	pci_set_drvdata(pdev, fn);
	err = load(fn);
	if (err)
		return err;
	sim_pci_show(pdev, &fn->slot->hw);
	sim_pcie_add(pdev, fn->slot);
	err = sim_devlink_add(fn);
	if (err) {
		sim_pcie_remove(pdev);
		unload(fn);
	}
	return err;
}

/* Remove devlink first: a reload must have ended. */
static void sim_remove(struct pci_dev *pdev)
{
	struct sim_function *fn = pci_get_drvdata(pdev);

	sim_devlink_remove(fn);
	unload(fn);
	sim_pcie_remove(pdev);
	sim_pci_show(pdev, NULL);
}

static const struct pci_device_id sim_ids[] = {
	{ PCI_DEVICE(PCI_VENDOR_ID_REDHAT, PCI_DEVICE_ID_TESTDEV) },
	{}
};
MODULE_DEVICE_TABLE(pci, sim_ids);

/* The name must be mlx5_core, as device/driver shows it. */
static struct pci_driver sim_pci_driver = {
	.name = "mlx5_core",
	.id_table = sim_ids,
	.probe = sim_probe,
	.remove = sim_remove,
};

static void free_slots(void)
{
	struct sim_slot *slot, *next;

	list_for_each_entry_safe(slot, next, &slots, node)
		kfree(slot);
}

static int __init sim_init(void)
{
	int err;

	sim_proc_root = proc_mkdir("mlx5sim", NULL);
	if (!sim_proc_root)
		return -ENOMEM;
	sim_dbg_mlx5 = debugfs_create_dir("mlx5", NULL);
	sim_control_add();
	err = pci_register_driver(&sim_pci_driver);
	if (err) {
		proc_remove(sim_proc_root);
		debugfs_remove_recursive(sim_dbg_mlx5);
		free_slots();
	}
	return err;
}

static void __exit sim_exit(void)
{
	pci_unregister_driver(&sim_pci_driver);
	proc_remove(sim_proc_root);
	debugfs_remove_recursive(sim_dbg_mlx5);
	free_slots();
}

module_init(sim_init);
module_exit(sim_exit);
MODULE_DESCRIPTION("Simulated ConnectX ports for tests");
MODULE_LICENSE("GPL");
