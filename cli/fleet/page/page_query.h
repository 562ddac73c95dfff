/* Questions of the page to the database. */
#ifndef LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_QUERY_H
#define LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_QUERY_H

#include <sqlite3.h>
#include <stdio.h>

#include "../database.h"

/* The page that is being written; all is borrowed. */
struct page {
	FILE *out;
	sqlite3 *db;
	const struct fleet_scope *scope;
};

/* Takes the row that a statement is at. */
typedef void page_row(FILE *out, sqlite3_stmt *stmt, void *arg);

/* Calls `take` for each row of a statement, as scope_prepare() takes it. */
bool page_each(const struct page *p, const char *sql, page_row *take, void *arg,
	       struct err *err) must_check;

/* The number that a statement returns, which is 0 where it returns no row. */
bool page_number(const struct page *p, const char *sql, int64_t *ret, struct err *err) must_check;

/* The text of a column of the current row, "" for NULL. It is valid until the next step. */
const char *page_column(sqlite3_stmt *stmt, int column);

#endif
