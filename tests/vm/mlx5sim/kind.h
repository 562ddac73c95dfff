/* SPDX-License-Identifier: GPL-2.0 */
/* The drivers a port can look like, and what those other than mlx5 remember. */
#ifndef MLX5SIM_KIND_H
#define MLX5SIM_KIND_H

#include <linux/dcbnl.h>
#include <linux/list.h>
#include <linux/types.h>

struct dcbnl_rtnl_ops;
struct ethtool_ops;
struct sim_port;

enum sim_kind_id { SIM_KIND_MLX5, SIM_KIND_BNXT, SIM_KIND_ICE, SIM_KIND_COUNT };

/* A counter per priority: its name has a %u, its number grows by SIM_PAUSE_COUNT. */
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
	void (*init)(struct sim_port *p);	/* what the driver does at attach */
	void (*publish)(struct sim_port *p);	/* APP entries that appear then; or NULL */
	void (*withdraw)(struct sim_port *p);	/* those it believes in */
	void (*drop)(struct sim_port *p);	/* all of them, whatever it believes */
	void (*lldp)(struct sim_port *p);	/* the firmware's agent came or went; or NULL */
};

/* What bnxt_en and ice keep; the APP entries are here as the core does not list them. */
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
	bool has_ets;			/* bnxt: set, or read from the firmware */
	bool has_pfc;
	struct ieee_ets ets;
	struct ieee_pfc pfc;
	struct sim_dcb_cfg now;		/* ice: in force, and wanted */
	struct sim_dcb_cfg want;
	struct list_head apps;
};

const struct sim_kind *sim_kind(const struct sim_port *p);
bool sim_is_mlx5(const struct sim_port *p);
int sim_kind_find(const char *name);

/* Gives the netdev the callbacks of its kind; under RTNL once it is registered. */
void sim_dress(struct sim_port *p);

/* apps.c: entries through the core's generic functions, and found again to be dropped */
int sim_apps_add(struct sim_port *p, struct dcb_app *app);
int sim_apps_del(struct sim_port *p, struct dcb_app *app);
bool sim_apps_dscp(const struct sim_port *p, u16 dscp);
void sim_apps_drop(struct sim_port *p);

extern const struct sim_kind sim_kind_bnxt;
extern const struct sim_kind sim_kind_ice;

#endif
