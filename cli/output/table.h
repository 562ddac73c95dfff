/*
 * Tables: columns as wide as their content. The cells are kept, so that all are known before the
 * first is printed.
 */
#ifndef LOSSLESSCTL_CLI_OUTPUT_TABLE_H
#define LOSSLESSCTL_CLI_OUTPUT_TABLE_H

#include "../cli.h"
#include "print.h"

#define TABLE_COLUMNS_MAX 12

struct table_column {
	const char *head;
	size_t width; /* at least */
	bool is_right;
};

/* The caller sets the first members; table_free() frees the cells. */
struct table {
	const struct cli *c;
	const struct table_column *columns; /* borrowed */
	size_t columns_count;
	size_t indent, gap; /* blanks before a row, and between its columns */
	bool has_rest;	    /* the caller prints the last column */

	struct table_cell {
		char *text;
		const char *colour;
	} * cells;
	size_t count;
	size_t widths[TABLE_COLUMNS_MAX]; /* widths of the cells */
};

/* Adds the next cell, from the left to the right and row by row; `colour` may be "". */
void table_add(struct table *t, const char *colour, const char *text);

/* Returns where a column starts. */
size_t table_start(const struct table *t, size_t column);

/* Prints the headings on standard output. */
void table_print_head(const struct table *t);

/*
 * Prints a row without its newline. No blanks follow its last cell, unless the caller prints a
 * column behind it. Returns the line, for more pieces.
 */
struct report_row table_print_row(const struct table *t, size_t row);

/* Prints the headings and all rows. */
void table_print(const struct table *t);

void table_free(struct table *t);
#define _table_ __attribute__((cleanup(table_free)))

#endif
