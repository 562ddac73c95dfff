// SPDX-License-Identifier: GPL-2.0
/* Creates and removes a PCI function's port: its netdev and RDMA device. */
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "mlx5sim.h"

static struct sim_port *alloc_port(struct sim_function *fn)
{
	struct sim_port *p = kzalloc(sizeof(*p), GFP_KERNEL);

	if (!p)
		return NULL;
	p->fn = fn;
	p->pdev = fn->pdev;
	p->hw = &fn->slot->hw;
	p->index = fn->slot->index;
	mutex_init(&p->cc_lock);
	INIT_LIST_HEAD(&p->other.apps);
	INIT_LIST_HEAD(&p->qps);
	sim_faults_init(p);
	memcpy(p->faults.op, fn->faults, sizeof(fn->faults));
	p->carrier_held = fn->carrier_held;
	p->dev = sim_netdev_alloc(p);
	if (!p->dev) {
		kfree(p);
		return NULL;
	}
	sim_link_init(p);
	return p;
}

static void free_port(struct sim_port *p)
{
	free_netdev(p->dev);
	kfree(p);
}

/* Play udev: the name belongs to the PCI address. */
static int register_netdev_named(struct sim_port *p)
{
	int err;

	if (*p->fn->name)
		strscpy(p->dev->name, p->fn->name, IFNAMSIZ);
	err = sim_netdev_register(p);
	if (err != -EEXIST)
		return err;
	strscpy(p->dev->name, "eth%d", IFNAMSIZ);
	return sim_netdev_register(p);
}

/* Play the network manager, which brings a new netdev up. */
static void bring_up(struct sim_port *p)
{
	if (!p->fn->up || p->hw->unmanaged || p->hw->ib)
		return;
	rtnl_lock();
	if (dev_open(p->dev, NULL))
		netdev_err(p->dev, "cannot be brought up again\n");
	rtnl_unlock();
}

static int add_rdma(struct sim_port *p)
{
	int err;

	p->dbg_mlx5 = debugfs_create_dir(pci_name(p->pdev), sim_dbg_mlx5);
	err = sim_rdma_add(p);
	if (err)
		debugfs_remove_recursive(p->dbg_mlx5);
	return err;
}

static void remove_netdev(struct sim_port *p)
{
	if (!sim_netdev_there(p))
		return;
	sim_ofed_remove(p);
	sim_kind(p)->withdraw(p);
	sim_netdev_unregister(p);
}

static int add_netdev(struct sim_port *p)
{
	int err;

	if (p->hw->ib)
		return 0;
	err = register_netdev_named(p);
	if (err)
		return err;
	sim_publish_apps(p);
	err = sim_ofed_add(p);
	if (err)
		remove_netdev(p);
	return err;
}

static void publish(struct sim_port *p)
{
	p->proc = proc_mkdir(pci_name(p->pdev), sim_proc_root);
	sim_state_add(p);
	sim_physfn(p);
	list_add_tail(&p->node, &sim_ports);
	p->fn->port = p;
}

int sim_function_load(struct sim_function *fn)
{
	struct sim_port *p = alloc_port(fn);
	int err;

	if (!p)
		return -ENOMEM;
	sim_driver_init(p);
	err = add_netdev(p);
	if (err)
		goto err_free;
	err = add_rdma(p);
	if (err)
		goto err_netdev;
	publish(p);
	bring_up(p);
	return 0;

err_netdev:
	remove_netdev(p);
err_free:
	free_port(p);
	return err;
}

/* Save for the next port the state that is not the driver's. */
static void remember(struct sim_port *p)
{
	struct sim_function *fn = p->fn;

	if (sim_netdev_there(p)) {
		strscpy(fn->name, p->dev->name, IFNAMSIZ);
		fn->up = netif_running(p->dev);
	}
	fn->carrier_held = p->carrier_held;
	memcpy(fn->faults, p->faults.op, sizeof(fn->faults));
}

void sim_function_unload(struct sim_function *fn)
{
	struct sim_port *p = fn->port;

	if (!p)
		return;
	remember(p);
	fn->port = NULL;
	list_del(&p->node);
	proc_remove(p->proc);
	sim_rdma_remove(p);
	debugfs_remove_recursive(p->dbg_mlx5);
	remove_netdev(p);
	free_port(p);
}

struct sim_port *sim_function_second(const struct sim_port *p)
{
	struct sim_port *other;

	list_for_each_entry(other, &sim_ports, node)
		if (other->index == (p->index ^ 1))
			return other;
	return NULL;
}

/* True if both ports of the card are in one bond, which mlx5 calls LAG. */
bool sim_function_bonded(struct sim_function *fn)
{
	struct sim_port *other = sim_function_second(fn->port);
	struct net_device *master;
	bool bonded;

	rtnl_lock();
	master = netdev_master_upper_dev_get(fn->port->dev);
	bonded = other && master && netif_is_bond_master(master) &&
		 netdev_master_upper_dev_get(other->dev) == master;
	rtnl_unlock();
	return bonded;
}
