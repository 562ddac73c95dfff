// SPDX-License-Identifier: GPL-2.0
/* debugfs mlx5sim/control: one "PORT VERB ARG..." a write, and errors that show. */
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "mlx5sim.h"

static const struct {
	const char *name;
	int err;
} errnos[] = {
#define SIM_ERRNO(e) { #e, e }
	SIM_ERRNO(EPERM), SIM_ERRNO(ENOENT), SIM_ERRNO(EIO), SIM_ERRNO(ENXIO),
	SIM_ERRNO(E2BIG), SIM_ERRNO(EAGAIN), SIM_ERRNO(ENOMEM), SIM_ERRNO(EACCES),
	SIM_ERRNO(EFAULT), SIM_ERRNO(EBUSY), SIM_ERRNO(EEXIST), SIM_ERRNO(ENODEV),
	SIM_ERRNO(EINVAL), SIM_ERRNO(ENOSPC), SIM_ERRNO(EROFS), SIM_ERRNO(ERANGE),
	SIM_ERRNO(ENOSYS), SIM_ERRNO(EOPNOTSUPP), SIM_ERRNO(ETIMEDOUT), SIM_ERRNO(ENOTSUPP),
#undef SIM_ERRNO
};

static const char *const cap_names[] = {
#define SIM_CAP_NAME(id, name) [SIM_CAP_##id] = name,
	SIM_CAPS(SIM_CAP_NAME)
#undef SIM_CAP_NAME
};

const char *sim_cap_name(enum sim_cap cap)
{
	return cap_names[cap];
}

static int parse_errno(const char *text)
{
	unsigned int value;
	int i;

	for (i = 0; i < ARRAY_SIZE(errnos); i++)
		if (!strcmp(errnos[i].name, text))
			return errnos[i].err;
	if (kstrtouint(text, 0, &value) || value > MAX_ERRNO)
		return -EINVAL;
	return value;
}

static int parse_onoff(const char *text)
{
	if (!strcmp(text, "on"))
		return 1;
	return strcmp(text, "off") ? -EINVAL : 0;
}

/* fail OP ERRNO [COUNT] [SKIP]; ERRNO 0 clears, COUNT 0 is for good. */
static int do_fail(struct sim_port *p, int argc, char **argv)
{
	unsigned int count = 1, skip = 0;
	int op = sim_fault_find(argv[0]);
	int err = parse_errno(argv[1]);

	if (op < 0 || err < 0)
		return -EINVAL;
	if (argc > 2 && kstrtouint(argv[2], 0, &count))
		return -EINVAL;
	if (argc > 3 && kstrtouint(argv[3], 0, &skip))
		return -EINVAL;
	return sim_fault_set(p, op, err, count, skip, !count);
}

static int do_deaf(struct sim_port *p, int argc, char **argv)
{
	int op = sim_fault_find(argv[0]);
	int on = parse_onoff(argv[1]);

	if (op < 0 || on < 0)
		return -EINVAL;
	return sim_fault_deaf(p, op, on);
}

static int do_bump(struct sim_port *p, int argc, char **argv)
{
	s64 n;

	if (kstrtos64(argv[1], 0, &n))
		return -EINVAL;
	return sim_counter_bump(p->hw, argv[0], n);
}

static int do_carrier(struct sim_port *p, int argc, char **argv)
{
	if (!strcmp(argv[0], "up"))
		sim_link_hold(p, false);
	else if (!strcmp(argv[0], "down"))
		sim_link_hold(p, true);
	else
		return -EINVAL;
	return 0;
}

static int do_carrier_ms(struct sim_port *p, int argc, char **argv)
{
	if (kstrtouint(argv[0], 0, &p->hw->carrier_ms))
		return -EINVAL;
	p->hw->own_carrier_ms = true;
	return 0;
}

static int do_speed(struct sim_port *p, int argc, char **argv)
{
	u32 speed;

	if (kstrtou32(argv[0], 0, &speed) || !sim_speed_valid(speed))
		return -EINVAL;
	p->hw->speed = speed;
	return 0;
}

static int do_max_tc(struct sim_port *p, int argc, char **argv)
{
	u8 max_tc;

	if (kstrtou8(argv[0], 0, &max_tc) || max_tc >= SIM_TCS)
		return -EINVAL;
	p->hw->max_tc = max_tc;
	return 0;
}

static int do_toggle_stuck(struct sim_port *p, int argc, char **argv)
{
	int on = parse_onoff(argv[0]);

	if (on < 0)
		return on;
	p->hw->toggle_stuck = on;
	return 0;
}

static int do_pause_policy(struct sim_port *p, int argc, char **argv)
{
	static const char *const names[] = {
		[SIM_PAUSE_KEEP] = "keep",
		[SIM_PAUSE_CLEAR_PFC] = "clear_pfc",
		[SIM_PAUSE_REFUSE] = "refuse",
	};
	int i = match_string(names, ARRAY_SIZE(names), argv[0]);

	if (i < 0)
		return -EINVAL;
	p->hw->pause_policy = i;
	return 0;
}

static int do_vf(struct sim_port *p, int argc, char **argv)
{
	int on = parse_onoff(argv[0]);

	if (on < 0)
		return on;
	if (on)
		sim_app_clear(p);
	p->hw->vf = on;
	p->dev->dcbnl_ops = on ? NULL : &sim_dcbnl_ops;
	return 0;
}

/* Capabilities of the RDMA device are read when it is made: make it again. */
static int do_fwcaps(struct sim_port *p, int argc, char **argv)
{
	int cap = match_string(cap_names, ARRAY_SIZE(cap_names), argv[0]);
	int on = parse_onoff(argv[1]);

	if (cap < 0 || on < 0)
		return -EINVAL;
	rtnl_lock();
	p->hw->caps = on ? p->hw->caps | BIT(cap) : p->hw->caps & ~BIT(cap);
	rtnl_unlock();
	if (cap != SIM_CAP_RDMA && cap != SIM_CAP_CC && cap != SIM_CAP_RTT)
		return 0;
	sim_rdma_remove(p);
	return sim_rdma_add(p);
}

static int do_reinit(struct sim_port *p, int argc, char **argv)
{
	if (argc && strcmp(argv[0], "cold"))
		return -EINVAL;
	sim_driver_reinit(p, argc);
	return 0;
}

static const struct {
	const char *name;
	int min_args;
	int max_args;
	bool unlocked;		/* takes RTNL itself, as it must sleep without it */
	int (*act)(struct sim_port *p, int argc, char **argv);
} verbs[] = {
	{ "fail", 2, 4, false, do_fail },
	{ "deaf", 2, 2, false, do_deaf },
	{ "poke", 2, 3, false, sim_poke },
	{ "bump", 2, 2, false, do_bump },
	{ "reinit", 0, 1, true, do_reinit },
	{ "carrier", 1, 1, false, do_carrier },
	{ "carrier_ms", 1, 1, false, do_carrier_ms },
	{ "speed", 1, 1, false, do_speed },
	{ "max_tc", 1, 1, false, do_max_tc },
	{ "toggle_stuck", 1, 1, false, do_toggle_stuck },
	{ "pause_policy", 1, 1, false, do_pause_policy },
	{ "fwcaps", 2, 2, true, do_fwcaps },
	{ "vf", 1, 1, false, do_vf },
};

/* By PCI address, or by the netdev's present name in whatever namespace. */
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

static int run_verb(struct sim_port *p, int argc, char **argv)
{
	int i, err;

	for (i = 0; i < ARRAY_SIZE(verbs); i++) {
		if (strcmp(verbs[i].name, argv[0]))
			continue;
		if (argc - 1 < verbs[i].min_args || argc - 1 > verbs[i].max_args)
			return -EINVAL;
		if (verbs[i].unlocked)
			return verbs[i].act(p, argc - 1, argv + 1);
		rtnl_lock();
		err = verbs[i].act(p, argc - 1, argv + 1);
		rtnl_unlock();
		return err;
	}
	return -EINVAL;
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
		err = run_verb(p, argc - 1, argv + 1);
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

static const struct file_operations control_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = control_write,
};

void sim_control_add(void)
{
	debugfs_create_file("control", 0200, sim_dbg_root, NULL, &control_fops);
}
