/* Reading the members of a JSON object, and saying which one is wrong. */
#ifndef LOSSLESSCTL_POLICY_UTIL_JSON_UTIL_H
#define LOSSLESSCTL_POLICY_UTIL_JSON_UTIL_H

#include <jansson.h>

#include "json_location.h"
#include "suggest.h"

/* Reports the first key of `object` that is not in the NULL-ended list. */
bool json_only_keys(json_t *object, const char *const *known, const struct at *at,
		    struct err *err) must_check;

/* Copies a text member into `out`; one that is not there leaves it as it is. */
bool json_take_string(json_t *object, const char *key, char *out, size_t size, const struct at *at,
		      struct err *err) must_check;

/* The same for true and false. */
bool json_take_bool(const json_t *object, const char *key, bool *ret, const struct at *at,
		    struct err *err) must_check;

/* "about" is a comment that stays in the document: any text, or not there. */
bool json_check_about(const json_t *object, const struct at *at, struct err *err) must_check;

/* A text from outside as JSON; bytes that are not UTF-8 become "?". The caller owns it. */
json_t *json_text(const char *text);

/*
 * A document as text, in which what sanitize.h calls harmful stands as \uXXXX. The caller frees
 * it; NULL: out of memory.
 */
char *json_clean(const json_t *j, size_t flags) must_check;

/* Records "unknown key", with the nearest of the candidates offered so far. */
bool err_unknown_key(struct err *err, const struct at *at, const struct suggestion *near);

#endif
