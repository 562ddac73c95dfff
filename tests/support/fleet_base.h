/* The database of a fleet in memory, and the parts of its page. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_FLEET_BASE_H
#define LOSSLESSCTL_TESTS_SUPPORT_FLEET_BASE_H

#include "cli/fleet/page/page_section.h"

/* Opens a database with empty tables, and runs statements in it. */
sqlite3 *fleet_base(const char *sql);

/* The number that a statement returns. */
int64_t fleet_base_number(sqlite3 *db, const char *sql);

/* The text that a function prints for a statement on an empty database; the caller frees it. */
typedef bool rows_print(sqlite3_stmt *stmt, struct err *err);
char *fleet_base_printed(const char *sql, rows_print *print);

/* A part of the page, drawn as of 2026-11-24 between drawing_open() and drawing_close(). */
struct drawing {
	struct page page;
	struct fleet_scope scope;
	char *text; /* set by drawing_close() */
	size_t size;
};
void drawing_open(struct drawing *d, sqlite3 *db);
void drawing_close(struct drawing *d);

/* Frees the text, and closes the database. */
void drawing_free(struct drawing *d);

/* Counts how often `part` is in `text`. */
size_t count_of(const char *text, const char *part);

#endif
