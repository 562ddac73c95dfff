/*
 * Sanitizes text from outside for terminals, logs and metrics files. Characters that control a
 * terminal, start a new line or change the writing direction are written as escapes.
 */
#ifndef LOSSLESSCTL_POLICY_UTIL_SANITIZE_H
#define LOSSLESSCTL_POLICY_UTIL_SANITIZE_H

#include <stddef.h>

/*
 * Length in bytes of the harmful character at `text`, or 0 if the next character is harmless or the
 * text ends. Harmful are C0, DEL and C1, line and paragraph separators, marks that change the
 * writing direction, and bytes that are not UTF-8, which a terminal may read as C1. *ret_code,
 * unless NULL, receives the code point, or the value of the invalid byte.
 */
size_t sanitize_harmful_length(const char *text, unsigned *ret_code);

/* Length in bytes of the harmless character at `text`; 0 if it is harmful or the text ends. */
size_t sanitize_harmless_length(const char *text);

#define SANITIZED_CHAR_MAX 17

/*
 * Writes the first character of *text to `buf`, a harmful one as \xNN per byte, and moves *text
 * past it. Returns `buf`, which is "" at the end of the text.
 */
const char *sanitize_next(const char **text, char buf[SANITIZED_CHAR_MAX]);

/* Sanitizes the whole text, cut after the last character that fits. Returns `buf`. */
const char *sanitize_text(const char *text, char *buf, size_t size);

#endif
