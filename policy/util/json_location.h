/* Line and column of a JSON pointer: jansson keeps no locations. */
#ifndef LOSSLESSCTL_POLICY_UTIL_JSON_LOCATION_H
#define LOSSLESSCTL_POLICY_UTIL_JSON_LOCATION_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

/*
 * One step of the path into a document. Each function that walks the document has its step on its
 * stack, linked to its caller's.
 */
struct json_path {
	const struct json_path *parent;
	const char *key; /* NULL in a list, where `index` applies */
	size_t index;
};

/* Writes the path as a JSON pointer (RFC 6901), cut at `size` bytes. */
void json_path_to_pointer(const struct json_path *at, char *buf, size_t size);

/* Records a policy error at this path, unless an error is already recorded. */
void err_record_at(struct err *err, const struct json_path *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), cold));

/* As err_record_at(), and yields false where compilers and analyzers see it. */
#define err_policy(...) \
	__extension__({ \
		err_record_at(__VA_ARGS__); \
		false; \
	})

/* Where a value and its key are in the text of a document, in bytes from its begin. */
struct json_place {
	uint32_t key, value; /* equal in a list, which has no keys */
	uint32_t line;	     /* the value's, from 1 */
	uint32_t size;	     /* the number of places from here to the next one beside it */
};

/* All values of a document in the order of its text: those in a value follow it. */
struct json_index {
	const char *text; /* borrowed */
	struct json_place *places;
};

/* Finds all values of a valid JSON text, in one pass. The caller frees ret->places. */
bool json_index_new(const char *text, struct json_index *ret, struct err *err) must_check;

/*
 * The place of a JSON pointer below a place; of something absent that of its closest existing
 * parent.
 */
const struct json_place *json_place_below(const struct json_index *in,
					  const struct json_place *from, const char *pointer);

/* Fills line and column of place->pointer: of the key if place->of_key, else of the value. */
void json_locate(const struct json_index *in, struct json_location *place);

/* Fills line and column of the byte at `to`, counted in characters; leaves the rest of *ret. */
void json_position_of(const char *text, const char *to, struct json_location *ret);

#endif
