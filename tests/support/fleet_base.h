/* The database of a fleet in memory, and what is drawn of it. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_FLEET_BASE_H
#define LOSSLESSCTL_TESTS_SUPPORT_FLEET_BASE_H

#include "cli/fleet/page/page_query.h"

/* Opens one with empty tables, and runs statements in it. */
sqlite3 *fleet_base(const char *sql);

/* The number that a statement returns. */
int64_t fleet_base_number(sqlite3 *db, const char *sql);

/* The text that a function prints for a statement on an empty database; the caller frees it. */
typedef bool rows_print(sqlite3_stmt *stmt, struct err *err);
char *fleet_base_printed(const char *sql, rows_print *print);

/* A part of the page, which is drawn between these two as of 2026-11-24. */
struct drawing {
	struct page page;
	struct fleet_scope scope;
	char *text; /* once it is closed */
	size_t size;
};
void drawing_open(struct drawing *d, sqlite3 *db);
void drawing_close(struct drawing *d);

/* Frees the text, and closes the database. */
void drawing_free(struct drawing *d);

/* How often a text is in another. */
size_t count_of(const char *text, const char *part);

#endif
