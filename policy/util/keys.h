/*
 * Keys of an object of a policy: one row each, which the reader, the schema, `explain` and the
 * manual walk.
 */
#ifndef LOSSLESSCTL_POLICY_UTIL_KEYS_H
#define LOSSLESSCTL_POLICY_UTIL_KEYS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "json_util.h"

enum key_type {
	KEY_BOOL,
	KEY_NUMBER, /* a whole number min..max, stored as value + plus */
	KEY_WORD,   /* one of words[], stored as its index + plus */
	KEY_TEXT,   /* a text, not empty, that fits the field */
	KEY_OBJECT, /* an object, which is read into the field */
	KEY_LIST,   /* a list of min..max objects; code of its own reads it */
	KEY_MAP,    /* objects by name, at most max; code of its own reads it */
	KEY_OTHER,  /* read by from_json; NULL: it has no meaning, or is read elsewhere */
};

struct key {
	const char *name;
	const char *path; /* "job.ib_timeout", where `explain` has it by that; else NULL */
	enum key_type type;
	size_t offset, size; /* the field in the struct that the object is read into */
	uint64_t min, max, plus;
	uint64_t default_number; /* for the schema; 0: none */
	const char *unit;
	const char *const *words;	  /* ends with NULL */
	const struct key_object *objects; /* KEY_OBJECT, KEY_LIST, KEY_MAP */
	size_t index;			  /* for from_json: the row of another table */
	bool (*from_json)(const struct key *k, void *field, json_t *j, const struct json_path *at,
			  struct err *err);
	json_t *(*schema)(const struct key *k); /* KEY_OTHER; NULL: a text */
	const char *expected;			/* valid values in words, if they are no list */
	const char *missing;			/* the error without the key; NULL: none */
	const char *missing_fix;		/* NULL: none */
	bool required;				/* for the schema; so is a key with `missing` */
	const char *doc;			/* one sentence */
	const char *more;			/* for `explain`; NULL: it does not list the key */
};

#define KEY_FIELD(type, member) \
	.offset = offsetof(type, member), .size = sizeof(((type *)0)->member)

/* Rows are keys[], which ends with a row without a name, or those that `row` makes. */
struct key_object {
	const struct key *keys;
	bool (*row)(size_t i, struct key *ret); /* false past the last */
	const char *expected;			/* instead of a value that is no object */
	bool no_comment;			/* the object has no "comment" */
	/* Judges a key without a row; `near` has been offered all others. NULL: it is unknown. */
	bool (*other)(const struct json_path *at, struct suggestion *near, struct err *err);
	void (*add_to_schema)(json_t *schema); /* adds the rest; NULL: nothing */
};

/* For the row of a key that must be a text, whose value has no meaning here. */
bool ignored_from_json(const struct key *k, void *field, json_t *j, const struct json_path *at,
		       struct err *err) must_check;

/* The key "comment" of objects. */
extern const struct key key_comment;

/* The i-th row; false past the last. */
bool key_at(const struct key_object *o, size_t i, struct key *ret);

/*
 * Reads an object into the struct that its rows describe; fields of absent keys stay unchanged.
 * Errors are ERR_POLICY with the location.
 */
bool object_from_json(const struct key_object *o, void *ret, json_t *object,
		      const struct json_path *at, struct err *err) must_check;

/* Reads a whole number min..max that has no row. */
bool number_from_json(const json_t *j, int64_t min, int64_t max, int64_t *ret,
		      const struct json_path *at, struct err *err) must_check;

/* The JSON Schema of an object. The caller owns it. */
json_t *object_schema(const struct key_object *o);

#endif
