// SPDX-License-Identifier: GPL-2.0
/* The verbs of the control file, except those of switches.c and poke.c. */
#include <linux/rtnetlink.h>
#include <linux/string.h>

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

int sim_parse_onoff(const char *text)
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
	int on = sim_parse_onoff(argv[1]);

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

static int do_command_us(struct sim_port *p, int argc, char **argv)
{
	return kstrtouint(argv[0], 0, &p->hw->command_us) ? -EINVAL : 0;
}

static int do_speed(struct sim_port *p, int argc, char **argv)
{
	u32 speed;

	if (kstrtou32(argv[0], 0, &speed) || !sim_speed_valid(speed))
		return -EINVAL;
	sim_speed_set(p->hw, speed);
	return 0;
}

static int do_fec(struct sim_port *p, int argc, char **argv)
{
	return sim_fec_parse(argv[0], &p->hw->fec);
}

/* Set the PCI device id that sysfs shows, one of NVIDIA's; 0: QEMU's own. */
static int do_pci_device(struct sim_port *p, int argc, char **argv)
{
	if (kstrtou16(argv[0], 16, &p->hw->pci_device))
		return -EINVAL;
	sim_pci_show(p->pdev, p->hw);
	return 0;
}

static int do_port_name(struct sim_port *p, int argc, char **argv)
{
	strscpy(p->hw->port_name, strcmp(argv[0], "off") ? argv[0] : "", sizeof(p->hw->port_name));
	return 0;
}

/* Add the counters of this many channels, with eight classes each. */
static int do_channels(struct sim_port *p, int argc, char **argv)
{
	return kstrtou8(argv[0], 0, &p->hw->channels);
}

static int do_max_tc(struct sim_port *p, int argc, char **argv)
{
	u8 max_tc;

	if (kstrtou8(argv[0], 0, &max_tc) || max_tc >= SIM_TCS)
		return -EINVAL;
	p->hw->max_tc = max_tc;
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

static int do_cc_most(struct sim_port *p, int argc, char **argv)
{
	int param = sim_cc_find(argv[0]);
	u32 most;

	if (param < 0 || kstrtou32(argv[1], 0, &most))
		return -EINVAL;
	WRITE_ONCE(p->hw->cc_most[param], most);
	return 0;
}

/* The RDMA device reads its capabilities at creation: create it again. */
static int do_fwcaps(struct sim_port *p, int argc, char **argv)
{
	int cap = match_string(cap_names, ARRAY_SIZE(cap_names), argv[0]);
	int on = sim_parse_onoff(argv[1]);

	if (cap < 0 || on < 0)
		return -EINVAL;
	rtnl_lock();
	p->hw->caps = on ? p->hw->caps | BIT(cap) : p->hw->caps & ~BIT(cap);
	rtnl_unlock();
	if (cap == SIM_CAP_ROCE_PARAM)
		return sim_devlink_update(p->fn);
	if (cap != SIM_CAP_RDMA && cap != SIM_CAP_CC && cap != SIM_CAP_RTT)
		return 0;
	sim_rdma_remove(p);
	return sim_rdma_add(p);
}

/* Put another adapter with its driver in the slot, as after a cold boot. */
static int do_kind(struct sim_port *p, int argc, char **argv)
{
	int kind = sim_kind_find(argv[0]);
	int err;

	if (kind < 0)
		return kind;
	if (p->hw->ib)
		return -EOPNOTSUPP;
	sim_rdma_remove(p);
	sim_ofed_remove(p);
	rtnl_lock();
	sim_kind(p)->drop(p);
	p->hw->kind = kind;
	fw_power_on(p->hw);
	sim_driver_init(p);
	sim_dress(p);
	rtnl_unlock();
	err = sim_ofed_add(p);
	err = err ?: sim_rdma_add(p);
	return err ?: sim_devlink_update(p->fn);
}

static int do_reinit(struct sim_port *p, int argc, char **argv)
{
	if (argc && strcmp(argv[0], "cold"))
		return -EINVAL;
	sim_driver_reinit(p, argc);
	return 0;
}

/* A switch has one RDMA port for each function: hundreds are common. */
static int do_representors(struct sim_port *p, int argc, char **argv)
{
	return kstrtou16(argv[0], 0, &p->hw->representors);
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
	{ "storm", 3, 3, false, sim_storm },
	{ "reinit", 0, 1, true, do_reinit },
	{ "carrier", 1, 1, false, do_carrier },
	{ "carrier_ms", 1, 1, false, do_carrier_ms },
	{ "command_us", 1, 1, false, do_command_us },
	{ "speed", 1, 1, false, do_speed },
	{ "fec", 1, 1, false, do_fec },
	{ "max_tc", 1, 1, false, do_max_tc },
	{ "pci_device", 1, 1, false, do_pci_device },
	{ "register", 2, 2, false, sim_pcie_register },
	{ "port_name", 1, 1, false, do_port_name },
	{ "pause_policy", 1, 1, false, do_pause_policy },
	{ "cc_most", 2, 2, false, do_cc_most },
	{ "kind", 1, 1, true, do_kind },
	{ "qps", 2, 2, true, sim_qps },
	{ "channels", 1, 1, false, do_channels },
	{ "representors", 1, 1, false, do_representors },
	{ "rewrite", 1, 2, false, sim_rewrite_set },
	{ "detour", 1, 1, false, sim_detour_set },
	{ "fwcaps", 2, 2, true, do_fwcaps },
};

int sim_verb_run(struct sim_port *p, int argc, char **argv)
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
	return argc == 2 ? sim_switch(p, argv[0], argv[1]) : -EINVAL;
}

