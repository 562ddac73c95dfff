/* A setting is one named, typed value of struct config. The table of settings is the schema. */
#ifndef LOSSLESSCTL_POLICY_MODEL_SETTING_H
#define LOSSLESSCTL_POLICY_MODEL_SETTING_H

#include <stddef.h>

#include "config.h"

/* In reading order. */
enum setting_id {
#define ROW(id, ...) id,
#include "setting_table.def"
#undef ROW
	SETTING_COUNT
};

/* The external form of a setting; type.h declares the operations, and each form has a file. */
enum setting_type {
	T_BOOL,
	T_INT,	       /* a number min..max */
	T_ENUM,	       /* one of names[] */
	T_WORD_OR_INT, /* a number min..max, or one of names[], stored as max + 1 + its index */
	T_PRIOSET,     /* a list of priorities, stored as a bit mask */
	T_DSCPMAP,     /* an object {DSCP: priority} */
	T_VLANMAP,     /* an object {device: {priority: PCP}} */
	T_APPS,	       /* a list of APP entries */
	T_ORDER,       /* a list of names[], each at most once, stored as 1 + its index */
	T_WORDS,       /* a set of names[], stored as a bit mask */
};

struct setting {
	const char *path; /* key in JSON and on the command line, heading in the manual */
	enum setting_type type;
	uint16_t offset;
	uint8_t size;  /* bytes of one element */
	uint8_t count; /* 1, or the length of an array */
	uint32_t min, max;
	bool index; /* an index of a priority, class, buffer or DSCP: max holds for the kernel */
	uint32_t min_above_zero; /* smallest number above 0; 0: no such limit */
	/* Documented range that the adapter does not enforce; both 0: min and max apply. */
	uint32_t documented_min, documented_max;
	uint32_t (*rounded)(uint32_t asked); /* the value that the kernel stores; NULL: unchanged */
	bool at_least;			     /* the actual value may be larger */
	uint32_t tolerance; /* the actual value may be lower by less than this; 0: exact */
	const char *const *names;
	const char *unit;
	const char *default_value;    /* value before anyone sets it */
	const char *kernel_interface; /* kernel interface that reads and writes it */
	const char *doc;	      /* one sentence: the meaning */
	const char *why;	      /* why it matters to a lossless host */
};

extern const struct setting settings[SETTING_COUNT];

#define SETTING(id)   ((setting_set)1 << (id))
#define EVERY_SETTING (((setting_set)1 << SETTING_COUNT) - 1)

/*
 * Settings that follow from the cable and the peer and that no policy can write. Drift of these
 * does not stop an apply, and they are not part of the setup that is saved, hashed and compared.
 */
#define LINK_SETTINGS \
	(SETTING(SETTING_LINK_UP) | SETTING(SETTING_LINK_MIN_SPEED_MBPS) | \
	 SETTING(SETTING_LINK_FEC))
#define SETUP_SETTINGS (EVERY_SETTING & ~LINK_SETTINGS)

_Static_assert(SETTING_COUNT < 64, "a setting_set is one machine word");

/* Buffer size for any setting's value as text. */
#define SETTING_TEXT_MAX 512

/* The setting with this path, or NULL. */
const struct setting *setting_find(const char *path);

/* Get and set element `i`, which must be below k->count. */
int64_t setting_element(const struct setting *k, const struct config *c, size_t i);
void setting_set_element(const struct setting *k, struct config *c, size_t i, int64_t v);

/*
 * True if the actual value equals the desired one, as exactly as the kernel can store it. Entries
 * that either side leaves out of the comparison count as equal.
 */
bool setting_equal(const struct setting *k, const struct config *desired,
		   const struct config *actual);

/* The same for a single number of a setting. */
bool element_equal(const struct setting *k, int64_t desired, int64_t actual);

/* Copies one setting and its `has` bit over; entries that `from` leaves open keep their value. */
void setting_copy(const struct setting *k, struct config *to, const struct config *from);

/* True if the setting's bytes are identical; then setting_equal() is true as well. */
bool setting_bytes_equal(const struct setting *k, const struct config *a, const struct config *b);

/* Copies the bytes of one setting, without its `has` bit. */
void setting_copy_bytes(const struct setting *k, struct config *to, const struct config *from);

/* The value as text: "3, 4", "off", "DSCP >> 3 but 26:3". Returns `buf`. */
const char *setting_text(const struct setting *k, const struct config *c,
			 char buf[SETTING_TEXT_MAX]);

/* The path of the first setting of a set; "" if the set is empty. */
const char *setting_first(setting_set set);

/* The valid values as text: "1 to 999 metres". Returns `buf`. */
const char *setting_range(const struct setting *k, char buf[SETTING_TEXT_MAX]);

/* Adds or replaces the map of one VLAN device; false if there are VLANS_MAX already. */
bool vlan_egress_put(struct config *c, const struct vlan_egress *v);

/*
 * Removes from *c the VLAN devices that `actual` lacks, and the setting once none is left. Writes
 * their names to `gone` and returns their number. Does nothing unless both have the setting.
 */
size_t vlan_egress_drop_gone(struct config *c, const struct config *actual,
			     char gone[VLANS_MAX][VLAN_NAME_MAX]);

/* Inserts an APP entry in sort order; false if there are APPS_MAX already. */
bool app_entry_put(struct config *c, const struct app_entry *e);

/* True if exactly this entry exists. */
bool app_entry_has(const struct config *c, const struct app_entry *e);

/* Removes from both the entries of a map that are equal, so that only differences remain. */
void setting_drop_equal(const struct setting *k, struct config *a, struct config *b);

/* The settings that DCBX overwrites unless the host is in charge (dcbx.mode). */
#define SET_BY_DCBX \
	(SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_ETS_PRIO_TC) | \
	 SETTING(SETTING_ETS_TSA) | SETTING(SETTING_ETS_BANDWIDTH))

/* The settings of `desired` that `actual` lacks or that differ from it. */
setting_set config_diff(const struct config *desired, const struct config *actual);

/* True if the change only removes lossless priorities and adds none. */
bool config_withdraws_pfc(const struct config *from, const struct config *to);

/* `base` with every setting of `over` copied over it. */
struct config config_overlay(const struct config *base, const struct config *over);

#endif
