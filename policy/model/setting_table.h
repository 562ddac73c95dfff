/* A setting is one named, typed value of struct config. The table of settings is the schema. */
#ifndef LOSSLESSCTL_POLICY_MODEL_SETTING_TABLE_H
#define LOSSLESSCTL_POLICY_MODEL_SETTING_TABLE_H

#include <stddef.h>

#include "config.h"

/* ---- parameters of firmware ---- */

/*
 * Parameters of a ConnectX's firmware that a policy can name: NVConfig, which takes effect at a
 * reset, and the register ROCE_ACCL. Names and values are NVIDIA's.
 */

struct parameter_row {
	const char *name;
	const char *const *words; /* names of the values 0 to max, NULL for gaps; NULL: numbers */
	uint8_t max;
	bool of_port;		  /* there is one per port: NAME_P1, NAME_P2 */
	const char *field_select; /* a field that is 1 if the adapter has this one; NULL: none */
};

extern const struct parameter_row nvconfig_rows[NVCONFIG_COUNT], roce_accl_rows[ROCE_ACCL_COUNT];

/* The words of a parameter that is true or false. */
extern const char *const parameter_bool_words[];

/* ---- setting table ---- */

/* In reading order. */
enum setting_id {
#define ROW(id, ...) id,
#include "setting_table.def"
#undef ROW
	SETTING_COUNT
};

/* The external form of a setting; type.h declares the operations. */
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
	T_PARAMETERS,  /* an object {parameter: value} of rows[], one struct parameter each */
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
	uint32_t (*rounded_by_older)(uint32_t asked); /* by older drivers; NULL: the same */
	bool at_least;				      /* the actual value may be larger */
	uint32_t tolerance; /* the actual value may differ by less than this; 0: exact */
	const char *const *names;
	const struct parameter_row *rows; /* T_PARAMETERS */
	const char *unit;
	const char *default_value;    /* value before anyone sets it */
	const char *kernel_interface; /* kernel interface that reads and writes it */
	const char *doc;	      /* one sentence: the meaning */
	const char *why;	      /* why it matters to a lossless host */
	const char *note;	      /* a limit of the setting, or NULL */
};

extern const struct setting settings[SETTING_COUNT];

#define SETTING(id)   ((setting_set)1 << (id))
#define EVERY_SETTING (((setting_set)1 << SETTING_COUNT) - 1)

/*
 * Settings that follow from the cable and the peer and that no policy can write. Neither their
 * drift nor that of FIRMWARE_SETTINGS stops an apply. Neither is saved, hashed or compared.
 */
#define LINK_SETTINGS \
	(SETTING(SETTING_LINK_UP) | SETTING(SETTING_LINK_MIN_SPEED_MBPS) | \
	 SETTING(SETTING_LINK_FEC))

/*
 * Settings of the adapter's firmware, which vendor tools write and a reset puts into effect. They
 * are read on request only: a query is slow and writes PCI configuration space.
 */
#define FIRMWARE_SETTINGS (SETTING(SETTING_FIRMWARE_NVCONFIG) | SETTING(SETTING_FIRMWARE_ROCE_ACCL))

#define UNWRITABLE_SETTINGS (LINK_SETTINGS | FIRMWARE_SETTINGS)
#define SETUP_SETTINGS	    (EVERY_SETTING & ~UNWRITABLE_SETTINGS)

_Static_assert(SETTING_COUNT < 64, "a setting_set is one machine word");

/* The settings that DCBX overwrites unless the host is in charge (dcbx.mode). */
#define SET_BY_DCBX \
	(SETTING(SETTING_PFC_PRIORITIES) | SETTING(SETTING_ETS_PRIO_TC) | \
	 SETTING(SETTING_ETS_TSA) | SETTING(SETTING_ETS_BANDWIDTH))

/* Buffer size for any setting's value as text. */
#define SETTING_TEXT_MAX 512

/* Get and set element `i`, which must be below k->count. */
int64_t setting_element(const struct setting *k, const struct config *c, size_t i);
void setting_set_element(const struct setting *k, struct config *c, size_t i, int64_t v);

/* True if the setting's bytes are identical; then setting_equal() (setting.h) is true as well. */
bool setting_bytes_equal(const struct setting *k, const struct config *a, const struct config *b);

/* Copies the bytes of one setting, without its `has` bit. */
void setting_copy_bytes(const struct setting *k, struct config *to, const struct config *from);

#endif
