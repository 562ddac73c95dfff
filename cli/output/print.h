/* Text on the terminal: coloured on request, and sanitized if it comes from outside. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_PRINT_H
#define LOSSLESSCTL_CLI_OUTPUT_PRINT_H

#include <stdio.h>

#include "../../policy/model/setting.h"
#include "../../policy/util/status_word.h"
#include "../cli.h"

/*
 * Returns the style of a stream, from --color, NO_COLOR, TERM and whether it is a terminal. `utf8`:
 * the locale has it.
 */
struct style style_of(bool is_tty, unsigned colour, bool utf8);

/* The colour of a severity, and of a word: what is as it should be is green. */
const char *severity_colour(const struct style *s, enum severity severity);
const char *word_colour(const struct style *s, enum word w);

/* Prints text from outside and escapes its control characters (policy/util/sanitize.h). */
void print_clean(FILE *to, const char *text);

/* Formats and prints text from outside in the same way, at most 1023 bytes. */
void print_outside(FILE *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Prints "losslessctl: WHERE: TEXT" and the fix on standard error. */
void print_failure(const struct cli *c, const struct err *err);

#define MESSAGE_MAX 2048 /* bytes of a message, with its place and values */

/* Prints "losslessctl: LEVEL: TEXT" on standard error, the level in a colour. */
void print_note(const char *colour, const char *level, const char *reset, const char *text);

/* Prints a line below a message on standard error: its fix. */
void print_error_more(const char *text);

/* Prints "losslessctl: warning: …" on standard error, unless --quiet is set. */
void print_warning(const struct cli *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Prints a port and its device facts in one line, without a newline. */
void print_port(const struct cli *c, const struct port *p);

/* Prints a note if the link is down or slower than the port supports. */
void print_link_note(const struct cli *c, const struct port *p);

#define NAME_WIDTH_MIN 21 /* only settings of DCQCN have longer names */

/* Prints two blanks, and the name of a setting, padded to the width. */
void print_name(FILE *to, const char *name, int width);

/* Prints "A -> B" for one setting, limited to the entries that differ. */
void print_change(const struct cli *c, unsigned setting, const struct config *from,
		  const struct config *to);

/*
 * Prints a document on standard output and releases it: indented on a terminal, else on one line.
 */
void print_json(const struct cli *c, json_t *document);

/*
 * Returns an origin (origin.h) without the directory of the policy: part of the argument. The lines
 * of a port are read together.
 */
const char *origin_short(const char *origin);

#endif
