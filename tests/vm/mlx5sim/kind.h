/* SPDX-License-Identifier: GPL-2.0 */
/* The drivers a port can look like, and the memory of those other than mlx5. */
#ifndef MLX5SIM_KIND_H
#define MLX5SIM_KIND_H

#include <linux/dcbnl.h>
#include <linux/list.h>
#include <linux/types.h>

struct dcbnl_rtnl_ops;
struct ethtool_ops;
struct sim_port;

enum sim_kind_id { SIM_KIND_MLX5, SIM_KIND_BNXT, SIM_KIND_ICE, SIM_KIND_COUNT };

/* A counter per priority: the name has a %u, priorities are SIM_PAUSE_COUNT ids apart. */
struct sim_stat {
	const char *format;
	unsigned int first;
};

struct sim_kind {
	const char *name;		/* in the control file */
	const char *driver;		/* for ethtool */
	const char *rdma;		/* device name, NULL: none */
	const struct dcbnl_rtnl_ops *dcbnl;
	const struct ethtool_ops *ethtool;
	const struct sim_stat *stats;	/* ends with a NULL; NULL: mlx5's list */
	void (*init)(struct sim_port *p);	/* at attach */
	void (*publish)(struct sim_port *p);	/* adds APP entries at attach; or NULL */
	void (*withdraw)(struct sim_port *p);	/* removes those the driver knows of */
	void (*drop)(struct sim_port *p);	/* removes all of them */
	void (*lldp)(struct sim_port *p);	/* firmware's agent started or stopped; or NULL */
};

/* The memory of bnxt_en and ice. APP entries are copies, as the core does not list them. */
struct sim_app_entry {
	struct list_head node;
	struct dcb_app app;
};

struct sim_dcb_cfg {
	struct ieee_ets ets;
	u8 pfc_en;
	u8 pfc_cap;
	bool dscp;			/* ice's "pfc_mode" */
};

struct sim_other {
	bool has_ets;			/* bnxt: written, or read from the firmware */
	bool has_pfc;
	struct ieee_ets ets;
	struct ieee_pfc pfc;
	struct sim_dcb_cfg now;		/* ice: actual and desired */
	struct sim_dcb_cfg want;
	struct list_head apps;
};

const struct sim_kind *sim_kind(const struct sim_port *p);
bool sim_is_mlx5(const struct sim_port *p);
int sim_kind_find(const char *name);

/* Set the callbacks of the netdev's kind; under RTNL once the netdev is registered. */
void sim_dress(struct sim_port *p);

/* apps.c: add entries through the core's generic functions, and keep copies to drop them */
int sim_apps_add(struct sim_port *p, struct dcb_app *app);
int sim_apps_del(struct sim_port *p, struct dcb_app *app);
bool sim_apps_dscp(const struct sim_port *p, u16 dscp);
void sim_apps_drop(struct sim_port *p);

extern const struct sim_kind sim_kind_bnxt;
extern const struct sim_kind sim_kind_ice;

#endif
