/* Classes of traffic: the intent, from which low-level settings are derived (classes_derive.h). */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_CLASSES_H
#define LOSSLESSCTL_POLICY_DOCUMENT_CLASSES_H

#include "../model/config.h"
#include "../util/json_util.h"

#define CLASS_NAME_MAX 32

struct traffic_class {
	char name[CLASS_NAME_MAX];
	uint8_t priority; /* and its traffic class in ETS */
	uint8_t bandwidth;
	bool shares; /* it has a bandwidth, and is not strict */
	bool lossless, strict, ecn, cnp;
	bool marks;	    /* RoCE data is marked with its first DSCP; one class at most */
	uint64_t dscps;	    /* bit per DSCP; 0: the class of all that no other class names */
	uint8_t first_dscp; /* as the document lists them */
};

struct classes {
	struct traffic_class list[PRIOS];
	size_t count; /* 0: the profile states none */
};

/* A key of a class, as a row. */
enum class_type { CLASS_NAME, CLASS_NUMBER, CLASS_BOOL, CLASS_DSCPS };

struct class_key {
	const char *name;
	enum class_type type;
	size_t offset; /* in struct traffic_class */
	unsigned max;  /* of a number */
	bool required;
	const char *doc;
};

#define CLASS_KEYS 8
extern const struct class_key class_keys[CLASS_KEYS];

/* What a class may be called, as a regular expression. */
#define CLASS_NAME_PATTERN "^[A-Za-z0-9_-]{1,31}$"

/* Reads "classes". Whatever contradicts itself among them is an error at its place. */
bool classes_take(struct classes *ret, json_t *list, const struct at *at,
		  struct err *err) must_check;

/* Is there one class for all other traffic, and does nothing contradict? */
bool classes_judge(const struct classes *c, const struct at *at, struct err *err) must_check;

/* The class of all DSCPs and priorities that no other class names. */
const struct traffic_class *classes_rest(const struct classes *c);

#endif
