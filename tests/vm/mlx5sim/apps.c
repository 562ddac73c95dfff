// SPDX-License-Identifier: GPL-2.0
/* APP entries of drivers that leave them to the core: a protocol may have several priorities. */
#include <linux/slab.h>

#include "mlx5sim.h"

static bool same(const struct dcb_app *a, const struct dcb_app *b)
{
	return a->selector == b->selector && a->protocol == b->protocol &&
	       a->priority == b->priority;
}

/* The core answers EEXIST to an exact duplicate. */
int sim_apps_add(struct sim_port *p, struct dcb_app *app)
{
	struct sim_app_entry *entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	int err;

	if (!entry)
		return -ENOMEM;
	err = dcb_ieee_setapp(p->dev, app);
	if (err) {
		kfree(entry);
		return err;
	}
	entry->app = *app;
	list_add_tail(&entry->node, &p->other.apps);
	return 0;
}

int sim_apps_del(struct sim_port *p, struct dcb_app *app)
{
	struct sim_app_entry *entry, *next;
	int err = dcb_ieee_delapp(p->dev, app);

	if (err)
		return err;
	list_for_each_entry_safe(entry, next, &p->other.apps, node) {
		if (!same(&entry->app, app))
			continue;
		list_del(&entry->node);
		kfree(entry);
	}
	return 0;
}

/* True if there is an entry for this DSCP; SIM_DSCPS or more stands for any. */
bool sim_apps_dscp(const struct sim_port *p, u16 dscp)
{
	const struct sim_app_entry *entry;

	list_for_each_entry(entry, &p->other.apps, node)
		if (entry->app.selector == IEEE_8021QAZ_APP_SEL_DSCP &&
		    (dscp >= SIM_DSCPS || entry->app.protocol == dscp))
			return true;
	return false;
}

void sim_apps_drop(struct sim_port *p)
{
	struct sim_app_entry *entry, *next;

	list_for_each_entry_safe(entry, next, &p->other.apps, node) {
		if (p->dev->dcbnl_ops)
			dcb_ieee_delapp(p->dev, &entry->app);
		list_del(&entry->node);
		kfree(entry);
	}
}
