// SPDX-License-Identifier: GPL-2.0
/* DCQCN parameters: debugfs mlx5/<bdf>/cc_params, unchecked and masked as in mlx5_ib. */
#include <linux/uaccess.h>

#include "mlx5sim.h"

static const struct {
	const char *name;
	u8 width;
	u32 initial;
} params[SIM_CC_COUNT] = {
#define PARAM(id, name, width, initial, ofed, setting) { name, width, initial },
#include "params.def"
#undef PARAM
	[SIM_CC_RTT_VALID] = { "rtt_resp_dscp_valid", 1, 0 },
	[SIM_CC_RTT_DSCP] = { "rtt_resp_dscp", 6, 0 },
};

void sim_cc_defaults(u32 *cc)
{
	int i;

	for (i = 0; i < SIM_CC_COUNT; i++)
		cc[i] = params[i].initial;
}

int sim_cc_find(const char *name)
{
	int i;

	for (i = 0; i < SIM_CC_COUNT; i++)
		if (!strcmp(params[i].name, name))
			return i;
	return -EINVAL;
}

const char *sim_cc_name(unsigned int param)
{
	return params[param].name;
}

/* Mask to the field's width, without a range check. */
void sim_cc_write(struct sim_hw *hw, unsigned int param, u32 value)
{
	hw->cc[param] = value & GENMASK(params[param].width - 1, 0);
}

/* mlx5_ib's debugfs files also write related fields; OFED's do not. */
void sim_cc_store(struct sim_port *p, unsigned int param, u32 value)
{
	u32 *cc = p->hw->cc;

	sim_cc_write(p->hw, param, value);
	if (param == SIM_CC_NP_CNP_PRIO)
		cc[SIM_CC_NP_CNP_PRIO_MODE] = 0;
	if (param == SIM_CC_NP_CNP_PRIO_MODE)
		cc[SIM_CC_NP_CNP_PRIO] = 0; /* one select bit for both, and 0 for the other */
	if (param == SIM_CC_RTT_DSCP)
		cc[SIM_CC_RTT_VALID] = 1;
	if (param == SIM_CC_RTT_VALID)
		cc[SIM_CC_RTT_DSCP] = 0; /* one command sets both fields, with DSCP 0 */
}

static bool refuses(const struct sim_hw *hw, unsigned int param, u32 value)
{
	u32 most = READ_ONCE(hw->cc_most[param]);

	return most && (value & GENMASK(params[param].width - 1, 0)) > most;
}

static ssize_t set_param(struct file *file, const char __user *buf, size_t count, loff_t *pos)
{
	struct sim_cc_file *f = file->private_data;
	char text[11] = {};
	int entered;
	u32 value;

	if (count > sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, buf, count))
		return -EFAULT;
	text[sizeof(text) - 1] = '\0';
	if (kstrtou32(text, 0, &value))
		return -EINVAL;

	entered = sim_enter(f->port, SIM_OP_CCSET);
	if (entered)
		return entered < 0 ? entered : count;

	if (refuses(f->port->hw, f->param, value))
		return -EINVAL;
	mutex_lock(&f->port->cc_lock);
	sim_cc_store(f->port, f->param, value);
	mutex_unlock(&f->port->cc_lock);
	return count;
}

static ssize_t get_param(struct file *file, char __user *buf, size_t count, loff_t *pos)
{
	struct sim_cc_file *f = file->private_data;
	int err = sim_verdict(sim_enter(f->port, SIM_OP_CCGET));
	char text[12];
	int len;

	if (err)
		return err;
	len = scnprintf(text, sizeof(text), "%u\n", f->port->hw->cc[f->param]);
	return simple_read_from_buffer(buf, count, pos, text, len);
}

static const struct file_operations cc_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = set_param,
	.read = get_param,
};

void sim_cc_add(struct sim_port *p)
{
	unsigned int i;

	if (!sim_has(p, SIM_CAP_CC) || !sim_is_mlx5(p) || p->hw->ib)
		return;
	p->dbg_cc = debugfs_create_dir("cc_params", p->dbg_mlx5);
	for (i = 0; i < SIM_CC_COUNT; i++) {
		if (i >= SIM_CC_RTT_VALID && !sim_has(p, SIM_CAP_RTT))
			continue;
		p->cc_files[i] = (struct sim_cc_file) { p, i };
		debugfs_create_file(params[i].name, 0600, p->dbg_cc, &p->cc_files[i], &cc_fops);
	}
}

void sim_cc_remove(struct sim_port *p)
{
	debugfs_remove_recursive(p->dbg_cc);
	p->dbg_cc = NULL;
}
