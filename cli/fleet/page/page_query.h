/* Questions of the page to the database. */
#ifndef LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_QUERY_H
#define LOSSLESSCTL_CLI_FLEET_PAGE_PAGE_QUERY_H

#include <sqlite3.h>
#include <stdio.h>

#include "../../../policy/util/err.h"
#include "../scope.h"

/* The page that is being written; all is borrowed. */
struct page {
	FILE *out;
	sqlite3 *db;
	const struct fleet_scope *scope;
};

/* Prepares a statement, where ?1 is scope->silent_before and ?2 is scope->since, or NULL. */
bool page_prepare(const struct page *p, const char *sql, sqlite3_stmt **ret,
		  struct err *err) must_check;

/* The number that a statement returns, which is 0 where it returns no row. */
bool page_number(const struct page *p, const char *sql, int64_t *ret, struct err *err) must_check;

/* The text of a column of the current row, "" for NULL. It is valid until the next step. */
const char *page_column(sqlite3_stmt *stmt, int column);

#endif
