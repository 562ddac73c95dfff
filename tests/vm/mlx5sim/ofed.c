// SPDX-License-Identifier: GPL-2.0
/*
 * MLNX_OFED's ecn/ below the netdev: the registers of cc_params under other names, and
 * the switches per priority that upstream lacks. The driver parses input with sscanf and
 * never checks it, so junk stores whatever was on the stack; here, a poison.
 */
#include <linux/kobject.h>
#include <linux/sysfs.h>

#include "mlx5sim.h"

enum { POISON = 0x5bad5bad, MOST_FILES = SIM_CC_COUNT + 2 * SIM_PRIOS };

/* NULL: the parameter has no file. */
static const char *const ofed_names[] = {
#define PARAM(id, name, width, initial, ofed, setting) [SIM_CC_##id] = ofed,
#include "params.def"
#undef PARAM
};

static const char *const prio_names[SIM_PRIOS] = { "0", "1", "2", "3", "4", "5", "6", "7" };

struct ecn_file {
	struct kobj_attribute attr;
	struct sim_port *port;
	unsigned int index;		/* parameter or priority */
};

struct sim_ofed {
	struct kobject *ecn;
	struct kobject *np;
	struct kobject *rp;
	struct kobject *np_enable;
	struct kobject *rp_enable;
	unsigned int count;
	struct ecn_file file[MOST_FILES];
};

typedef ssize_t (*show_fn)(struct kobject *k, struct kobj_attribute *attr, char *buf);
typedef ssize_t (*store_fn)(struct kobject *k, struct kobj_attribute *attr, const char *buf,
			    size_t count);

static struct ecn_file *to_file(struct kobj_attribute *attr)
{
	return container_of(attr, struct ecn_file, attr);
}

static int parse(const char *buf)
{
	int value = POISON;

	return sscanf(buf, "%d", &value) == 1 ? value : POISON;
}

static ssize_t show_param(struct kobject *k, struct kobj_attribute *attr, char *buf)
{
	struct ecn_file *f = to_file(attr);
	int err = sim_verdict(sim_enter(f->port, SIM_OP_CCGET));

	return err ?: sysfs_emit(buf, "%d\n", f->port->hw->cc[f->index]);
}

static ssize_t store_param(struct kobject *k, struct kobj_attribute *attr, const char *buf,
			   size_t count)
{
	struct ecn_file *f = to_file(attr);
	int entered = sim_enter(f->port, SIM_OP_CCSET);

	if (entered)
		return entered < 0 ? entered : count;
	mutex_lock(&f->port->cc_lock);
	sim_cc_write(f->port->hw, f->index, parse(buf));
	mutex_unlock(&f->port->cc_lock);
	return count;
}

/* An unreadable switch is an empty file. */
static ssize_t show_rp(struct kobject *k, struct kobj_attribute *attr, char *buf)
{
	struct ecn_file *f = to_file(attr);

	if (sim_enter(f->port, SIM_OP_ECNGET))
		return 0;
	return sysfs_emit(buf, "%d\n", (f->port->hw->ecn_rp >> f->index) & 1);
}

static ssize_t show_np(struct kobject *k, struct kobj_attribute *attr, char *buf)
{
	struct ecn_file *f = to_file(attr);

	if (sim_enter(f->port, SIM_OP_ECNGET))
		return 0;
	return sysfs_emit(buf, "%d\n", f->port->hw->ecn_np);
}

/* EPERM means that the switch is already on; the register takes the lowest bit. */
static int write_switch(u8 *bits, u8 mask, int value)
{
	if (value && (*bits & mask))
		return -EPERM;
	*bits = value & 1 ? *bits | mask : *bits & ~mask;
	return 0;
}

static ssize_t store_switch(struct ecn_file *f, u8 *bits, u8 mask, const char *buf, size_t count)
{
	int entered = sim_enter(f->port, SIM_OP_ECNSET);
	int err;

	if (entered)
		return entered < 0 ? entered : count;
	mutex_lock(&f->port->cc_lock);
	err = write_switch(bits, mask, parse(buf));
	mutex_unlock(&f->port->cc_lock);
	return err ?: count;
}

static ssize_t store_rp(struct kobject *k, struct kobj_attribute *attr, const char *buf,
			size_t count)
{
	struct ecn_file *f = to_file(attr);

	return store_switch(f, &f->port->hw->ecn_rp, BIT(f->index), buf, count);
}

/* All eight files are one switch, which lets the port send CNPs. */
static ssize_t store_np(struct kobject *k, struct kobj_attribute *attr, const char *buf,
			size_t count)
{
	struct ecn_file *f = to_file(attr);

	return store_switch(f, &f->port->hw->ecn_np, 1, buf, count);
}

static int add_file(struct sim_port *p, struct kobject *dir, const char *name, unsigned int index,
		    show_fn show, store_fn store)
{
	struct ecn_file *f = &p->ofed->file[p->ofed->count++];

	*f = (struct ecn_file) {
		.attr = { .attr = { name, 0644 }, .show = show, .store = store },
		.port = p,
		.index = index,
	};
	sysfs_attr_init(&f->attr.attr);
	return sysfs_create_file(dir, &f->attr.attr);
}

static int add_params(struct sim_port *p)
{
	int err = 0;
	int i;

	for (i = 0; !err && i < ARRAY_SIZE(ofed_names); i++) {
		const char *name = ofed_names[i] ? strchr(ofed_names[i], '/') : NULL;

		if (name)
			err = add_file(p, str_has_prefix(ofed_names[i], "roce_rp") ? p->ofed->rp :
				       p->ofed->np, name + 1, i, show_param, store_param);
	}
	return err;
}

static int add_switches(struct sim_port *p)
{
	int err = 0;
	int i;

	for (i = 0; !err && i < SIM_PRIOS; i++) {
		err = add_file(p, p->ofed->np_enable, prio_names[i], i, show_np, store_np);
		err = err ?: add_file(p, p->ofed->rp_enable, prio_names[i], i, show_rp, store_rp);
	}
	return err;
}

static int add_dir(struct kobject **dir, const char *name, struct kobject *parent)
{
	*dir = kobject_create_and_add(name, parent);
	return *dir ? 0 : -ENOMEM;
}

static int add_all(struct sim_port *p)
{
	struct sim_ofed *o = p->ofed;
	int err;

	err = add_dir(&o->ecn, "ecn", &p->dev->dev.kobj);
	err = err ?: add_dir(&o->np, "roce_np", o->ecn);
	err = err ?: add_dir(&o->rp, "roce_rp", o->ecn);
	err = err ?: add_dir(&o->np_enable, "enable", o->np);
	err = err ?: add_dir(&o->rp_enable, "enable", o->rp);
	err = err ?: add_params(p);
	return err ?: add_switches(p);
}

int sim_ofed_add(struct sim_port *p)
{
	int err;

	if (!p->hw->ofed || !sim_is_mlx5(p) || !sim_netdev_there(p) || p->ofed)
		return 0;
	p->ofed = kzalloc(sizeof(*p->ofed), GFP_KERNEL);
	if (!p->ofed)
		return -ENOMEM;
	err = add_all(p);
	if (err)
		sim_ofed_remove(p);
	return err;
}

/* Removing a directory removes its files, once nobody uses them any more. */
void sim_ofed_remove(struct sim_port *p)
{
	struct sim_ofed *o = p->ofed;

	if (!o)
		return;
	kobject_put(o->np_enable);
	kobject_put(o->rp_enable);
	kobject_put(o->np);
	kobject_put(o->rp);
	kobject_put(o->ecn);
	kfree(o);
	p->ofed = NULL;
}
