/* SPDX-License-Identifier: GPL-2.0 */
/* The adapter: its registers, its firmware's capabilities, and the behaviour a test configured. */
#ifndef MLX5SIM_HW_H
#define MLX5SIM_HW_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/list.h>
#include <linux/types.h>

#include "counters.h"

#define SIM_PRIOS	8
#define SIM_TCS		8
#define SIM_BUFFERS	8
#define SIM_DSCPS	64
#define SIM_QUEUES	8
#define SIM_CELL	128u
#define SIM_MAX_MTU	9978
#define SIM_CABLE_M	7
#define SIM_STALL_MS	8000

enum { SIM_TRUST_NONE = 0, SIM_TRUST_PCP = 1, SIM_TRUST_DSCP = 2, SIM_TRUST_LIST = 2 };
enum { SIM_RATE_NONE = 0, SIM_RATE_100M = 3, SIM_RATE_1G = 4 };
enum { SIM_GROUP_LOWEST = 0, SIM_GROUP_VENDOR = 7 };
enum sim_pause_policy { SIM_PAUSE_KEEP, SIM_PAUSE_CLEAR_PFC, SIM_PAUSE_REFUSE };

/* Firmware capabilities; without one, its operations fail with mlx5's errno. */
#define SIM_CAPS(X)			\
	X(ETS, "ets")			\
	X(PFC, "pfc")			\
	X(BUFFER, "buffer")		\
	X(QPTS, "qpts")			\
	X(DCBX, "dcbx")			\
	X(MAXRATE, "maxrate")		\
	X(MAXRATE16, "maxrate16")	\
	X(PAUSEPARAM, "pauseparam")	\
	X(STALL, "stall")		\
	X(PPLM, "pplm")			\
	X(SBCAM, "sbcam")		\
	X(OWNERSHIP, "buf_ownership")	\
	X(RDMA, "rdma")			\
	X(CC, "cc")			\
	X(RTT, "rtt")			\
	X(ROCE_PARAM, "roce_param")	\
	X(PCIE_CONG, "pcie_cong")

#define SIM_CAP_ENUM(id, name) SIM_CAP_##id,
enum sim_cap { SIM_CAPS(SIM_CAP_ENUM) SIM_CAP_COUNT };
#undef SIM_CAP_ENUM

enum sim_cc {
#define PARAM(id, ...) SIM_CC_##id,
#include "params.def"
#undef PARAM
	SIM_CC_RTT_VALID,
	SIM_CC_RTT_DSCP,
	SIM_CC_COUNT
};

/* One entry of PBMC, in cells. */
struct sim_bufreg {
	u16 size;
	u16 xoff;
	u16 xon;
	bool lossy;
};

/* A pause storm on a priority, and its share of the time in percent; 0: none. */
struct sim_storm {
	u64 since_ns;
	u8 percent;
};

/* The registers: they outlive the driver, as the adapter's do. */
struct sim_hw {
	u8 pfc;				/* PFCC */
	bool rx_pause;
	bool tx_pause;
	u16 stall_critical;
	u16 stall_minor;
	u8 trust;			/* QPTS */
	u8 dscp2prio[SIM_DSCPS];	/* QPDPM */
	u8 prio_tc[SIM_PRIOS];		/* QTCT */
	u8 group[SIM_TCS];		/* QETC */
	u8 bw[SIM_TCS];
	u16 rate[SIM_TCS];
	u8 rate_unit[SIM_TCS];
	struct sim_bufreg buf[SIM_BUFFERS];	/* PBMC */
	u8 prio2buf[SIM_PRIOS];		/* PPTB */
	u32 port_cells;
	u32 internal_cells;
	u32 epool_cells;		/* SBPR */
	u32 ipool_cells;
	bool sw_owned;			/* software sizes the buffers */
	bool buffers_laid;		/* by firmware, at least once since power on */
	bool dcbx_host;			/* DCBX_PARAM */
	bool willing;
	u32 cc[SIM_CC_COUNT];
	u32 cc_most[SIM_CC_COUNT];	/* firmware refuses more; 0: no limit */
	u8 ecn_rp;			/* priorities that react to CNPs */
	u8 ecn_np;			/* 1: the whole port sends CNPs */
	u32 caps;
	u8 max_tc;
	u8 channels;			/* channels with counters besides the eight rings */
	bool vf;
	bool ofed;
	bool nvidia;			/* the driver is NVIDIA's own */
	u16 cable_m;			/* PFCC: that driver keeps the cable length here */
	u8 kind;
	bool rep;			/* the netdev is a representor's */
	bool ib;			/* an InfiniBand port has no netdev */
	bool gidless;			/* RoCE v1 only */
	bool switchdev;			/* the uplink of a switch: raw packets, no RoCE */
	u16 representors;		/* with switchdev: RDMA ports before the uplink's */
	bool vport_stats;		/* with switchdev: the RDMA port counts, as vport_* */
	bool vm;			/* a VF passed to a VM: its PF is not visible */
	bool dpu_host;			/* the eswitch belongs to the BlueField's Arm side */
	bool lag;			/* this port has the RDMA device of both ports */
	bool lag_second;		/* the card's other port has it */
	u16 pci_device;			/* PCI device id in sysfs; 0: QEMU's */
	char port_name[16];		/* phys_port_name; empty: the usual one */
	bool apptrust;
	bool reco;			/* ETS keeps the recommendation and willing */
	bool unmanaged;			/* a new netdev stays down */
	bool fwlldp;			/* bnxt, ice: the firmware has an LLDP agent */
	enum sim_pause_policy pause_policy;
	u32 speed;
	u32 best_speed;			/* highest that the adapter supports */
	u32 fec;			/* PPLM: in force while the link is up, ETHTOOL_FEC_* */
	u32 fec_admin;			/* PPLM: requested; 0: the firmware chooses */
	bool autoneg;
	u32 advertised;			/* bits index the table in ksettings.c */
	unsigned int carrier_ms;
	bool own_carrier_ms;
	unsigned int command_us;	/* duration of a firmware command */
	bool toggle_stuck;
	bool steady;			/* the link stays up over a change of PFC */
	bool keep_pause;		/* the firmware keeps pause over a change of PFC */
	u8 rewrite_from;		/* the peer switch replaces this DSCP */
	u8 rewrite_to;			/* by this one; equal: no rewrite */
	u8 detour;			/* index + 1 of the port for RDMA; 0: the cable's */
	bool forgetful;			/* a reload also resets the registers */
	atomic64_t counter[SIM_CTR_COUNT];
	atomic64_t rdma[SIM_RDMA_COUNT];
	atomic64_t fec_blocks[SIM_FEC_COUNT];
	struct sim_storm storm[2][SIM_PRIOS];	/* sent, suffered */
};

/* Values that override QEMU's PCI Express capability of the port; see pcie.c. */
enum { SIM_PCIE_BYTES = 0x3c };

struct sim_pcie {
	u8 at;			/* offset of the capability; 0: none */
	u8 value[SIM_PCIE_BYTES];
	u8 mask[SIM_PCIE_BYTES];	/* bits of `value` that override QEMU's */
};

/* A PCI address keeps its index and registers while the module is loaded. */
struct sim_slot {
	struct list_head node;
	int domain;
	u8 bus;
	u8 devfn;
	unsigned int index;
	struct sim_pcie pcie;
	struct sim_hw hw;
};

#endif
