/*
 * A kernel with one mlx5 port in a teacup: real netlink bytes, mlx5's side
 * effects and lies, a clock that only sleeping moves, and outside calls that
 * fail on request. What tests/vm shows on a real kernel holds here; where they
 * differ, this one is wrong.
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
#include "../vm/mlx5sim/params.def"
#undef PARAM
	CC_RTT_VALID,
	CC_RTT_DSCP,
	CC_COUNT
};

/* The port's hardware and driver state: what putting back must restore. */
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
	bool manual; /* buffers were written, and no longer follow PFC */
	uint64_t maxrate[8];
	uint16_t storm_ms;
	uint32_t cc[CC_COUNT];
	uint8_t egress[8]; /* of the VLAN device v100 */
};

enum fault {
	FAULT_REFUSED, /* an errno, and nothing happened */
	FAULT_LOST,    /* it happened, and an errno comes back */
	FAULT_DEAF,    /* success, and nothing happened */
	FAULT_LATE,    /* half of it happened: mlx5's later stages */
	FAULT_ROUNDED, /* success, and numbers came out coarser */
	FAULT_STALE,   /* a look tells of what was before the last change */
	FAULT_COUNT
};

/* Comes an errno with it? */
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
	bool has_rdma_cm;      /* the configfs folder is there */
	uint64_t now, back_at; /* when the link is back; 0: it is */
	unsigned carrier_ms;   /* how long a flap takes */
	bool carrier_stuck;    /* it never comes back */
	uint32_t carrier_changes;
	unsigned calls, writes;	     /* outside calls so far; those that change something */
	unsigned fail_at, fail_from; /* the call that fails; the first of all that fail; 0: none */
	bool only_writes;	     /* count only calls that change something */
	enum fault fault;
	int code; /* the errno, positive */
	struct {
		unsigned at;
		enum fault fault;
		int code;
	} second;	    /* another call that fails, otherwise; 0: none */
	unsigned no_setter; /* DCB attributes, bit by number, that the driver sets with silence */
	struct hardware previous; /* before the last change */
	bool rounds, stale;	  /* the last change comes out coarser; this look is an old one */
	int signal;		  /* we were asked to stop */
	unsigned signal_at;	  /* after so many writes; 0: never */
	unsigned kill_at;	  /* the process dies at this write... */
	bool kill_after;	  /* ...when it has happened, or before; for a forked child */
	struct {
		unsigned pid, count;
		int number;
	} sent; /* the last signal, and how many there were */
};

/* A port as mlx5 comes: global pause on, no PFC, trust PCP, link up. */
void fake_init(struct fake *f);

/* A second host of the same kernel, whose callers may set what they wait with. One a process. */
void fake_connect(struct fake *f, struct host *ret);

/* The features that this program has, without guards. */
extern const struct features fake_features;

/* Does this call fail now, and how? Counts it. */
bool fake_fails(struct fake *f, bool changes);

/* The message that mlx5 answers a DCB request with (fake_dcb.c). */
bool fake_dcb(struct fake *f, struct nlmsghdr *request, reply_fn *each, void *arg, struct err *err);

/* What mlx5 keeps outside DCB (fake_params.c). */
void fake_params_power_on(struct hardware *hw);

/* The setting that a congestion control parameter is, below CC_COUNT. */
unsigned fake_param_setting(size_t i);
uint32_t *fake_param(struct fake *f, const char *path);
void fake_param_write(struct fake *f, uint32_t *param, const char *value);
bool fake_ethtool(struct host *h, const char *port, void *command, struct err *err);
bool fake_links(struct host *h, struct link_list *ret, struct err *err);
struct link fake_vlan(const struct fake *f, unsigned lower);
bool fake_set_egress(struct host *h, unsigned vlan, uint8_t prio, uint8_t pcp, struct err *err);

/* Takes the link down for a moment. */
void fake_flap(struct fake *f);

/* The file with this path, made if need be; NULL: no room. */
struct fake_file *fake_file(struct fake *f, const char *path, bool make);

#endif
