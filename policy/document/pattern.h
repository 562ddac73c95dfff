/* What stands behind a key of `match`: a glob, a span of numbers, or versions. */
#ifndef LOSSLESSCTL_POLICY_DOCUMENT_PATTERN_H
#define LOSSLESSCTL_POLICY_DOCUMENT_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does a text match a glob? "" matches none. */
bool glob_holds(const char *pattern, const char *text);

/* Does every text of one glob match the other, as far as can be told? */
bool glob_covers(const char *wide, const char *narrow);

/* Is it more than one literal text? */
bool glob_is_wild(const char *pattern);

/* ">=100000", "<40000", "25000..100000": the numbers 1 and up that are meant. */
bool span_from_text(const char *text, uint32_t *ret_min, uint32_t *ret_max);

/* The other way; returns `buf`. */
#define SPAN_TEXT_MAX 24
const char *span_to_text(uint32_t min, uint32_t max, char buf[SPAN_TEXT_MAX]);

/* Is it ">=28.39", and not a glob? */
bool version_is_compared(const char *pattern);

/* Is a version comparison well formed? */
bool version_is_sound(const char *pattern);

/*
 * Does a version such as "28.41.1000 (MT_0000000834)" satisfy a comparison?
 * Only as many of its numbers count as the pattern names: 28.39.1002 is
 * "<=28.39".
 */
bool version_holds(const char *pattern, const char *version);

#endif
