/* From a JSON pointer to a line and a column: jansson keeps no positions. */
#ifndef LOSSLESSCTL_POLICY_UTIL_JSON_LOCATION_H
#define LOSSLESSCTL_POLICY_UTIL_JSON_LOCATION_H

#include <stddef.h>

#include "err.h"

/* One step on the way down into a document; lives on the stack of whoever walks it. */
struct at {
	const struct at *up;
	const char *key; /* NULL: a list, and `index` counts */
	size_t index;
};

/* Writes the way as a JSON pointer (RFC 6901); one that is too long is cut. */
void at_pointer(const struct at *at, char *buf, size_t size);

/* Records a policy error at this place, unless one is recorded. */
void err_record_at(struct err *err, const struct at *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), cold));

/* The same; always false, as analyzers can see. */
#define err_policy(...) \
	__extension__({ \
		err_record_at(__VA_ARGS__); \
		false; \
	})

/*
 * Fills line and column of place->pointer in `text`, which parsed as JSON: of
 * the key when it is place->of_key, else of the value. What is not there has the
 * place of what would hold it.
 */
void position_find(const char *text, struct place *place);

#endif
