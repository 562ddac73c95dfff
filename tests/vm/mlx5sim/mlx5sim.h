/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the files of the simulated ConnectX port share: the registers of the
 * "firmware" (struct sim_hw in hw.h), the driver's own memory (struct sim_port) and the
 * functions used across files.
 *
 * Registers and driver memory are separate because mlx5 keeps them apart: most of its
 * surprises come from driver memory that no longer matches the registers.
 */
#ifndef MLX5SIM_H
#define MLX5SIM_H

#include <linux/atomic.h>
#include <linux/dcbnl.h>
#include <linux/debugfs.h>
#include <linux/proc_fs.h>
#include <linux/ethtool.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/pci.h>
#include <linux/seq_file.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <net/dcbnl.h>

#include "counters.h"
#include "fault.h"
#include "function.h"
#include "hw.h"
#include "kind.h"

enum { PCI_DEVICE_ID_TESTDEV = 0x0005 };	/* QEMU's pci-testdev */

struct sim_cee {
	u8 pg_bw[8];
	u8 prio_pg[8];
	u8 pfc[8];
	u8 pfc_enable;
};

struct sim_ib;
struct sim_ofed;
struct sim_tclass;
struct sim_cc_file {
	struct sim_port *port;
	unsigned int param;
};

/* The driver's memory (struct mlx5e_dcbx and others) and the module's own pointers. */
struct sim_port {
	struct net_device *dev;
	struct dcbnl_rtnl_ops dcbnl;	/* the kind's, plus callbacks of the switches */
	struct sim_function *fn;
	struct pci_dev *pdev;
	struct sim_hw *hw;
	struct list_head node;
	unsigned int index;

	u8 dcbx_cap;
	bool dcbx_host;
	u8 trust;
	u8 trusted[SIM_TRUST_LIST];	/* APP trust, in order */
	u8 trusted_count;
	u8 dscp2prio[SIM_DSCPS];
	unsigned int app_count;
	u8 tc_tsa[SIM_TCS];
	u32 cable_len;
	u32 xoff;
	bool manual_buffer;
	struct ieee_ets reco;
	struct sim_cee cee;
	struct sim_other other;
	u64 cached[SIM_CTR_COUNT];

	struct delayed_work link_work;
	bool carrier_held;

	struct sim_faults faults;

	struct sim_ib *ib;
	struct ib_pd *pd;		/* for a test's queue pairs */
	struct list_head qps;
	struct sim_ofed *ofed;
	struct sim_tclass *tclass;
	struct mutex cc_lock;		/* serialises the cc_params and ecn files */
	struct sim_cc_file cc_files[SIM_CC_COUNT];
	struct dentry *dbg_mlx5;
	struct dentry *dbg_cc;
	struct proc_dir_entry *proc;
};

static inline struct sim_port *sim_port(const struct net_device *dev)
{
	return *(struct sim_port **)netdev_priv(dev);
}

static inline bool sim_has(const struct sim_port *p, enum sim_cap cap)
{
	return p->hw->caps & BIT(cap);
}

/* main.c */
extern bool sim_legacy;
extern unsigned int sim_carrier_ms;
extern bool sim_ownership_query;
extern bool sim_sw_buffer_ownership;
extern struct mutex sim_ports_lock;
extern struct list_head sim_ports;
extern struct dentry *sim_dbg_mlx5;
extern struct proc_dir_entry *sim_proc_root;
void sim_pci_show(struct pci_dev *pdev, const struct sim_hw *hw);

/* reinit.c: initialisation when the driver attaches to the firmware */
void sim_driver_init(struct sim_port *p);
void sim_driver_reinit(struct sim_port *p, bool cold);
void sim_publish_apps(struct sim_port *p);

/* firmware.c */
void fw_power_on(struct sim_hw *hw);
void fw_resize_buffers(struct sim_port *p);
int fw_set_pfc(struct sim_port *p, u8 mask);
int fw_set_pause(struct sim_port *p, bool rx, bool tx);

/* netdev.c */
struct net_device *sim_netdev_alloc(struct sim_port *p);
int sim_netdev_register(struct sim_port *p);
void sim_netdev_unregister(struct sim_port *p);

/* traffic.c */
struct sim_traffic {
	unsigned int prio;
	unsigned int len;
	bool rdma;
};
struct sim_traffic sim_classify(const struct sim_hw *hw, const struct sk_buff *skb);
void sim_count_sent(struct sim_hw *hw, const struct sim_traffic *t);
void sim_count_received(struct sim_hw *hw, const struct sim_traffic *t);
bool sim_rewrite(const struct sim_hw *hw, struct sk_buff *skb);
int sim_rewrite_set(struct sim_port *p, int argc, char **argv);
int sim_detour_set(struct sim_port *p, int argc, char **argv);

/* A port always has a struct net_device, but an InfiniBand port does not register it. */
static inline bool sim_netdev_there(const struct sim_port *p)
{
	return p->dev->reg_state == NETREG_REGISTERED;
}

/* link.c; callers hold RTNL, the work item does not */
void sim_link_init(struct sim_port *p);
void sim_link_start(struct sim_port *p);
void sim_link_stop(struct sim_port *p);
void sim_link_toggle(struct sim_port *p);
void sim_link_hold(struct sim_port *p, bool down);
unsigned int sim_link_delay_ms(const struct sim_port *p);

/* dcbnl.c */
extern const struct dcbnl_rtnl_ops sim_dcbnl_ops;

/* ets.c */
int sim_ets_get(struct sim_port *p, struct ieee_ets *ets);
int sim_ets_validate(struct sim_port *p, const struct ieee_ets *ets);
int sim_ets_set(struct sim_port *p, const struct ieee_ets *ets);
int sim_ets_write(struct sim_port *p, const struct ieee_ets *ets);
void sim_ets_init(struct sim_port *p);
void sim_reco_keep(struct sim_port *p, const struct ieee_ets *ets);
void sim_reco_show(const struct sim_port *p, struct ieee_ets *ets);

/* pfc.c */
int sim_pfc_get(struct sim_port *p, struct ieee_pfc *pfc);
int sim_pfc_set(struct sim_port *p, const struct ieee_pfc *pfc);

/* app.c */
int sim_app_set(struct sim_port *p, struct dcb_app *app);
int sim_app_del(struct sim_port *p, struct dcb_app *app);
void sim_app_publish(struct sim_port *p);
void sim_app_withdraw(struct sim_port *p);
void sim_app_clear(struct sim_port *p);
void sim_app_align(struct sim_port *p);
void sim_app_poke(struct sim_port *p, u8 dscp, u8 prio);
void sim_app_retrust(struct sim_port *p);

/* apptrust.c */
bool sim_apptrust(const struct sim_port *p);
void sim_apptrust_init(struct sim_port *p);
void sim_apptrust_dress(struct sim_port *p, struct dcbnl_rtnl_ops *ops);

/* buffer.c */
enum {
	SIM_BUF_CABLE = BIT(0),
	SIM_BUF_PFC = BIT(1),
	SIM_BUF_MAP = BIT(2),
	SIM_BUF_SIZE = BIT(3),
};
int sim_buffer_get(struct sim_port *p, struct dcbnl_buffer *b);
int sim_buffer_set(struct sim_port *p, const struct dcbnl_buffer *b);
int sim_buffer_config(struct sim_port *p, u32 change, u8 pfc, const u32 *size, const u8 *map);
int sim_nvidia_set_cable(struct sim_port *p, u16 metres, u32 changed);
u32 sim_buffer_xoff(const struct sim_port *p);
unsigned int sim_buffer_max_mtu(const struct sim_port *p);

/* maxrate.c */
int sim_maxrate_get(struct sim_port *p, struct ieee_maxrate *r);
int sim_maxrate_set(struct sim_port *p, const struct ieee_maxrate *r);
int sim_maxrate_encode(struct sim_port *p, u64 kbps, u16 *value, u8 *unit);
u64 sim_maxrate_decode(u16 value, u8 unit);

/* dcbx.c */
u8 sim_dcbx_set(struct sim_port *p, u8 mode);
void sim_dcbx_init(struct sim_port *p);
void sim_dcbx_poke(struct sim_port *p, bool host);

/* cee.c */
u8 sim_cee_setall(struct sim_port *p);
void sim_cee_setpgtccfgtx(struct net_device *dev, int prio, u8 type, u8 pgid, u8 bw, u8 up_map);
void sim_cee_setpgbwgcfgtx(struct net_device *dev, int pgid, u8 bw);
void sim_cee_getpgtccfgtx(struct net_device *dev, int prio, u8 *type, u8 *pgid, u8 *bw,
			  u8 *up_map);
void sim_cee_getpgbwgcfgtx(struct net_device *dev, int pgid, u8 *bw);
void sim_cee_setpfccfg(struct net_device *dev, int prio, u8 setting);
void sim_cee_getpfccfg(struct net_device *dev, int prio, u8 *setting);
u8 sim_cee_getcap(struct net_device *dev, int capid, u8 *cap);
int sim_cee_getnumtcs(struct net_device *dev, int tcid, u8 *num);
u8 sim_cee_getpfcstate(struct net_device *dev);
void sim_cee_setpfcstate(struct net_device *dev, u8 state);

/* ethtool.c, ksettings.c */
extern const struct ethtool_ops sim_ethtool_ops;
extern const struct ethtool_ops sim_other_ethtool_ops;
extern const struct ethtool_ops sim_rep_ethtool_ops;
int sim_get_link_ksettings(struct net_device *dev, struct ethtool_link_ksettings *ks);
int sim_set_link_ksettings(struct net_device *dev, const struct ethtool_link_ksettings *ks);
bool sim_speed_valid(u32 speed);
u32 sim_speeds(const struct sim_hw *hw);
void sim_speed_set(struct sim_hw *hw, u32 speed);

/* fec.c */
int sim_get_fecparam(struct net_device *dev, struct ethtool_fecparam *fec);
int sim_set_fecparam(struct net_device *dev, struct ethtool_fecparam *fec);
void sim_get_fec_stats(struct net_device *dev, struct ethtool_fec_stats *stats);
int sim_fec_parse(const char *name, u32 *ret);
const char *sim_fec_name(u32 fec);

/* rdma.c; never under RTNL */
int sim_rdma_add(struct sim_port *p);
void sim_rdma_remove(struct sim_port *p);
int sim_rdma_ofed(struct sim_port *p);
struct ib_pd *sim_rdma_pd(struct sim_port *p);

/* qp.c */
int sim_qps(struct sim_port *p, int argc, char **argv);
void sim_qps_drop(struct sim_port *p);

/* cc.c */
void sim_cc_defaults(u32 *cc);
void sim_cc_add(struct sim_port *p);
void sim_cc_remove(struct sim_port *p);
int sim_cc_find(const char *name);
const char *sim_cc_name(unsigned int param);
void sim_cc_write(struct sim_hw *hw, unsigned int param, u32 value);
void sim_cc_store(struct sim_port *p, unsigned int param, u32 value);

/* ofed.c, tclass.c: sysfs files that only MLNX_OFED has */
int sim_ofed_add(struct sim_port *p);
void sim_ofed_remove(struct sim_port *p);
int sim_tclass_add(struct sim_port *p, struct kobject *device);
void sim_tclass_remove(struct sim_port *p);

/* control.c, verbs.c, switches.c, poke.c, state.c */
void sim_control_add(void);
int sim_verb_run(struct sim_port *p, int argc, char **argv);
int sim_parse_onoff(const char *text);
void sim_physfn(struct sim_port *p);
int sim_switch(struct sim_port *p, const char *name, const char *onoff);
int sim_poke(struct sim_port *p, int argc, char **argv);
const char *sim_cap_name(enum sim_cap cap);
void sim_state_add(struct sim_port *p);

#endif
