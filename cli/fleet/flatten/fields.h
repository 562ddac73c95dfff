/* Members of a JSON object, read into a struct by a table of fields. */
#ifndef LOSSLESSCTL_CLI_FLEET_FLATTEN_FIELDS_H
#define LOSSLESSCTL_CLI_FLEET_FLATTEN_FIELDS_H

#include <jansson.h>

#include "../../../policy/util/json_location.h"

#define FIELD_TEXT_MAX 65536 /* bytes of a text */

enum field_type {
	FIELD_TEXT,	     /* const char *: borrowed, not empty */
	FIELD_OPTIONAL_TEXT, /* const char *; NULL: null or absent */
	FIELD_TIME,	     /* const char *: RFC 3339 in UTC, as losslessctl writes it */
	FIELD_PAST,	     /* the same, and not ahead of this host's clock */
	FIELD_NUMBER,	     /* json_int_t, at least 0; 0: null or absent */
	FIELD_LIST,	     /* json_t *: borrowed */
	FIELD_OPTIONAL_LIST, /* json_t *; NULL: null or absent */
	FIELD_OBJECT,	     /* json_t *; NULL: null or absent */
	FIELD_VALUE,	     /* json_t * of any type; NULL: null or absent */
};

struct field {
	const char *key;
	enum field_type type;
	size_t offset;
};

#define FIELD(of, member, type) \
	{ \
#member, type, offsetof(struct of, member) \
	}

/*
 * Reads these members into the struct at `out`, which borrows from the document. Fails with
 * ERR_POLICY and the location of the first one that is missing or wrong.
 */
bool fields_read(const json_t *object, const struct field *fields, size_t count, void *out,
		 const struct json_path *at, struct err *err) must_check;

#define FIELDS_READ(object, fields, out, at, err) \
	fields_read(object, fields, sizeof(fields) / sizeof((fields)[0]), out, at, err)

/* True if a FIELD_TIME is ahead of this host's clock, by more than clocks differ. */
bool time_is_ahead(const char *text);

/* The size of a list; 0 for none. */
size_t list_size(const json_t *list);

#endif
