/* SPDX-License-Identifier: GPL-2.0 */
/*
 * connectx: a simulated ConnectX adapter for the unmodified mlx5 driver.
 *
 * One "function" is one PCI function with one Ethernet port. Everything that a function does is
 * done by one kernel thread (main.c), so the state below needs no locks, except where noted.
 */
#ifndef CONNECTX_H
#define CONNECTX_H

#include <linux/etherdevice.h>
#include <linux/ktime.h>
#include <linux/mlx5/device.h>
#include <linux/mlx5/driver.h>
#include <linux/mlx5/port.h>
#include <linux/mlx5/vport.h>
#include <linux/pci.h>
#include <linux/types.h>
#include <linux/xarray.h>

#define FW_MAX_FUNCTIONS	126
#define FW_VFS			3	/* per function, while their BARs fit */
#define FW_MAX_WITH_VFS		16	/* functions */
#define FW_BAR_SIZE		SZ_1M	/* initialization segment, MSI-X table, UAR pages */
#define FW_MSIX_TABLE		0x10000
#define FW_MSIX_PBA		0x18000
#define FW_MSIX_VECTORS		64
#define FW_FIRST_UAR		32	/* page of the BAR */
#define FW_UARS			(FW_BAR_SIZE / 4096)
#define FW_CONFIG_SIZE		4096
#define FW_CAP_EXP		0x60	/* a function has it here */
#define FW_FIRST_EXT		0x100	/* the list of extended capabilities begins here */
#define FW_MAX_MESSAGE		SZ_512K
#define FW_MAX_FRAME		SZ_64K
#define FW_PRIOS		8
#define FW_CELL			128	/* bytes of a cell of the port's buffer */
#define FW_CABLE_M		7	/* the cables here, in metres */
#define FW_LOST		255
#define FW_LONGEST_FRAME	10000	/* on the wire */
#define FW_BATCH		64	/* work requests of one queue in a row */

/* The version of the simulated firmware, but for its first number, which is the model's. */
#define FW_MINOR		43
#define FW_SUB			2026
#define FW_KHZ			156250
#define FW_VERSION(model)	((model)->fw_major << 24 | FW_MINOR << 16 | FW_SUB)

struct fw_function;

/* A row of a table of names, which ends with a row without one. */
struct fw_name {
	const char *name;
	u32 value;
};

#define FW_COMMAND_NAMES	128
#define FW_REGISTER_NAMES	64

extern const struct fw_name fw_commands[], fw_registers[], fw_statuses[];

/* A field of a register: where struct fw_port keeps COUNT of it, every STRIDE bits. */
struct fw_field {
	const char *reg, *name;
	u32 offset;		/* in bytes */
	u32 width, count, stride;
	bool packed;		/* at this bit of a layout of mlx5_ifc.h, else a variable */
	u32 bit;
};

extern const struct fw_field fw_fields[];

/* The word of a table that is nearest to one that is in none. */
struct fw_guess {
	const char *word;
	unsigned int far;
};

enum fw_fault_kind {
	FW_NO_FAULT,
	FW_FAILS,	/* with this status */
	FW_IGNORED,	/* succeeds and does nothing */
	FW_SLOW,	/* takes so long */
	FW_SILENT,	/* never answers */
};

/* A fault of a command, or of a register's reads or writes. */
struct fw_fault {
	enum fw_fault_kind kind;
	u16 opcode;		/* 0: every command */
	u16 reg;		/* 0: every register */
	bool read;
	u32 status, us;
	u32 skip;		/* passes so many times first */
	u32 count;		/* then hits so many times; 0: for good */
};

#define FW_FAULTS		16

/* Event queues by what they are for. */
enum fw_eq_use { FW_EQ_COMMANDS, FW_EQ_EVENTS, FW_EQ_COMPLETIONS, FW_EQ_USES };

/* A register: reads fill OUT from nothing; writes change the port by IN, and answer the same. */
struct fw_register {
	u16 id;
	int (*handler)(struct fw_function *fn, void *in, void *out, bool write);
};

/* Fields of PPLM: each has its own modes of FEC. */
enum fw_fec_field {
	FW_FEC_56G, FW_FEC_100G, FW_FEC_50G, FW_FEC_25G, FW_FEC_10G_40G,
	FW_FEC_400G_8X, FW_FEC_200G_4X, FW_FEC_100G_2X, FW_FEC_50G_1X,
	FW_FEC_800G_8X, FW_FEC_400G_4X, FW_FEC_200G_2X, FW_FEC_100G_1X, FW_FEC_FIELDS
};

/* Settings that firmware may refuse without a capability that says so. */
enum fw_refusal { FW_PFC, FW_PAUSE, FW_MAXRATE };

/* Pause is switched on while PFC is: the firmware decides. */
enum fw_pause_policy { FW_PAUSE_KEEPS_PFC, FW_PAUSE_ENDS_PFC, FW_PAUSE_IS_REFUSED };

/* The module in the cage of a port; QSFP-DD as CMIS describes it. */
enum fw_module { FW_NO_MODULE, FW_SFP, FW_QSFP28, FW_QSFP_DD };

/* A kind of adapter: a row of model.c. */
struct fw_model {
	u16 device, vf_device;	/* PCI */
	u8 fw_major;
	u32 best_mbps, lane_mbps;
	bool ext;		/* has the extended fields of PTYS */
	bool inline_l2;		/* wants the Ethernet header in each work request */
	const char *name, *psid;
};

/* A way to run the link: a row of link.c. */
struct fw_link_mode {
	u32 mbps;
	u8 lanes;
	u8 ext;			/* its bit in the extended fields of PTYS */
	u32 legacy;		/* its bits in the others; 0: it has none */
	u32 legacy_oper;	/* the one that is in force with a copper cable */
	enum fw_fec_field fec;
};

/* Kinds of objects that the driver makes; each has its own numbers. */
enum fw_kind {
	FW_EQ, FW_CQ, FW_SQ, FW_RQ, FW_QP, FW_SRQ, FW_TIR, FW_TIS, FW_RQT, FW_MKEY, FW_PD,
	FW_TD, FW_XRCD, FW_UAR, FW_TABLE, FW_GROUP, FW_COUNTER, FW_QCOUNTER, FW_GENERAL, FW_KINDS
};

extern const char *const fw_kind_name[FW_KINDS];

/* A buffer of the driver, in pages as it named them. */
struct fw_ring {
	u64 *page;		/* physical */
	u32 pages;
	u8 page_shift;
	u32 offset;
};

struct fw_q_counters {
	u64 out_of_buffer, rx_write_requests, rx_read_requests, rx_atomic_requests;
	u64 out_of_sequence, duplicate_request, rnr_nak_retry_err, packet_seq_err;
	u64 implied_nak_seq_err, local_ack_timeout_err, resp_local_length_error;
	u64 resp_cqe_error, req_cqe_error, resp_cqe_flush_error, req_cqe_flush_error;
	u64 req_remote_invalid_request, req_remote_access_errors, resp_remote_access_errors;
	u64 req_transport_retries_exceeded, req_rnr_retries_exceeded;
	u64 roce_slow_restart, roce_slow_restart_cnps, roce_slow_restart_trans;
};

#define FW_IN_FLIGHT		16	/* messages of a queue pair that wait for acknowledgements */

/* A message on its way: a request of a send queue, and the packets that it takes. */
struct fw_message {
	u64 serial;		/* no other message has it */
	u16 index, next;	/* its request, and the one behind it */
	u8 opcode;
	bool signalled;
	u32 psn, packets, len;
};

/* The rate of a queue pair whose packets met congestion. */
struct fw_rate {
	u32 limit;		/* bytes a second; 0: none */
	ktime_t cut_at, raised_at;
	ktime_t next_at;	/* the next packet leaves then */
};

/* A queue pair's memory of its packets, whose numbers have 24 bits. */
struct fw_transport {
	/* the requester: messages from DONE on to MADE; those before SENDING are sent */
	struct fw_message message[FW_IN_FLIGHT];
	u32 done, sending, made;
	u32 next_psn;		/* the packet that is sent next */
	u32 oldest_psn;		/* the oldest one that nobody acknowledged */
	u8 retries, rnr_retries;	/* left */
	ktime_t since;		/* the oldest one waits from then on */
	ktime_t not_before;	/* the receiver was not ready */
	struct fw_rate rate;
	/* the responder */
	u32 expected_psn, messages;
	bool complained;	/* about a gap, once */
	bool receiving;		/* into this request */
	u16 receive_index;
	bool ended;		/* in error, and it said that it takes no more shared requests */
	u32 received;		/* bytes of the message that is arriving */
	u64 raddr;		/* where it is written to */
	u32 rkey;
	u32 atomic_psn;		/* the last atomic operation, and its answer */
	u64 atomic_result;
};

/* One object. The context is what the driver gave when it made the object. */
struct fw_object {
	struct fw_function *fn;
	enum fw_kind kind;
	u32 id;
	void *context;
	u32 context_size;
	struct fw_ring ring;
	u32 *dbr;		/* doorbell record, in the driver's memory */
	u32 log_size;
	u32 log_stride;
	u32 pi;			/* produced by the adapter, or consumed of a work queue */
	u32 cqn;
	u8 state;
	u8 prio;
	/* event queues */
	int virq;
	u64 events;
	/* completion queues */
	u32 eqn;
	u32 last_arm;
	u32 arm_ci;
	bool armed;
	bool pending;
	/* queues of receive requests */
	struct fw_ring receive;	/* shares its pages with ring */
	u32 receive_size;
	u32 rq_ci;
	u16 head;		/* the first request of a linked list */
	bool linked;
	/* queue pairs */
	bool shares;		/* the receive requests of others */
	u32 cqn_receive;
	u32 deth_sqpn;
	u8 service, counter_set;
	bool log_size_valid;	/* it has a send queue */
	struct fw_transport *transport;
	struct fw_q_counters q;	/* the counters of a set */
};

/* Kinds of frames that a vport counts apart. */
enum fw_cast {
	FW_UNICAST, FW_MULTICAST, FW_BROADCAST, FW_RDMA, FW_RDMA_MULTICAST, FW_CASTS
};

/* Counts of the data path; counters.c has a row for each counter that the driver reads. */
struct fw_counters {
	u64 rx_frames, rx_bytes, tx_frames, tx_bytes;
	struct {
		u64 frames, bytes;
	} rx[FW_CASTS], tx[FW_CASTS];
	u64 rx_sizes[10];	/* as in RFC 2819, and larger */
	u64 rx_pause, tx_pause, rx_discards, crc_errors, icrc_errors;
	struct {
		u64 rx_frames, rx_bytes, tx_frames, tx_bytes, rx_discards;
		u64 rx_pause, rx_pause_us, tx_pause, tx_pause_us, rx_transition;
		u64 stall_minor, stall_critical;
	} prio[FW_PRIOS];
	u64 tc_discards[FW_PRIOS];
	u64 link_down_events;
	u64 stalled_percent, stalled_seconds;	/* writes to memory: in the last second; with many */
	u64 ecn_marked, cnp_sent, cnp_handled, cnp_ignored;
};

#define FW_COUNTER_ROWS		160
#define FW_CC_PARAMETERS	22

/* Pause that is sent, or suffered: for a part of the time, or as long as a buffer is full. */
struct fw_storm {
	ktime_t since;
	u8 percent;
	bool full;
};

/* Registers that the adapter keeps. They survive a restart of the driver. */
struct fw_port {
	u8 admin_up, oper_up;
	bool cable;
	bool stuck;		/* once down, the link stays down */
	int carrier_ms;		/* time of training; -1: as the module's parameter says */
	u32 wire_mbps;		/* the speed that the other side of the cable prefers */
	u32 best_mbps, lane_mbps;	/* the limits of the adapter */
	u32 ext_admin, legacy_admin;	/* the modes that the host allows; one of them is 0 */
	bool an_disabled;
	u8 connector;		/* enum mlx5e_connector_type */
	enum fw_module module;
	bool fcs_unchecked;
	char node_desc[64];
	const struct fw_link_mode *mode;	/* the last one in force */
	u32 speed_mbps;		/* the speed of the mode */
	u16 fec_admin[FW_FEC_FIELDS];	/* as written */
	u32 fec_forced;		/* the mode in force in spite of that, a bit; 0: none */
	u8 pptx, pprx, pfctx, pfcrx;
	enum fw_pause_policy pause_policy;
	u16 stall_minor, stall_critical;
	u16 mtu;
	u8 prio_tc[FW_PRIOS];
	struct {
		u8 group, bw, units;
		u16 value;
	} tc[FW_PRIOS];
	u8 trust;
	u8 dscp_prio[64];
	u8 dcbx[64];
	u32 prio_buffer;	/* four bits each, as in PPTB */
	u16 xoff_timer, xoff_refresh;
	u16 buffer_total;	/* in cells */
	bool buffers_of_host;	/* the host has written PBMC */
	struct {
		u8 lossy, epsb;
		u16 size, xoff, xon;
	} buffer[10];
	u32 pool_size[2][2];
	u8 sbcm[2][16][40];
	u8 np[256], rp[256];	/* congestion control */
	u8 ecn_rp;		/* priorities that react to CNPs */
	bool ecn_np;		/* the port sends CNPs */
	u8 general[256];
	u32 cc_most[FW_CC_PARAMETERS];	/* the most that the firmware takes; 0: no limit */
	struct xarray other;	/* registers that only remember */
	struct fw_counters count;
	u64 added[FW_COUNTER_ROWS][FW_PRIOS];	/* by name: fw_counter_add() */
	bool module_events;	/* some of these are events, to be sent */
	struct fw_storm storm[2][FW_PRIOS];	/* suffered, sent */
	ktime_t last_cnp;
};

/* Kinds of RoCE packets, as a switch would tell them apart. */
enum fw_packet_kind { FW_ANY, FW_DATA, FW_ACKS, FW_MADS, FW_CNPS, FW_PACKET_KINDS };

/* Damage of a frame: of its check sequence, or of the invariant CRC of a RoCE packet. */
enum fw_damage { FW_FCS, FW_ICRC, FW_DAMAGES };

/* Hits one of EVERY packets, COUNT times (0: for good). EVERY is 0: none. */
struct fw_every {
	u32 every, count, passed;
};

/* RoCE packets that wait at a port, and the pause that follows: queue.c. */
struct fw_queue {
	/* those that arrived, until the port takes them, and their bytes by buffer */
	struct list_head arrived;
	u32 bytes[FW_PRIOS];
	bool slow;
	u32 rate;		/* the port takes so many MB/s */
	bool memory;		/* because of the host's memory, so that writes to it stall */
	ktime_t settled_at, second;	/* stalls are counted until then, in the second that began then */
	s64 stalled_us;		/* in that second */
	ktime_t free_at;	/* it has taken the packet before by then */
	u8 full;		/* buffers above xoff that were not below xon since */
	u8 asked;		/* priorities that the peer shall pause */
	u8 watched, warned, ended;	/* the watchdog: those that need pause, have it for long, too long */
	ktime_t watched_since[FW_PRIOS];
	/* those that wait to leave, as the peer asked for pause */
	struct list_head held;
	u32 held_bytes, held_packets[FW_PRIOS];
	u8 paused;		/* priorities */
	s32 on_its_way[FW_PRIOS];	/* bytes that leave before the pause takes effect */
};

/* Frames as a sniffer would see them at the port's end of the cable: the content of a pcap file. */
struct fw_capture {
	u8 *data;
	u32 bytes;
	bool on;
};

/* The configuration space of a PCI device, and which bits of it can be written or cleared. */
struct fw_space {
	u8 config[FW_CONFIG_SIZE];
	u8 writable[FW_CONFIG_SIZE];
	u8 cleared[FW_CONFIG_SIZE];	/* by a write of one */
};

/* A root bus with those below it, up to LAST, and so many BARs from FIRST_BAR on. */
struct fw_root {
	u8 bus, last;
	int node;
	unsigned int first_bar, bars;
};

struct fw_function {
	unsigned int index;
	const struct fw_model *model;
	struct fw_space space;
	phys_addr_t bar;
	void *bar_map;
	struct mlx5_init_seg *iseg;	/* big endian, as the driver sees it */
	u64 command_queue;
	unsigned long overdue;	/* commands whose bell another one's hid */
	ktime_t overdue_since;
	u8 mac[ETH_ALEN];

	struct xarray object[FW_KINDS];
	u32 next_id[FW_KINDS];
	u32 command_eqn;
	u8 dropping_set;	/* a set of Q counters: counters.c */
	DECLARE_BITMAP(caps_off, 32);	/* rows of caps.c */
	u8 *cap_cur[MLX5_CAP_NUM];
	u8 *cap_max[MLX5_CAP_NUM];
	u8 vport_context[MLX5_ST_SZ_BYTES(nic_vport_context) + 8 * 256];
	u8 vport_admin;
	bool in_lag;		/* with the other port of the card */
	u8 lag[MLX5_ST_SZ_BYTES(lagc)];
	u8 gid[256][MLX5_ST_SZ_BYTES(roce_addr_layout)];

	/* A virtual function has a physical one, and lives while the driver of that enables it. */
	struct fw_function *pf, *vf[FW_VFS];
	bool enabled;
	bool cut_off;		/* it has lost bus mastering since the thread last looked */
	bool changed;		/* a command came that does more than read */

	/* Values that the control set; they come into force when the driver starts anew. */
	struct {
		bool manages_eswitch, infiniband;
	} flash;
	bool infiniband;

	struct fw_port port;
	struct fw_function *peer;
	u8 rewrite[64];		/* by DSCP: what a switch makes of it, plus 1; FW_LOST; 0: the same */
	u8 rewrite_pcp[FW_PRIOS];	/* the same of the priority in a tag */
	struct fw_every drop[FW_PACKET_KINDS], mark;	/* the switch, to RoCE packets */
	struct fw_every damage[FW_DAMAGES];	/* frames that arrive */
	u32 mark_above;		/* the same of packets that find so many bytes at the other end; 0: none */
	struct fw_queue queue;
	struct fw_capture capture;
	struct fw_function *detour;	/* RDMA that leaves arrives by this port, as in a LAG */
	struct xarray seen;	/* RoCE packets that passed the cable's end: packet.c */
	ktime_t link_up_at;
	bool link_pending;
	unsigned long link_requests;	/* atomic bits, for the thread */

	/* a reset of the firmware, for which each driver of the card is asked first */
	bool reset_asked, reset_now;
	bool forgetful;		/* each start of the driver is a power on for its registers */
	bool slow_restart;	/* a queue pair that lost packets slows down */

	u64 commands;
	u32 calls[FW_COMMAND_NAMES];
	u32 register_calls[FW_REGISTER_NAMES][2];	/* writes, reads */
	u32 changes;		/* settings changed, by the driver or the control */
	struct fw_fault fault[FW_FAULTS];
	unsigned long silent;	/* entries that are never answered */
	unsigned long slow;	/* entries that wait for their time */
	ktime_t due[32];
	u32 lost_interrupts[FW_EQ_USES];	/* the number that are lost next */
	struct proc_dir_entry *folder;
};

/* A command in execution. */
struct fw_command {
	struct fw_function *fn;
	u16 opcode, op_mod;
	u8 *in, *out;
	u32 inlen, outlen;
};

extern struct fw_function *fw_functions[FW_MAX_FUNCTIONS];
extern unsigned int fw_function_count;
extern unsigned int carrier_ms;
extern bool trace;

#define fw_say(fn, fmt, ...) pr_info("connectx: %u: " fmt, (fn)->index, ##__VA_ARGS__)
#define fw_trace(fn, fmt, ...) do { if (trace) fw_say(fn, fmt, ##__VA_ARGS__); } while (0)

/* pcibus.c: what an IOMMU makes of an address of the function */
u64 fw_physical(struct fw_function *fn, u64 dma);

static inline void *fw_at(u64 physical)
{
	return pfn_valid(PHYS_PFN(physical)) ? phys_to_virt(physical) : NULL;
}

/* The driver's memory by its DMA address. */
static inline void *fw_memory(struct fw_function *fn, u64 dma)
{
	return fw_at(fw_physical(fn, dma));
}

/*
 * A field that the oldest kernel's mlx5_ifc.h does not name yet: WIDTH bits at bit AT, counted as
 * there, not across a dword. Adapters have it whatever the driver knows.
 */
static inline void fw_set_bits(void *layout, unsigned int at, unsigned int width, u32 value)
{
	__be32 *dword = (__be32 *)layout + at / 32;
	unsigned int shift = 32 - at % 32 - width;
	u32 mask = GENMASK(width - 1, 0) << shift;

	*dword = cpu_to_be32((be32_to_cpu(*dword) & ~mask) | (value << shift & mask));
}

static inline u32 fw_get_bits(const void *layout, unsigned int at, unsigned int width)
{
	return be32_to_cpu(((const __be32 *)layout)[at / 32]) >> (32 - at % 32 - width) &
		GENMASK(width - 1, 0);
}

/* The function that has the port. */
static inline struct fw_function *fw_uplink(struct fw_function *fn)
{
	return fn->pf ?: fn;
}

/* A virtual function: of a port here, or, as in a virtual machine, of one that is elsewhere. */
static inline bool fw_is_virtual(const struct fw_function *fn)
{
	return fn->pf || fn->model->device == fn->model->vf_device;
}

/* main.c */
void fw_wake(void);
/* A function, virtual if it has a physical one. It has the nth BAR. */
struct fw_function *fw_function_create(unsigned int nth, struct fw_function *pf);

/* pcibus.c */
int fw_bus_create(phys_addr_t base);
void fw_bus_destroy(void);
void fw_function_init_config(struct fw_function *fn);
/* The device that a scan finds, which is the model's. */
void fw_pci_set_device(struct fw_function *fn);
void fw_pci_set_class(struct fw_function *fn, u16 class);
void fw_pci_init_sriov(struct fw_function *fn);
/* The link runs at this speed, as in PCI_EXP_LNKSTA_CLS, with so many lanes. */
void fw_pci_set_link(struct fw_function *fn, u16 speed, u16 lanes);
struct pci_dev *fw_pci_device(struct fw_function *fn);
void fw_pci_address(struct fw_function *fn, char *text, size_t size);

/* express.c: bridges and a GPU, if the module's parameter asks for a tree of PCI Express */
extern bool express;
#define FW_ROOTS		2
extern const struct fw_root fw_express_roots[FW_ROOTS];
void fw_express_init(phys_addr_t base);
/* The device at this place besides functions, or NULL. */
struct fw_space *fw_express_space(unsigned int bus, unsigned int devfn);
/* The function's bus; its slot is 0, and the numbers of its virtual ones follow its own. */
unsigned int fw_express_bus(const struct fw_function *fn);
/* Ports of a tree have a link as slow as the slot, ATS, and AER. */
void fw_express_function(struct fw_function *fn);
/* The root port of the function reports an error of it. -EINVAL: there is no root port. */
int fw_express_error(struct fw_function *fn, bool correctable);
void fw_set8(struct fw_space *space, int at, u8 value, u8 writable);
void fw_set16(struct fw_space *space, int at, u16 value, u16 writable);
void fw_set32(struct fw_space *space, int at, u32 value, u32 writable);
/* An extended capability at this place, the last one of the list. */
void fw_pci_add_ext(struct fw_space *space, int at, u16 id);

/* command.c */
bool fw_command_poll(struct fw_function *fn, bool *watch);
int fw_command_init(void);
void fw_command_exit(void);

/* objects.c: each handler returns a status for the driver, MLX5_CMD_STAT_* */
int fw_object_command(struct fw_command *cmd);
struct fw_object *fw_object_get(struct fw_function *fn, enum fw_kind kind, u32 id);
void fw_objects_drop(struct fw_function *fn, bool keep_eqs);
void *fw_ring_at(struct fw_ring *ring, u32 offset);

/* caps.c */
int fw_caps_init(struct fw_function *fn);
void fw_caps_free(struct fw_function *fn);
void fw_caps_reset(struct fw_function *fn);
/*
 * Switch a capability off or on; the driver sees it when it starts next. -EINVAL: there is no such
 * name.
 */
int fw_caps_switch(struct fw_function *fn, const char *name, bool on);
/* The name of the nth switch, NULL after the last one. */
const char *fw_caps_name(unsigned int n);
bool fw_refuses(struct fw_function *fn, enum fw_refusal what);
int fw_query_hca_cap(struct fw_command *cmd);
int fw_set_hca_cap(struct fw_command *cmd);
int fw_reg_pcam(struct fw_function *fn, void *reg);
int fw_reg_mcam(struct fw_function *fn, u8 group, void *reg);
int fw_reg_qcam(struct fw_function *fn, void *reg);

/* vport.c */
void fw_vport_init(struct fw_function *fn);
int fw_vport_command(struct fw_command *cmd);

/* registers.c */
int fw_access_register(struct fw_command *cmd);

/* model.c; -EINVAL: there is no such adapter here */
int fw_function_set_model(struct fw_function *fn, u16 device);
/* Put another adapter into the slot, as after a cold boot: remove and rescan the function then. */
int fw_function_set_device(struct fw_function *fn, u16 device);

/* port.c: what survives a restart of the driver */
void fw_port_init(struct fw_function *fn);
void fw_port_free(struct fw_function *fn);
/* A cold boot, but for the link's administrative state, which the driver sets when it starts. */
void fw_port_reset(struct fw_function *fn);
/* The same, and the link goes down. */
void fw_port_cold(struct fw_function *fn);

/* link.c */
extern const struct fw_register fw_link_registers[];
void fw_link_init(struct fw_function *fn);
/* The cable, or what a port allows, has changed. */
void fw_link_update(struct fw_function *fn);
/*
 * The other side of the cable prefers this speed, in Mb/s; the adapter then has it. The link trains
 * again, or it changes SILENTly, without an event. -EINVAL: there is no such speed.
 */
int fw_link_set_speed(struct fw_function *fn, u32 mbps, bool silent);
bool fw_link_poll(struct fw_function *fn, bool *watch);

/* counters.c */
int fw_counter_command(struct fw_command *cmd);
/* Add to the counter of this name of ethtool -S, hw_counters, or FEC: false if there is none. */
bool fw_counter_add(struct fw_function *fn, const char *name, s64 n);
/* The name of the nth counter that can be added to: false after the last one. */
#define FW_COUNTER_NAME 40 /* some statistics of FEC exceed ETH_GSTRING_LEN */
bool fw_counter_name(unsigned int n, char *name, size_t size);
bool fw_counter_poll(struct fw_function *fn);
void fw_count(struct fw_function *fn, bool tx, enum fw_cast cast, u8 prio, u64 frames, u64 bytes);
/* The first receive queue of the driver counts in this set; a set is about to go. */
void fw_counter_receive_queue(struct fw_function *fn, u8 set);
void fw_counter_set_dropped(struct fw_function *fn, u32 set);

/* pause.c */
/*
 * Pause of this priority is sent, or suffered, for PERCENT of the time from now on, while PFC is on
 * for it; 0 ends that. -EINVAL: no such priority or percentage.
 */
int fw_storm_set(struct fw_function *fn, bool sent, unsigned int prio, unsigned int percent);
/* A frame of pause is sent, or comes, which begins pause of this priority, or ends it. */
void fw_pause_set(struct fw_port *port, bool sent, unsigned int prio, bool on);
/* Count the pause until now. */
void fw_pause_settle(struct fw_port *port);

/* qos.c, buffer.c, firmware.c, module.c */
extern const struct fw_register fw_qos_registers[];
extern const struct fw_register fw_buffer_registers[];
extern const struct fw_register fw_counter_registers[];
extern const struct fw_register fw_firmware_registers[];
extern const struct fw_register fw_module_registers[];
void fw_qos_init(struct fw_port *port);
void fw_buffer_init(struct fw_port *port);
/* PFC, pause or MTU have changed: the firmware sizes the buffers that it owns. */
void fw_buffer_lay(struct fw_port *port);
/* The bytes that still arrive after pause was asked for, as the driver estimates them. */
u32 fw_buffer_headroom(const struct fw_port *port, u32 mbps, u32 cable_m);

/* sriov.c */
int fw_sriov_init(void);
/*
 * Let the command work on the function that it names. True if it ends here, with *STATUS: virtual
 * functions read the port's registers and write none of them.
 */
bool fw_sriov_redirect(struct fw_command *cmd, int *status);
int fw_sriov_command(struct fw_command *cmd);

/* infiniband.c: ports of this type, and the P_Keys of all */
extern const struct fw_register fw_infiniband_registers[];
void fw_infiniband_reset(struct fw_function *fn);
int fw_infiniband_command(struct fw_command *cmd);

/* lag.c */
int fw_lag_command(struct fw_command *cmd);

/* congestion.c */
void fw_congestion_init(struct fw_function *fn);
int fw_congestion_command(struct fw_command *cmd);
/* By a name of the driver's cc_params: the value, and the most that is taken. -EINVAL: none. */
int fw_cc_set(struct fw_function *fn, const char *name, u32 value);
int fw_cc_limit(struct fw_function *fn, const char *name, u32 most);
/* The nth of these parameters: its name, NULL after the last one, and its value. */
const char *fw_cc_get(const struct fw_function *fn, unsigned int n, u32 *value);
struct fw_packet;
/* A marked packet arrived. The port answers by CNP, which has the path back, or is NULL. */
void fw_congestion_marked(struct fw_function *fn, struct fw_packet *cnp);
/* A CNP arrived for a queue pair that has this rate and whose packets leave with this priority. */
void fw_congestion_notified(struct fw_function *fn, u8 prio, struct fw_rate *rate);
/* The next packet may leave. */
bool fw_congestion_lets(struct fw_rate *rate);
/* A packet of so many bytes has left. */
void fw_congestion_spend(struct fw_rate *rate, u32 bytes);

/* eventq.c */
void fw_event(struct fw_function *fn, u8 type, u8 sub_type, const void *data, size_t size);
void fw_eq_event(struct fw_function *fn, struct fw_object *eq, u8 type, u8 sub_type,
		 const void *data, size_t size);
/* The link of a function has changed; fw_port_event() tells the virtual ones, too. */
void fw_vport_event(struct fw_function *fn, bool up);
void fw_port_event(struct fw_function *fn, bool up);
/* The kernel's interrupt VIRQ comes. */
void fw_irq_raise(int virq);
void fw_complete(struct fw_function *fn, u32 cqn, const struct mlx5_cqe64 *cqe);
bool fw_cq_poll(struct fw_function *fn, bool *watch);

/* wire.c */
bool fw_transmit_poll(struct fw_function *fn, bool *watch);
int fw_wire_init(void);
void fw_wire_exit(void);

bool fw_own_mac(struct fw_function *fn, const u8 *mac);
/* The DSCP with which packets arrive that left with this one; FW_LOST. */
u8 fw_carried(const struct fw_function *from, const struct fw_function *to, u8 dscp);

/* The same of the priority in a tag, behind the switch at the port. */
u8 fw_carried_pcp(const struct fw_function *from, u8 pcp);

/* memory.c: the driver's memory by its keys */
enum { FW_LOCAL = 0, FW_REMOTE_READ = 1, FW_REMOTE_WRITE = 2, FW_LOCAL_WRITE = 4, FW_REMOTE_ATOMIC = 8 };

#define FW_SPANS		48

struct fw_span {
	u32 key;
	u64 addr;
	u32 len;
	u8 *direct;		/* instead of a key */
};

struct fw_spans {
	struct fw_function *fn;
	u8 right;		/* needed right of the keys */
	unsigned int n;
	u64 len;
	struct fw_span span[FW_SPANS];
};

/* Memory by key: a pointer, and how much of *LEN lies there in one piece. */
u8 *fw_translate(struct fw_function *fn, u32 key, u64 addr, u8 right, u32 *len);
void fw_spans_start(struct fw_spans *list, struct fw_function *fn, u8 right);
bool fw_span_add(struct fw_spans *list, u32 key, u64 addr, u32 len, u8 *direct);
/* The piece at OFFSET of a list, and how much of *LEN lies there; NULL: a key does not fit. */
u8 *fw_piece(struct fw_spans *list, u64 offset, u32 *len);
/* Copy into a list. False: a key does not fit. */
bool fw_scatter(struct fw_spans *to, u64 offset, const u8 *from, u32 len);
/* LEN bytes at OFFSET in one piece: where they are, or in BUFFER. NULL: a key does not fit. */
const u8 *fw_gather(struct fw_spans *from, u64 offset, u32 len, u8 *buffer);

/* packet.c: RoCE packets on the wire */
#define FW_GRH_BYTES		40
#define FW_MOST_PAYLOAD		4096
#define FW_OPCODE_CNP		0x81

/* Where packets go. */
struct fw_path {
	u8 mac[ETH_ALEN];
	u8 gid_index, dscp, ecn, prio, hop_limit;
	u8 gid[16];
	u16 sport;
	u32 qpn, qkey;
};

/* Parts of a packet, by its opcode. */
enum {
	FW_FIRST = BIT(0), FW_LAST = BIT(1), FW_SEND = BIT(2), FW_WRITE = BIT(3), FW_READ = BIT(4),
	FW_ATOMIC = BIT(5), FW_ANSWER = BIT(6), FW_RETH = BIT(7), FW_AETH = BIT(8),
	FW_IMMEDIATE = BIT(9), FW_ATOMIC_ETH = BIT(10), FW_ATOMIC_ACK_ETH = BIT(11),
	FW_DETH = BIT(12),
};

/* A packet. Its bytes are put together when somebody looks at them. */
struct fw_packet {
	struct fw_function *from, *to;	/* TO is NULL while nobody has the address */
	struct fw_path path;
	bool tagged, v2, ipv4, bad_icrc;
	u8 opcode;
	bool solicited, wants_ack;
	u32 psn, qpn;		/* QPN is the receiver's */
	u32 source;		/* queue pair of a datagram */
	u64 raddr;
	u32 rkey, len;
	__be64 swap_add, compare;
	u64 atomic_result;
	__be32 immediate;
	u8 syndrome;
	u32 messages;
	const u8 *payload;
	u32 bytes;
};

/* Packets from this GID are of RoCE v2. */
bool fw_gid_is_v2(const struct fw_function *fn, u8 index);
u16 fw_packet_parts(const struct fw_packet *p);
/* A packet of the function on this path. */
void fw_packet_init(struct fw_packet *p, struct fw_function *from, const struct fw_path *path);
/* The priority with which its port sends it, and with which a port receives it. */
u8 fw_packet_prio(const struct fw_packet *p);
u8 fw_packet_prio_at(const struct fw_port *port, const struct fw_packet *p);
/* On the wire. */
u32 fw_packet_bytes(const struct fw_packet *p);
/* The port where it arrives: not that of its queue pair, in a LAG. */
struct fw_function *fw_packet_arrives_at(const struct fw_packet *p);
/* Both ports count it; a switch may lose, mark and rewrite it. False: it is not received. */
bool fw_packet_send(struct fw_packet *p);
/* The port drops the frame that arrives, and counts it: its check sequence is wrong. */
bool fw_frame_is_damaged(struct fw_function *fn);
/* The network header that a datagram's receiver gets: IPv4 in the last 20 of 40 bytes. */
void fw_packet_grh(const struct fw_packet *p, u8 *grh);
/* RoCE packets as a sniffer would count them at the port's end of the cable. */
void fw_packets_show(struct seq_file *out, struct fw_function *fn);
void fw_packets_forget(struct fw_function *fn);
/* Begin to capture, or end; what was captured stays until the next begin. -ENOMEM */
int fw_capture_set(struct fw_function *fn, bool on);

/* queue.c: RoCE packets that wait */
void fw_queue_init(struct fw_function *fn);
void fw_queue_free(struct fw_function *fn);
/*
 * The port takes packets out of its buffers no faster than this, in MB/s; 0: it takes none. MEMORY: they
 * wait for the host's memory.
 */
void fw_queue_slow(struct fw_function *fn, bool slow, u32 rate, bool memory);
/* Count the stalls of writes to memory until now. */
void fw_queue_settle(struct fw_function *fn);
/* False: the receiver's buffer is full, and the packet is lost. */
bool fw_queue_has_room(const struct fw_packet *p);
/* Keep a packet that has arrived. False: it does not have to wait. */
bool fw_queue_add(const struct fw_packet *p);
/* The port's peer has asked for pause of this priority, and nothing more is on its way. */
bool fw_queue_is_paused(const struct fw_function *fn, u8 prio);
/* Keep a packet that cannot leave for pause, or lose it. False: it can leave. */
bool fw_queue_holds(const struct fw_packet *p);
/* The bytes that wait where the packet arrives, in the buffer of its priority. */
u32 fw_queue_depth(const struct fw_packet *p);
/* The packet leaves. */
void fw_queue_leaves(const struct fw_packet *p);
/* Take the packets whose time has come. */
bool fw_queue_take_due(struct fw_function *fn);
bool fw_queue_poll(struct fw_function *fn, bool *watch);

/* roce.c */
/* Send a packet; unless it has to wait, whoever it is for takes it before this returns. */
void fw_roce_send(struct fw_packet *packet);
/* Send it, pause or not. */
void fw_roce_transmit(struct fw_packet *packet);
/* It was received. */
void fw_roce_take(const struct fw_packet *packet);
bool fw_roce_poll(struct fw_function *fn, bool *watch);
void fw_roce_path(struct fw_object *qp, struct fw_path *path);
void fw_roce_trace(struct fw_function *fn, struct fw_object *qp, const struct fw_path *path,
		   const char *what);

/* pair.c: the states of a queue pair */
int fw_pair_modify(struct fw_command *cmd);

/* names.c */
const struct fw_name *fw_name_find(const struct fw_name *table, const char *name);
void fw_field_set(struct fw_port *port, const struct fw_field *field, unsigned int index, u32 value);
void fw_nearest(const char *wanted, const char *word, struct fw_guess *best);

/* control.c */
int fw_control_init(void);
void fw_control_exit(void);
bool fw_control_poll(void);
/* The fault that hits this command now, which is then used up; NULL if none does. */
const struct fw_fault *fw_fault(struct fw_function *fn, u16 opcode, u16 reg, bool read);

#endif
