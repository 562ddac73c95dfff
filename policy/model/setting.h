/* A setting is one named, typed value of struct config. The table is the schema. */
#ifndef LOSSLESSCTL_POLICY_MODEL_SETTING_H
#define LOSSLESSCTL_POLICY_MODEL_SETTING_H

#include <stddef.h>

#include "config.h"

/* In the order a user would read them. */
enum setting_id {
	SETTING_LINK_UP,
	SETTING_LINK_MIN_SPEED_MBPS,
	SETTING_LINK_FEC,
	SETTING_MTU,
	SETTING_DCBX_MODE,
	SETTING_DCBX_ADVERTISE,
	SETTING_DCBX_WILLING,
	SETTING_PAUSE_RX,
	SETTING_PAUSE_TX,
	SETTING_PFC_PRIORITIES,
	SETTING_PFC_CABLE_M,
	SETTING_PFC_STORM_TIMEOUT_MS,
	SETTING_BUFFER_SIZE_BYTES,
	SETTING_BUFFER_PRIO_BUFFER,
	SETTING_ETS_PRIO_TC,
	SETTING_ETS_TSA,
	SETTING_ETS_BANDWIDTH,
	SETTING_ETS_RECO_PRIO_TC,
	SETTING_ETS_RECO_TSA,
	SETTING_ETS_RECO_BANDWIDTH,
	SETTING_MAXRATE_TC_MBPS,
	SETTING_TRUST,
	SETTING_DSCP_PRIO,
	SETTING_DSCP_REST,
	SETTING_APP_ENTRIES,
	SETTING_APP_TRUST,
	SETTING_VLAN_EGRESS,
	SETTING_ECN_NP,
	SETTING_ECN_RP_PRIORITIES,
	SETTING_CNP_DSCP,
	SETTING_CNP_PRIORITY,
	SETTING_CNP_PRIORITY_MODE,
	SETTING_CNP_MIN_INTERVAL_US,
	SETTING_DCQCN_CLAMP_TGT_RATE,
	SETTING_DCQCN_CLAMP_TGT_RATE_AFTER_TIME_INC,
	SETTING_DCQCN_RPG_TIME_RESET,
	SETTING_DCQCN_RPG_BYTE_RESET,
	SETTING_DCQCN_RPG_THRESHOLD,
	SETTING_DCQCN_RPG_AI_RATE,
	SETTING_DCQCN_RPG_MAX_RATE,
	SETTING_DCQCN_RPG_HAI_RATE,
	SETTING_DCQCN_RPG_MIN_DEC_FAC,
	SETTING_DCQCN_RPG_MIN_RATE,
	SETTING_DCQCN_RATE_TO_SET_ON_FIRST_CNP,
	SETTING_DCQCN_DCE_TCP_G,
	SETTING_DCQCN_DCE_TCP_RTT,
	SETTING_DCQCN_RATE_REDUCE_MONITOR_PERIOD,
	SETTING_DCQCN_INITIAL_ALPHA_VALUE,
	SETTING_DCQCN_RPG_GD,
	SETTING_ROCE_ENABLED,
	SETTING_ROCE_V2_GID,
	SETTING_ROCE_MODE,
	SETTING_ROCE_TOS,
	SETTING_ROCE_TRAFFIC_CLASS,
	SETTING_HOST_TCP_ECN,
	SETTING_PEER_MUST_AGREE,
	SETTING_COUNT
};

/* How a setting looks outside; type.h has one file for each kind of shape. */
enum setting_type {
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

struct setting {
	const char *path; /* JSON key, name on the command line, heading in the manual */
	enum setting_type type;
	uint16_t offset;
	uint8_t size;  /* bytes of one element */
	uint8_t count; /* 1, or the length of an array */
	uint32_t min, max;
	bool index;   /* it counts priorities, classes, buffers or DSCPs: never above max */
	uint32_t gap; /* numbers above 0 begin here; 0: no gap */
	/* What is documented but not enforced by the adapter; both 0: min and max are. */
	uint32_t usual_min, usual_max;
	uint32_t (*rounded)(uint32_t asked); /* what the kernel makes of it; NULL: the same */
	bool at_least;			     /* what is read back may be more */
	uint32_t tolerance; /* read back it may be lower, by less than this; 0: exact */
	const char *const *names;
	const char *unit;
	const char *default_value;    /* what a port comes with */
	const char *kernel_interface; /* where the kernel keeps it */
	const char *doc;	      /* one sentence: what it is */
	const char *why;	      /* why a lossless host cares */
};

extern const struct setting settings[SETTING_COUNT];

#define SETTING(id)   ((settingset)1 << (id))
#define EVERY_SETTING (((settingset)1 << SETTING_COUNT) - 1)

/*
 * Facts that a port has from its cable and its peer, and no policy writes: a drift of these stops
 * no apply, and they are no part of the port's setup, which is saved, hashed and compared.
 */
#define LINK_SETTINGS \
	(SETTING(SETTING_LINK_UP) | SETTING(SETTING_LINK_MIN_SPEED_MBPS) | \
	 SETTING(SETTING_LINK_FEC))
#define SETUP_SETTINGS (EVERY_SETTING & ~LINK_SETTINGS)

_Static_assert(SETTING_COUNT < 64, "a knobset is one machine word");

/* Room for any setting's value as text. */
#define SETTING_TEXT_MAX 512

/* The row with this path, or NULL. */
const struct setting *setting_find(const char *path);

/* The value of element `i`, and its setter; `i` is below k->count. */
int64_t setting_element(const struct setting *k, const struct config *c, size_t i);
void setting_set_element(const struct setting *k, struct config *c, size_t i, int64_t v);

/*
 * Is what is there what was wanted, as far as the kernel can hold it? What
 * either side keeps out of judgement is equal.
 */
bool setting_equal(const struct setting *k, const struct config *desired,
		   const struct config *actual);

/* The same for one number of a setting. */
bool element_equal(const struct setting *k, int64_t desired, int64_t actual);

/* Lays one setting and its `has` bit over; what `from` leaves open stays as it is. */
void setting_copy(const struct setting *k, struct config *to, const struct config *from);

/* Are one setting's bytes the same? Then it is equal, too. */
bool setting_is_same(const struct setting *k, const struct config *a, const struct config *b);

/* Copies one setting's bytes, and nothing else. */
void setting_move(const struct setting *k, struct config *to, const struct config *from);

/* The value for people: "3, 4", "off", "DSCP >> 3 but 26:3". Returns `buf`. */
const char *setting_text(const struct setting *k, const struct config *c,
			 char buf[SETTING_TEXT_MAX]);

/* The path of the first setting in a set; "" of none. */
const char *setting_first(settingset set);

/* What it may be, for people: "1 to 999 metres". Returns `buf`. */
const char *setting_range(const struct setting *k, char buf[SETTING_TEXT_MAX]);

/* Adds or replaces a VLAN device's map; false: there are VLANS_MAX already. */
bool vlan_egress_put(struct config *c, const struct vlan_egress *v);

/*
 * Removes from *c the VLAN devices that `have` lacks, and the setting if none is left. Returns how
 * many they were; their names are in `gone`. What `have` cannot tell is left as it is.
 */
size_t vlan_egress_drop_gone(struct config *c, const struct config *actual,
			     char gone[VLANS_MAX][VLAN_NAME_MAX]);

/* Adds an APP entry in its order; false: there are APPS_MAX already. */
bool app_entry_put(struct config *c, const struct app_entry *e);

/* Is this very entry there? */
bool app_entry_has(const struct config *c, const struct app_entry *e);

/* Leaves of both only what differs: equal entries of a map are left out. */
void setting_narrow(const struct setting *k, struct config *a, struct config *b);

/* What DCBX sets by itself, where it is not this host that decides. */
#define SET_BY_DCBX \
	(SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_ETS_PRIO_TC) | \
	 SETTING(SETTING_ETS_TSA) | SETTING(SETTING_ETS_BANDWIDTH))

/* What `want` cares about and `have` lacks or has otherwise. */
settingset config_diff(const struct config *desired, const struct config *actual);

/* Does the way from one to the other only take lossless priorities away, and add none? */
bool config_withdraws_pfc(const struct config *from, const struct config *to);

/* `base` with everything that `over` has put over it. */
struct config config_overlay(const struct config *base, const struct config *over);

#endif
