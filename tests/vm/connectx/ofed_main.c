// SPDX-License-Identifier: GPL-2.0
/*
 * Adds MLNX_OFED's files to the ports for which they are switched on: "0000:3b:00.0 on", written to
 * /sys/module/ofed/parameters/port. Devices come and go as their driver starts anew.
 */
#include "ofed.h"

#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/pci.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <rdma/ib_verbs.h>

/* A PCI function with its devices, or NULL, and their files while those are on. */
struct port {
	struct list_head node;
	char address[16];
	bool on;
	struct net_device *netdev;
	struct ib_device *rdma;
	struct ofed_ecn *ecn;
	struct ofed_class *class;
};

static LIST_HEAD(ports);
static DEFINE_MUTEX(lock);	/* within RTNL */

static struct port *port_of(const char *address)
{
	struct port *port;

	list_for_each_entry(port, &ports, node) {
		if (!strcmp(port->address, address))
			return port;
	}
	port = kzalloc(sizeof(*port), GFP_KERNEL);
	if (!port)
		return NULL;
	strscpy(port->address, address, sizeof(port->address));
	list_add(&port->node, &ports);
	return port;
}

/* A device of mlx5: not a representor, whose driver data is another. */
static bool is_mlx5(struct device *parent)
{
	return parent && dev_is_pci(parent) && parent->driver &&
		!strcmp(parent->driver->name, "mlx5_core");
}

static void remove_files(struct port *port)
{
	ofed_ecn_remove(port->ecn);
	ofed_class_remove(port->class);
	port->ecn = NULL;
	port->class = NULL;
}

static void add_files(struct port *port)
{
	if (port->on && port->netdev && !port->ecn)
		port->ecn = ofed_ecn_add(&port->netdev->dev.kobj,
					 dev_get_drvdata(port->netdev->dev.parent));
	if (port->on && port->rdma && !port->class)
		port->class = ofed_class_add(&port->rdma->dev.kobj);
}

static int netdev_event(struct notifier_block *block, unsigned long event, void *data)
{
	struct net_device *netdev = netdev_notifier_info_to_dev(data);
	struct port *port;

	if ((event != NETDEV_REGISTER && event != NETDEV_UNREGISTER) ||
	    !is_mlx5(netdev->dev.parent))
		return NOTIFY_DONE;
	mutex_lock(&lock);
	port = port_of(dev_name(netdev->dev.parent));
	if (port && event == NETDEV_REGISTER && !port->netdev)
		port->netdev = netdev;
	if (port && event == NETDEV_UNREGISTER && port->netdev == netdev) {
		ofed_ecn_remove(port->ecn);
		port->ecn = NULL;
		port->netdev = NULL;
	}
	if (port)
		add_files(port);
	mutex_unlock(&lock);
	return NOTIFY_DONE;
}

static int rdma_add(struct ib_device *rdma)
{
	struct port *port;

	if (!is_mlx5(rdma->dev.parent))
		return -EOPNOTSUPP;
	mutex_lock(&lock);
	port = port_of(dev_name(rdma->dev.parent));
	if (port) {
		port->rdma = rdma;
		add_files(port);
	}
	mutex_unlock(&lock);
	return port ? 0 : -ENOMEM;
}

static void rdma_remove(struct ib_device *rdma, void *unused)
{
	struct port *port;

	mutex_lock(&lock);
	port = port_of(dev_name(rdma->dev.parent));
	if (port) {
		ofed_class_remove(port->class);
		port->class = NULL;
		port->rdma = NULL;
	}
	mutex_unlock(&lock);
}

static struct notifier_block netdevs = { .notifier_call = netdev_event };
static struct ib_client rdma_devices = { .name = "ofed", .add = rdma_add, .remove = rdma_remove };

static int port_set(const char *text, const struct kernel_param *unused)
{
	char address[16], word[4];
	struct port *port;

	if (sscanf(text, "%15s %3s", address, word) != 2)
		return -EINVAL;
	rtnl_lock();
	mutex_lock(&lock);
	port = port_of(address);
	if (port) {
		port->on = !strcmp(word, "on");
		if (port->on)
			add_files(port);
		else
			remove_files(port);
	}
	mutex_unlock(&lock);
	rtnl_unlock();
	return port ? 0 : -ENOMEM;
}

static const struct kernel_param_ops port_ops = { .set = port_set };

module_param_cb(port, &port_ops, NULL, 0200);
MODULE_PARM_DESC(port, "ADDRESS on|off");

static int __init start(void)
{
	int err = register_netdevice_notifier(&netdevs);

	if (err)
		return err;
	err = ib_register_client(&rdma_devices);
	if (err)
		unregister_netdevice_notifier(&netdevs);
	return err;
}

static void __exit stop(void)
{
	struct port *port, *next;

	ib_unregister_client(&rdma_devices);
	unregister_netdevice_notifier(&netdevs);
	list_for_each_entry_safe(port, next, &ports, node) {
		remove_files(port);
		kfree(port);
	}
}

module_init(start);
module_exit(stop);
MODULE_DESCRIPTION("MLNX_OFED's files for Debian's mlx5 driver");
MODULE_LICENSE("GPL");
