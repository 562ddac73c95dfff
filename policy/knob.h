/* A knob is one named, typed value of struct config. The table is the schema. */
#ifndef LOSSLESSCTL_POLICY_KNOB_H
#define LOSSLESSCTL_POLICY_KNOB_H

#include <stddef.h>

#include "config.h"

/* In the order a user would read them. */
enum knob_id {
	KNOB_MTU,
	KNOB_DCBX_MODE,
	KNOB_PAUSE_RX,
	KNOB_PAUSE_TX,
	KNOB_PFC_PRIORITIES,
	KNOB_PFC_CABLE_M,
	KNOB_ETS_PRIO_TC,
	KNOB_ETS_TSA,
	KNOB_ETS_BANDWIDTH,
	KNOB_TRUST,
	KNOB_DSCP_PRIO,
	KNOB_DSCP_REST,
	KNOB_ROCE_MODE,
	KNOB_ROCE_TOS,
	KNOB_COUNT
};

enum knob_type {
	T_BOOL,
	T_INT,	   /* a number min..max */
	T_ENUM,	   /* one of names[] */
	T_PRIOSET, /* a list of priorities, kept as a bit mask */
	T_DSCPMAP, /* an object DSCP: priority */
	T_REST,	   /* a number min..max, or one of names[], kept as max + 1 + its index */
};

struct knob {
	const char *path; /* JSON key, name on the command line, heading in the manual */
	enum knob_type type;
	uint16_t offset;
	uint8_t size;  /* bytes of one element */
	uint8_t count; /* 1, or the length of an array */
	uint32_t min, max;
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
_Static_assert(KNOB_COUNT < 64, "a knobset is one machine word");

/* Room for any knob's value as text. */
#define KNOB_TEXT_MAX 512

/* The row with this path, or NULL. */
const struct knob *knob_find(const char *path);

/* The value of element `i`, and its setter; `i` is below k->count. */
int64_t knob_element(const struct knob *k, const struct config *c, size_t i);
void knob_set_element(const struct knob *k, struct config *c, size_t i, int64_t v);

/* Same value? Entries of a DSCP map that either side keeps out of judgement are equal. */
bool knob_equal(const struct knob *k, const struct config *a, const struct config *b);

/* Copies one knob and its `has` bit; DSCP_KEEP entries leave what is there. */
void knob_copy(const struct knob *k, struct config *to, const struct config *from);

/* The value for people: "3, 4", "off", "DSCP >> 3 but 26:3". Returns `buf`. */
const char *knob_text(const struct knob *k, const struct config *c, char buf[KNOB_TEXT_MAX]);

/* Leaves of both only what differs: equal entries of a DSCP map become DSCP_KEEP. */
void knob_narrow(const struct knob *k, struct config *a, struct config *b);

/* What `want` cares about and `have` lacks or has otherwise. */
knobset config_diff(const struct config *want, const struct config *have);

/* Does the way from one to the other only take lossless priorities away, and add none? */
bool config_withdraws_pfc(const struct config *from, const struct config *to);

/* `base` with everything that `over` has put over it. */
struct config config_overlay(const struct config *base, const struct config *over);

#endif
