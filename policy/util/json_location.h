/* Line and column of a JSON pointer: jansson keeps no locations. */
#ifndef LOSSLESSCTL_POLICY_UTIL_JSON_LOCATION_H
#define LOSSLESSCTL_POLICY_UTIL_JSON_LOCATION_H

#include <stddef.h>

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

/*
 * Fills line and column of place->pointer in `text`, which must be valid JSON: of the key if
 * place->of_key, else of the value. A pointer to something absent yields the location of its
 * closest existing parent.
 */
void json_locate(const char *text, struct json_location *place);

/* A value in a document. */
struct json_start {
	const char *at; /* borrowed from the text */
	unsigned line;
};

/*
 * Finds the first `count` values in the list or object that the document has as `key`, in document
 * order. Returns how many there are. One pass, where json_locate() takes one for each value.
 */
size_t json_find_starts(const char *text, const char *key, struct json_start *ret, size_t count);

/* Fills line and column of the byte at `to`, counted in characters; leaves the rest of *ret. */
void json_position_of(const char *text, const char *to, struct json_location *ret);

#endif
