/* Reads members of a JSON object and reports which one is wrong. */
#ifndef LOSSLESSCTL_POLICY_UTIL_JSON_UTIL_H
#define LOSSLESSCTL_POLICY_UTIL_JSON_UTIL_H

#include <jansson.h>

#include "fix_text.h"
#include "json_location.h"

/* Walks the items of a list at `up`: `here` is the path of each `item`. */
#define json_item_foreach(list, up, here, item) \
	for (struct json_path here = { (up), NULL, 0 }; \
	     ((item) = json_array_get((list), here.index)); here.index++)

/* Walks the members of an object at `up`: `here` is the path of each, and here.key its key. */
#define json_member_foreach(object, up, here, item) \
	for (struct json_path here = { (up), json_object_iter_key(json_object_iter(object)), 0 }; \
	     here.key && ((item) = json_object_iter_value(json_object_key_to_iter(here.key))); \
	     here.key = json_object_iter_key( \
		     json_object_iter_next((object), json_object_key_to_iter(here.key))))

/* A list of words, which ends with NULL. The caller owns the result. */
json_t *json_words(const char *const *words);

/* True if the NULL-terminated list `known` has the key. */
bool json_is_known_key(const char *const *known, const char *key);

/* Fails with each key of `object` that is not in the NULL-terminated list `known`. */
bool json_only_keys(json_t *object, const char *const *known, const struct json_path *at,
		    struct err *err) must_check;

/* Copies a text member into `out`; an absent member leaves `out` unchanged. */
bool json_read_string(json_t *object, const char *key, char *out, size_t size,
		      const struct json_path *at, struct err *err) must_check;

/* Reads a member that is true or false; an absent member leaves *ret unchanged. */
bool json_read_bool(const json_t *object, const char *key, bool *ret, const struct json_path *at,
		    struct err *err) must_check;

/* Reads a key that is a number below `count`, without sign and leading zeros. */
bool json_number_of_key(const char *key, unsigned count, unsigned *ret);

/* Returns a text member, borrowed; "" if it is absent, or no text. */
const char *json_text(const json_t *object, const char *key);

/* A text from outside as JSON; bytes that are not UTF-8 become "?". The caller owns it. */
json_t *json_from_text(const char *text);

/* The same; null for "" and NULL. */
json_t *json_text_or_null(const char *text);

/*
 * Records that a value has the wrong type or form, as "found A STRING, expected EXPECTED"; `found`
 * is the value, the format and its arguments are what is expected.
 */
void err_record_expected(struct err *err, const struct json_path *at, const json_t *found,
			 const char *fmt, ...) __attribute__((format(printf, 4, 5), cold));

/* As err_record_expected(), and yields false where compilers and analyzers see it. */
#define err_expected(...) \
	__extension__({ \
		err_record_expected(__VA_ARGS__); \
		false; \
	})

/* The same where true or false is expected, and where a whole number is; always false. */
bool err_expected_bool(struct err *err, const struct json_path *at, const json_t *found);
bool err_expected_number(struct err *err, const struct json_path *at, const json_t *found,
			 const char *bounds);

/* Records that a map has a key other than expected: "found the key KEY, expected EXPECTED". */
bool err_expected_key(struct err *err, const struct json_path *at, const char *expected);

#endif
