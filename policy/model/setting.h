/* A knob is one named, typed value of struct config. The table is the schema. */
#ifndef LOSSLESSCTL_POLICY_MODEL_SETTING_H
#define LOSSLESSCTL_POLICY_MODEL_SETTING_H

#include <stddef.h>

#include "config.h"

/* In the order a user would read them. */
enum knob_id {
	KNOB_LINK_UP,
	KNOB_LINK_MIN_SPEED_MBPS,
	KNOB_LINK_FEC,
	KNOB_MTU,
	KNOB_DCBX_MODE,
	KNOB_DCBX_ADVERTISE,
	KNOB_DCBX_WILLING,
	KNOB_PAUSE_RX,
	KNOB_PAUSE_TX,
	KNOB_PFC_PRIORITIES,
	KNOB_PFC_CABLE_M,
	KNOB_PFC_STORM_TIMEOUT_MS,
	KNOB_BUFFER_SIZE_BYTES,
	KNOB_BUFFER_PRIO_BUFFER,
	KNOB_ETS_PRIO_TC,
	KNOB_ETS_TSA,
	KNOB_ETS_BANDWIDTH,
	KNOB_ETS_RECO_PRIO_TC,
	KNOB_ETS_RECO_TSA,
	KNOB_ETS_RECO_BANDWIDTH,
	KNOB_MAXRATE_TC_MBPS,
	KNOB_TRUST,
	KNOB_DSCP_PRIO,
	KNOB_DSCP_REST,
	KNOB_APP_ENTRIES,
	KNOB_APP_TRUST,
	KNOB_VLAN_EGRESS,
	KNOB_ECN_NP,
	KNOB_ECN_RP_PRIORITIES,
	KNOB_CNP_DSCP,
	KNOB_CNP_PRIORITY,
	KNOB_CNP_PRIORITY_MODE,
	KNOB_CNP_MIN_INTERVAL_US,
	KNOB_DCQCN_CLAMP_TGT_RATE,
	KNOB_DCQCN_CLAMP_TGT_RATE_AFTER_TIME_INC,
	KNOB_DCQCN_RPG_TIME_RESET,
	KNOB_DCQCN_RPG_BYTE_RESET,
	KNOB_DCQCN_RPG_THRESHOLD,
	KNOB_DCQCN_RPG_AI_RATE,
	KNOB_DCQCN_RPG_MAX_RATE,
	KNOB_DCQCN_RPG_HAI_RATE,
	KNOB_DCQCN_RPG_MIN_DEC_FAC,
	KNOB_DCQCN_RPG_MIN_RATE,
	KNOB_DCQCN_RATE_TO_SET_ON_FIRST_CNP,
	KNOB_DCQCN_DCE_TCP_G,
	KNOB_DCQCN_DCE_TCP_RTT,
	KNOB_DCQCN_RATE_REDUCE_MONITOR_PERIOD,
	KNOB_DCQCN_INITIAL_ALPHA_VALUE,
	KNOB_DCQCN_RPG_GD,
	KNOB_ROCE_ENABLED,
	KNOB_ROCE_V2_GID,
	KNOB_ROCE_MODE,
	KNOB_ROCE_TOS,
	KNOB_ROCE_TRAFFIC_CLASS,
	KNOB_HOST_TCP_ECN,
	KNOB_PEER_MUST_AGREE,
	KNOB_COUNT
};

/* How a knob looks outside; type.h has one file for each kind of shape. */
enum knob_type {
	T_BOOL,
	T_INT,	       /* a number min..max */
	T_ENUM,	       /* one of names[] */
	T_WORD_OR_INT, /* a number min..max, or one of names[], kept as max + 1 + its index */
	T_PRIOSET,     /* a list of priorities, kept as a bit mask */
	T_DSCPMAP,     /* an object DSCP: priority */
	T_VLANMAP,     /* an object device: {priority: PCP} */
	T_APPS,	       /* a list of APP entries */
	T_ORDER,       /* a list of names[], each once, kept as 1 + its index */
	T_WORDS,       /* a set of names[], kept as a bit mask */
};

struct knob {
	const char *path; /* JSON key, name on the command line, heading in the manual */
	enum knob_type type;
	uint16_t offset;
	uint8_t size;  /* bytes of one element */
	uint8_t count; /* 1, or the length of an array */
	uint32_t min, max;
	bool index;   /* it counts priorities, classes, buffers or DSCPs: never above max */
	uint32_t gap; /* numbers above 0 begin here; 0: no gap */
	/* What is documented but not enforced by the adapter; both 0: min and max are. */
	uint32_t usual_min, usual_max;
	uint32_t (*becomes)(uint32_t asked); /* what the kernel makes of it; NULL: the same */
	bool at_least;			     /* what is read back may be more */
	uint32_t slack; /* read back it may be lower, by less than this; 0: exact */
	const char *const *names;
	const char *unit;
	const char *preset;  /* what a port comes with */
	const char *surface; /* where the kernel keeps it */
	const char *doc;     /* one sentence: what it is */
	const char *why;     /* why a lossless host cares */
};

extern const struct knob knobs[KNOB_COUNT];

#define KNOB(id)   ((knobset)1 << (id))
#define EVERY_KNOB (((knobset)1 << KNOB_COUNT) - 1)

/*
 * Facts that a port has from its cable and its peer, and no policy writes: a drift of these stops
 * no apply, and they are no part of the port's setup, which is saved, hashed and compared.
 */
#define LINK_KNOBS  (KNOB(KNOB_LINK_UP) | KNOB(KNOB_LINK_MIN_SPEED_MBPS) | KNOB(KNOB_LINK_FEC))
#define SETUP_KNOBS (EVERY_KNOB & ~LINK_KNOBS)

_Static_assert(KNOB_COUNT < 64, "a knobset is one machine word");

/* Room for any knob's value as text. */
#define KNOB_TEXT_MAX 512

/* The row with this path, or NULL. */
const struct knob *knob_find(const char *path);

/* The value of element `i`, and its setter; `i` is below k->count. */
int64_t knob_element(const struct knob *k, const struct config *c, size_t i);
void knob_set_element(const struct knob *k, struct config *c, size_t i, int64_t v);

/*
 * Is what is there what was wanted, as far as the kernel can hold it? What
 * either side keeps out of judgement is equal.
 */
bool knob_equal(const struct knob *k, const struct config *want, const struct config *have);

/* The same for one number of a knob. */
bool element_equal(const struct knob *k, int64_t want, int64_t have);

/* Lays one knob and its `has` bit over; what `from` leaves open stays as it is. */
void knob_copy(const struct knob *k, struct config *to, const struct config *from);

/* Are one knob's bytes the same? Then it is equal, too. */
bool knob_is_same(const struct knob *k, const struct config *a, const struct config *b);

/* Copies one knob's bytes, and nothing else. */
void knob_move(const struct knob *k, struct config *to, const struct config *from);

/* The value for people: "3, 4", "off", "DSCP >> 3 but 26:3". Returns `buf`. */
const char *knob_text(const struct knob *k, const struct config *c, char buf[KNOB_TEXT_MAX]);

/* The path of the first setting in a set; "" of none. */
const char *knob_first(knobset set);

/* What it may be, for people: "1 to 999 metres". Returns `buf`. */
const char *knob_range(const struct knob *k, char buf[KNOB_TEXT_MAX]);

/* Adds or replaces a VLAN device's map; false: there are VLANS_MAX already. */
bool vlan_egress_put(struct config *c, const struct vlan_egress *v);

/*
 * Removes from *c the VLAN devices that `have` lacks, and the setting if none is left. Returns how
 * many they were; their names are in `gone`. What `have` cannot tell is left as it is.
 */
size_t vlan_egress_drop_gone(struct config *c, const struct config *have,
			     char gone[VLANS_MAX][VLAN_NAME_MAX]);

/* Adds an APP entry in its order; false: there are APPS_MAX already. */
bool app_entry_put(struct config *c, const struct app_entry *e);

/* Is this very entry there? */
bool app_entry_has(const struct config *c, const struct app_entry *e);

/* Leaves of both only what differs: equal entries of a map are left out. */
void knob_narrow(const struct knob *k, struct config *a, struct config *b);

/* What DCBX sets by itself, where it is not this host that decides. */
#define SET_BY_DCBX \
	(KNOB(KNOB_PFC_PRIORITIES) | KNOB(KNOB_ETS_PRIO_TC) | KNOB(KNOB_ETS_TSA) | \
	 KNOB(KNOB_ETS_BANDWIDTH))

/* What `want` cares about and `have` lacks or has otherwise. */
knobset config_diff(const struct config *want, const struct config *have);

/* Does the way from one to the other only take lossless priorities away, and add none? */
bool config_withdraws_pfc(const struct config *from, const struct config *to);

/* `base` with everything that `over` has put over it. */
struct config config_overlay(const struct config *base, const struct config *over);

#endif
