// SPDX-License-Identifier: GPL-2.0
/* /proc/mlx5sim/control: takes one "PORT VERB ARG..." a write, and returns errors. */
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "mlx5sim.h"

/* Find a port by PCI address, or by its netdev's current name in any namespace. */
static struct sim_port *find_port(const char *name, int *err)
{
	struct sim_port *p, *found = NULL;

	*err = -ENODEV;
	list_for_each_entry(p, &sim_ports, node) {
		if (!strcmp(pci_name(p->pdev), name))
			return p;
		if (strcmp(p->dev->name, name))
			continue;
		if (found) {
			*err = -ENOTUNIQ;
			return NULL;
		}
		found = p;
	}
	return found;
}

static int run_line(int argc, char **argv)
{
	struct sim_port *p;
	int err;

	if (argc < 2)
		return -EINVAL;
	mutex_lock(&sim_ports_lock);
	rtnl_lock();
	p = find_port(argv[0], &err);
	rtnl_unlock();
	if (p)
		err = sim_verb_run(p, argc - 1, argv + 1);
	mutex_unlock(&sim_ports_lock);
	return err;
}

static ssize_t control_write(struct file *file, const char __user *buf, size_t count, loff_t *pos)
{
	char *line, **argv;
	int argc, err;

	if (!count || count > 255)
		return -EINVAL;
	line = memdup_user_nul(buf, count);
	if (IS_ERR(line))
		return PTR_ERR(line);
	argv = strchr(strim(line), '\n') ? NULL : argv_split(GFP_KERNEL, line, &argc);
	kfree(line);
	if (!argv)
		return -EINVAL;

	err = run_line(argc, argv);
	argv_free(argv);
	return err ?: count;
}

static const struct proc_ops control_ops = {
	.proc_open = simple_open,
	.proc_write = control_write,
};

void sim_control_add(void)
{
	proc_create("control", 0200, sim_proc_root, &control_ops);
}
