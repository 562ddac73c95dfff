/* Patterns of "match" keys: globs, ranges of numbers and comparisons of versions. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_PATTERN_H
#define LOSSLESSCTL_POLICY_DOCUMENT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../util/json_location.h"

/* True if the glob matches the text; "" never matches. */
bool glob_matches(const char *pattern, const char *text);

/*
 * True if every text that `narrow` matches is known to match `wide`; false if that cannot be
 * proven.
 */
bool glob_covers(const char *wide, const char *narrow);

/* True if the pattern is not a single literal text. */
bool glob_is_wild(const char *pattern);

/* Parses ">=100000", "<40000" or "25000..100000" into a range within 1 to UINT32_MAX. */
bool span_from_text(const char *text, uint32_t *ret_min, uint32_t *ret_max);

/* The reverse of span_from_text(). Returns `buf`. */
#define SPAN_TEXT_MAX 24
const char *span_to_text(uint32_t min, uint32_t max, char buf[SPAN_TEXT_MAX]);

/* True for a comparison such as ">=28.39", false for a glob. */
bool version_is_comparison(const char *pattern);

/* True if a comparison is well formed. `pattern` must be a comparison. */
bool version_is_well_formed(const char *pattern);

/*
 * True if a version such as "28.41.1000 (MT_0000000834)" satisfies a comparison. Only as many
 * numbers as the pattern has are compared: 28.39.1002 satisfies "<=28.39".
 */
bool version_satisfies(const char *pattern, const char *version);

/* Checks the glob of a key, such as "name" or "mac". */
bool pattern_can_match(const char *key, const char *pattern, const struct json_path *at,
		       struct err *err) must_check;

#endif
