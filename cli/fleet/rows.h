/* Rows of a statement, as JSON and as a table. */
#ifndef LOSSLESSCTL_CLI_FLEET_ROWS_H
#define LOSSLESSCTL_CLI_FLEET_ROWS_H

#include <jansson.h>
#include <sqlite3.h>

#include "../../policy/util/err.h"

/* Rows of a statement as CSV (RFC 4180). */

/* Prints the names of the columns and all rows; NULL is empty. Control characters are escaped. */
bool csv_print(sqlite3_stmt *stmt, struct err *err) must_check;

/* The current row as an object, by the names of the columns. The caller owns it. */
json_t *row_to_json(sqlite3_stmt *stmt);

/* Prints each row as an object on a line of its own. */
bool rows_print_json(sqlite3_stmt *stmt, struct err *err) must_check;

/* All rows as a list of objects, which the caller owns. */
bool rows_to_json(sqlite3_stmt *stmt, json_t **ret, struct err *err) must_check;

/*
 * Prints rows as a table, at most `most` of them (0: all); below a title, if there is one, they are
 * indented. NULL is "unknown", and an empty text "none". *ret_count: how many rows there are; where
 * there are none, nothing is printed.
 */
bool rows_print_table(sqlite3_stmt *stmt, const char *title, size_t most, size_t *ret_count,
		      struct err *err) must_check;

#endif
