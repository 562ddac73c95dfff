/*
 * Tables: columns as wide as their content. The cells are kept, so that all are known before the
 * first is printed.
 */
#ifndef LOSSLESSCTL_CLI_OUTPUT_TABLE_H
#define LOSSLESSCTL_CLI_OUTPUT_TABLE_H

#include "../cli.h"
#include "print.h"

#define TABLE_COLUMNS_MAX 24

struct table_column {
	const char *head;
	size_t width; /* at least */
	bool is_right;
	size_t max;	/* at most: a longer cell moves the rest of its row; 0: as its content */
	size_t gap;	/* blanks before it; 0: as in the table */
	bool is_hidden; /* neither its heading nor its cells are printed */
};

/* The caller sets the first members; table_free() frees the cells. */
struct table {
	const struct cli *c;
	const struct table_column *columns; /* borrowed */
	size_t columns_count;
	size_t indent, gap; /* blanks before a row, and between its columns */
	bool has_rest;	    /* the caller adds the last column to the row */

	struct table_cell {
		char *text;
		const char *colour;
	} * cells;
	size_t count;
	size_t widths[TABLE_COLUMNS_MAX]; /* widths of the cells */
};

/* Adds the next cell, from the left to the right and row by row; `colour` may be "". */
void table_add(struct table *t, const char *colour, const char *text);

/* Return where a column starts, and where the next one could, but for the gap. */
size_t table_start(const struct table *t, size_t column);
size_t table_end(const struct table *t, size_t column);

/* Prints the headings on standard output. */
void table_print_head(const struct table *t);

/*
 * Prints a row without its newline, and no blanks behind its last cell. Returns the line, for
 * report_row_add(): with has_rest the first piece starts at the last column.
 */
struct report_row table_print_row(const struct table *t, size_t row);

/* Prints blanks up to a column: the caller prints a text in place of the cells from there on. */
void table_skip_to(const struct table *t, struct report_row *line, size_t column);

/* Prints the rows and forgets them: more can follow, in the same columns. */
void table_print_rows(struct table *t);

/* Prints the headings, if there are any, and the rows. */
void table_print(struct table *t);

void table_free(struct table *t);
#define _table_ __attribute__((cleanup(table_free)))

#endif
