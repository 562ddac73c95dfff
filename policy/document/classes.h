/* Traffic classes: the intent, from which low-level settings are derived. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_CLASSES_H
#define LOSSLESSCTL_POLICY_DOCUMENT_CLASSES_H

#include "../model/config.h"
#include "../model/setting.h"
#include "../util/keys.h"

#define CLASS_NAME_MAX 32

struct traffic_class {
	char name[CLASS_NAME_MAX];
	uint8_t priority; /* also the number of its ETS traffic class */
	uint8_t bandwidth;
	bool shares; /* has a bandwidth and is not strict */
	bool lossless, strict, ecn, cnp;
	bool marks;	/* RoCE data is marked with first_dscp; at most one class */
	uint64_t dscps; /* bit per DSCP; 0: the default class, for all DSCPs that no class names */
	uint8_t first_dscp; /* the first in the document's order */
};

struct classes {
	struct traffic_class list[PRIOS];
	size_t count; /* 0: the profile has no classes */
};

#define CLASS_KEYS 8
extern const struct key class_keys[];
extern const struct key_object class_object; /* read into a struct traffic_class */

/* Reads "classes". A contradiction between classes is an error at its location. */
bool classes_from_json(struct classes *ret, json_t *list, const struct json_path *at,
		       struct err *err) must_check;

/*
 * Checks that exactly one class takes all other traffic and that the classes do not contradict each
 * other.
 */
bool classes_check(const struct classes *c, const struct json_path *at, struct err *err) must_check;

/* The default class: it has all DSCPs and priorities that no class names. */
const struct traffic_class *classes_rest(const struct classes *c);

/* All settings that follow from the classes; empty without classes. */
struct config classes_derive(const struct classes *c);

/* The classes that a derived setting follows from, as in `class "roce"`. Returns `buf`. */
#define SOURCE_TEXT_MAX 320
const char *classes_source(const struct classes *c, unsigned setting, char buf[SOURCE_TEXT_MAX]);

/* The index of the first class that classes_source() names; false if it names all of them. */
bool classes_first(const struct classes *c, unsigned setting, size_t *ret);

#endif
