/*
 * A fake kernel with one mlx5 port: real netlink bytes, mlx5's side effects
 * and false answers, a clock that only sleeping moves, and outside calls that
 * fail on request. It behaves as the real kernel of tests/vm; where the two
 * differ, the fake is wrong.
 */
#ifndef LOSSLESSCTL_TESTS_INTEGRATION_FAKE_H
#define LOSSLESSCTL_TESTS_INTEGRATION_FAKE_H

#include "agent/engine/feature.h"

#define FAKE_FILES 16
#define FAKE_VLAN  "v100"
#define FAKE_TEXT  16384

/* The congestion control parameters. */
enum {
#define PARAM(id, ...) CC_##id,
#include "params.def"
#undef PARAM
	CC_RTT_VALID,
	CC_RTT_DSCP,
	CC_COUNT
};

#define FAKE_SPEED_GBPS 100

/* The port's hardware and driver state, which a rollback must restore. */
struct hardware {
	uint8_t dcbx;
	uint32_t mtu;
	bool pause_rx, pause_tx;
	uint8_t pfc;
	uint16_t cable_m;
	uint8_t prio_tc[8], tsa[8], bw[8];
	int8_t entry[64]; /* the APP list: DSCP_NONE, or a priority */
	uint8_t dscp2prio[64];
	bool trusts_dscp;
	int count; /* the driver's own count of entries */
	uint8_t roce_mode, roce_tos;
	uint32_t buffer_size[8];
	uint8_t prio_buffer[8];
	bool manual; /* a program asked the driver for buffers, which it now keeps in step */
	uint8_t lossless_buffers; /* a mask; the rest may lose frames */
	uint32_t xoff;		  /* the threshold that the driver wrote last */
	bool written;		  /* the driver wrote buffers, and the adapter leaves them alone */
	uint64_t maxrate[8];
	uint16_t storm_ms;
	uint32_t cc[CC_COUNT];
	uint8_t egress[8]; /* the map of the VLAN device v100 */
};

enum fault {
	FAULT_REFUSED, /* an errno, and no change */
	FAULT_LOST,    /* an errno, although the change was made */
	FAULT_DEAF,    /* success, but no change */
	FAULT_LATE,    /* an errno after half of the change: mlx5's later stages */
	FAULT_ROUNDED, /* success, with rounded numbers */
	FAULT_STALE,   /* a read returns the state before the last change */
	FAULT_COUNT
};

/* True if the fault comes with an errno. */
static inline bool fault_has_errno(enum fault f)
{
	return f == FAULT_REFUSED || f == FAULT_LOST || f == FAULT_LATE;
}

struct fake_file {
	char path[128];
	char text[FAKE_TEXT];
};

struct fake {
	struct host host; /* first, so that a struct host * is a struct fake * */
	struct port port;
	struct hardware hw;
	struct fake_file files[FAKE_FILES];
	bool has_rdma_cm;      /* the configfs directory exists */
	bool takes_any_cable;  /* MLNX_OFED's driver: the adapter keeps its length, also 0 */
	bool asks_for_owner;   /* the driver of 6.12: the adapter says who sizes the buffers */
	uint64_t now, back_at; /* the time when the link is up again; 0: it is up */
	unsigned carrier_ms;   /* the duration of a flap */
	unsigned asked_disk;   /* writes before the first look below /var; 0: none yet */
	bool carrier_stuck;    /* the link stays down */
	uint16_t vlan_id;      /* that of the VLAN device v100 */
	bool keeps_pause;      /* PFC does not switch pause off */
	uint32_t carrier_changes;
	unsigned calls, writes;	     /* outside calls so far; those that change something */
	unsigned fail_at, fail_from; /* the one call that fails; the first of several; 0: none */
	bool only_writes;	     /* count only calls that change something */
	enum fault fault;
	int code; /* the errno, positive */
	struct {
		unsigned at;
		enum fault fault;
		int code;
	} second;		  /* a second call that fails, with its own fault; 0: none */
	unsigned no_setter;	  /* DCB attributes, bit by number, that the driver ignores */
	bool refuses_mtu;	  /* every change of it: EIO */
	unsigned added[64], adds; /* when each APP entry was added, and how many were */
	struct hardware previous; /* before the last change */
	bool rounds, stale;	  /* the last change is rounded; this read is stale */
	int signal;		  /* the signal that asks to stop; 0: none */
	unsigned signal_at;	  /* the write at which it arrives; 0: never */
	unsigned kill_at;	  /* the write at which the process (a forked child) dies */
	bool kill_after;	  /* after that write instead of before it */
	struct {
		unsigned pid, count;
		int number;
	} sent; /* the last signal sent, and the number of signals */
};

/* A port with mlx5's defaults: global pause on, no PFC, trust PCP, link up. */
void fake_init(struct fake *f);

/* A second host of the same kernel, whose wait functions may be replaced. One per process. */
void fake_connect(struct fake *f, struct host *ret);

/* The program's features, without its guards. */
extern const struct features fake_features;

/* Counts a call; true if it fails, in the way that f->fault and f->code give. */
bool fake_fails(struct fake *f, bool changes);

/* Passes mlx5's answer to a DCB request to `each` (fake_dcb.c). */
bool fake_dcb(struct fake *f, struct nlmsghdr *request, reply_fn *each, void *arg, struct err *err);

/*
 * Sizes the buffers for PFC as the adapter does until the driver writes some
 * (tests/vm/connectx/buffer.c).
 */
void fake_lay_buffers(struct hardware *hw);

/* Sets mlx5's defaults outside DCB (fake_params.c). */
void fake_params_power_on(struct hardware *hw);

/* The setting of the i-th congestion control parameter, for i below CC_COUNT. */
unsigned fake_param_setting(size_t i);
uint32_t *fake_param(struct fake *f, const char *path);
void fake_param_write(struct fake *f, uint32_t *param, const char *value);
bool fake_ethtool(struct host *h, const char *port, void *command, struct err *err);
bool fake_links(struct host *h, struct link_list *ret, struct err *err);
struct link fake_vlan(const struct fake *f, unsigned lower);
bool fake_set_egress(struct host *h, unsigned vlan, uint8_t prio, uint8_t pcp, struct err *err);

/* Flaps the link. */
void fake_flap(struct fake *f);

/* The file with this path, created on demand if `make`; NULL: none, or no room. */
struct fake_file *fake_file(struct fake *f, const char *path, bool make);

#endif
