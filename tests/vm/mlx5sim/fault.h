/* SPDX-License-Identifier: GPL-2.0 */
/* The operations a test can count, make fail or make deaf. */
#ifndef MLX5SIM_FAULT_H
#define MLX5SIM_FAULT_H

#include <linux/bits.h>
#include <linux/spinlock.h>
#include <linux/types.h>

enum { SIM_OP_FAILS = BIT(0), SIM_OP_SETS = BIT(1), SIM_OP_STAGE = BIT(2) };

/* id, name, faults that a test may set */
#define SIM_OPS(X)							\
	X(GETETS, "ieee_getets", SIM_OP_FAILS)				\
	X(SETETS, "ieee_setets", SIM_OP_FAILS | SIM_OP_SETS)		\
	X(SETETS_PARTIAL, "ieee_setets_partial", SIM_OP_FAILS | SIM_OP_STAGE) \
	X(SETETS_GROUP, "ieee_setets_group", SIM_OP_FAILS | SIM_OP_STAGE) \
	X(SETETS_BW, "ieee_setets_bw", SIM_OP_FAILS | SIM_OP_STAGE)	\
	X(GETMAXRATE, "ieee_getmaxrate", SIM_OP_FAILS)			\
	X(SETMAXRATE, "ieee_setmaxrate", SIM_OP_FAILS | SIM_OP_SETS)	\
	X(GETPFC, "ieee_getpfc", SIM_OP_FAILS)				\
	X(SETPFC, "ieee_setpfc", SIM_OP_FAILS | SIM_OP_SETS)		\
	X(SETPFC_BUFFER, "ieee_setpfc_buffer", SIM_OP_FAILS | SIM_OP_STAGE) \
	X(SETAPP, "ieee_setapp", SIM_OP_FAILS | SIM_OP_SETS)		\
	X(SETAPP_QPDPM, "ieee_setapp_qpdpm", SIM_OP_FAILS | SIM_OP_STAGE) \
	X(DELAPP, "ieee_delapp", SIM_OP_FAILS | SIM_OP_SETS)		\
	X(DELAPP_QPDPM, "ieee_delapp_qpdpm", SIM_OP_FAILS | SIM_OP_STAGE) \
	X(GETDCBX, "getdcbx", 0)					\
	X(SETDCBX, "setdcbx", SIM_OP_FAILS | SIM_OP_SETS)		\
	X(GETTRUST, "getapptrust", SIM_OP_FAILS)			\
	X(SETTRUST, "setapptrust", SIM_OP_FAILS | SIM_OP_SETS)		\
	X(GETBUFFER, "dcbnl_getbuffer", SIM_OP_FAILS)			\
	X(SETBUFFER, "dcbnl_setbuffer", SIM_OP_FAILS | SIM_OP_SETS)	\
	X(SETBUFFER_MAP, "dcbnl_setbuffer_map", SIM_OP_FAILS | SIM_OP_STAGE) \
	X(SETALL, "setall", SIM_OP_FAILS | SIM_OP_SETS)			\
	X(SETCEE, "cee_set", SIM_OP_SETS)				\
	X(GETPAUSE, "get_pauseparam", SIM_OP_FAILS)			\
	X(SETPAUSE, "set_pauseparam", SIM_OP_FAILS | SIM_OP_SETS)	\
	X(GETPAUSESTATS, "get_pause_stats", SIM_OP_FAILS)		\
	X(GETTUNABLE, "get_tunable", SIM_OP_FAILS)			\
	X(SETTUNABLE, "set_tunable", SIM_OP_FAILS | SIM_OP_SETS)	\
	X(GETSTATS, "get_ethtool_stats", SIM_OP_FAILS)			\
	X(GETLINK, "get_link_ksettings", SIM_OP_FAILS)			\
	X(GETFEC, "get_fecparam", SIM_OP_FAILS)				\
	X(GETFECSTATS, "get_fec_stats", SIM_OP_FAILS)			\
	X(SETLINK, "set_link_ksettings", SIM_OP_FAILS | SIM_OP_SETS)	\
	X(OPEN, "open", SIM_OP_FAILS)					\
	X(STOP, "stop", 0)						\
	X(CHANGEMTU, "change_mtu", SIM_OP_FAILS | SIM_OP_SETS)		\
	X(CCGET, "cc_get", SIM_OP_FAILS)				\
	X(CCSET, "cc_set", SIM_OP_FAILS | SIM_OP_SETS)			\
	X(ECNGET, "ecn_enable_get", SIM_OP_FAILS)			\
	X(ECNSET, "ecn_enable_set", SIM_OP_FAILS | SIM_OP_SETS)		\
	X(TCLASSSET, "traffic_class_set", SIM_OP_FAILS | SIM_OP_SETS)	\
	X(ROCESET, "enable_roce_set", SIM_OP_FAILS | SIM_OP_SETS)	\
	X(RELOAD, "devlink_reload", SIM_OP_FAILS | SIM_OP_SETS)		\
	X(RELOADUP, "devlink_reload_up", SIM_OP_FAILS | SIM_OP_STAGE)	\
	X(HWSTATS, "get_hw_stats", SIM_OP_FAILS)

#define SIM_OP_ENUM(id, name, flags) SIM_OP_##id,
enum sim_op { SIM_OPS(SIM_OP_ENUM) SIM_OP_COUNT };
#undef SIM_OP_ENUM

struct sim_fault {
	int err;		/* negative errno, 0 = none */
	bool forever;
	unsigned int count;
	unsigned int skip;
	bool deaf;
	u64 calls;
};

struct sim_faults {
	spinlock_t lock;	/* getdcbx counts its calls in atomic context */
	struct sim_fault op[SIM_OP_COUNT];
};

struct sim_port;

/* Count a call. Returns 0: go on, <0: fail with it, SIM_DEAF: report success and do nothing. */
#define SIM_DEAF 1
int sim_enter(struct sim_port *p, enum sim_op op);

void sim_faults_init(struct sim_port *p);
int sim_fault_find(const char *name);
int sim_fault_set(struct sim_port *p, int op, int err, unsigned int count, unsigned int skip,
		  bool forever);
int sim_fault_deaf(struct sim_port *p, int op, bool deaf);
u64 sim_fault_calls(struct sim_port *p, enum sim_op op);
u64 sim_fault_writes(struct sim_port *p);
const char *sim_op_name(enum sim_op op);

/* Convert a refused or deaf call to the callback's return value. */
static inline int sim_verdict(int entered)
{
	return entered < 0 ? entered : 0;
}

#endif
