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

/* Returns the width of the longest of these names, at least NAME_WIDTH_MIN. */
int names_width(setting_set names);

/* Prints two blanks, and the name of a setting, padded to the width. */
void print_name(FILE *to, const char *name, int width);

#define SETTING_NAME_MAX 64

/*
 * Takes a setting out of the set, or a whole object, and writes its name: "dcqcn.*" for all of
 * dcqcn. False: the set is empty.
 */
bool take_name(setting_set *left, char name[static SETTING_NAME_MAX]);

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

/*
 * Prints sanitized text from `column` on, and a newline. Words that do not fit into the terminal's
 * width go to the next line, which is indented by `indent` columns. A newline in the text starts a
 * line as well.
 */
void wrap_print(FILE *to, const char *text, size_t column, size_t indent);

/* Prints two blanks, the name padded to `width`, and the wrapped text behind it. */
void wrap_row(FILE *to, const char *name, int width, const char *text);

/* The columns that a text takes, which is sanitized. */
size_t wrap_width(const char *text);

/* The width of the terminal, and the same on standard output for many rows of one list. */
size_t wrap_columns(void);
void wrap_row_in(size_t columns, const char *name, int width, const char *text);

/* A line of a report that is printed piece by piece. */
struct report_row {
	size_t column; /* the columns that are printed */
	size_t indent; /* indent of the next line, if a piece does not fit */
	FILE *to;      /* NULL: standard output */
	size_t gap;    /* blanks due before the next piece, unless it starts a new line */
};

/*
 * Prints a sanitized piece behind `gap` blanks, in a colour or "". A piece that
 * does not fit into the width of reports starts on a new line, and is wrapped there.
 */
void report_row_add(struct report_row *r, size_t gap, const char *colour, const char *text,
		    const char *reset);

/*
 * The same for a line of a message on standard error. It is wrapped word by word at the width of
 * the terminal; without a terminal it is one line.
 */
void error_row_add(struct report_row *r, size_t gap, const char *colour, const char *text,
		   const char *reset);

/* Prints a text below a row of a report, wrapped and indented; nothing if it is "". */
void print_below(const struct cli *c, size_t indent, const char *colour, const char *text);

#endif
