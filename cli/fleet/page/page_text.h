/* Text from outside in HTML. */
#ifndef LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_TEXT_H
#define LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Writes text that neither ends an element or a quoted attribute nor changes the writing direction:
 * harmful characters become \xNN. It is cut, with an ellipsis, after TEXT_MAX bytes.
 */
void text_write(FILE *out, const char *text);

#define TEXT_MAX 240

/* The same, cut after another number of bytes. */
void text_write_cut(FILE *out, const char *text, size_t most);

/* Writes a number with a comma between each three digits. */
void number_write(FILE *out, int64_t n);

/* Writes an identifier as words: blanks for underscores. */
void words_write(FILE *out, const char *identifier);

/* Writes a time of RFC 3339 in UTC to the minute, with a blank for the T. */
void time_write(FILE *out, const char *text);

/* Writes a source of a Content-Security-Policy: the hash of an element's text. */
void hash_source_write(FILE *out, const char *text);

#endif
