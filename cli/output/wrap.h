/* Text that wraps at the width of the terminal. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_WRAP_H
#define LOSSLESSCTL_CLI_OUTPUT_WRAP_H

#include <stdio.h>

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

#endif
