/* Reads members of a JSON object and reports which one is wrong. */
#ifndef LOSSLESSCTL_POLICY_UTIL_JSON_UTIL_H
#define LOSSLESSCTL_POLICY_UTIL_JSON_UTIL_H

#include <jansson.h>

#include "json_location.h"
#include "suggest.h"

/* Fails with the first key of `object` that is not in the NULL-terminated list `known`. */
bool json_only_keys(json_t *object, const char *const *known, const struct json_path *at,
		    struct err *err) must_check;

/* Copies a text member into `out`; an absent member leaves `out` unchanged. */
bool json_read_string(json_t *object, const char *key, char *out, size_t size,
		      const struct json_path *at, struct err *err) must_check;

/* Reads a member that is true or false; an absent member leaves *ret unchanged. */
bool json_read_bool(const json_t *object, const char *key, bool *ret, const struct json_path *at,
		    struct err *err) must_check;

/* Checks that "comment", a comment kept in the document, is a text or absent. */
bool json_check_comment(const json_t *object, const struct json_path *at,
			struct err *err) must_check;

/* A text from outside as JSON; bytes that are not UTF-8 become "?". The caller owns it. */
json_t *json_from_text(const char *text);

/*
 * The document as text, with the characters that sanitize.h calls harmful escaped as \uXXXX. The
 * caller frees it; NULL if out of memory.
 */
char *json_dump_sanitized(const json_t *j, size_t flags) must_check;

/* Records "unknown key" with the nearest candidate offered so far; always false. */
bool err_unknown_key(struct err *err, const struct json_path *at, const struct suggestion *near);

#endif
