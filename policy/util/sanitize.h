/*
 * Text from outside, made harmless for a terminal, a log and a metrics file:
 * what controls a terminal, begins a line or turns the direction of writing is
 * spelled out.
 */
#ifndef LOSSLESSCTL_POLICY_UTIL_SANITIZE_H
#define LOSSLESSCTL_POLICY_UTIL_SANITIZE_H

#include <stddef.h>

/*
 * How many bytes at `text` are one harmful character; 0: none, the next is as
 * innocent as it looks. Harmful are C0, DEL and C1, what ends a line or a
 * paragraph, the marks that turn the direction of writing, and what is no UTF-8,
 * which a terminal may take for C1. *ret_code, if not NULL, is its number, or
 * that of the byte that is no UTF-8.
 */
size_t clean_harm(const char *text, unsigned *ret_code);

/* Bytes of the innocent character that `text` begins with; 0: it is harmful, or the end. */
size_t clean_innocent(const char *text);

#define CLEAN_CHAR_MAX 17

/*
 * The character that *text begins with, spelled in `buf` as \xNN a byte where it is
 * harmful; *text moves behind it. Returns `buf`, which is "" at the end.
 */
const char *clean_next(const char **text, char buf[CLEAN_CHAR_MAX]);

/* The whole of a text, as far as whole characters fit. Returns `buf`. */
const char *clean_text(const char *text, char *buf, size_t size);

#endif
